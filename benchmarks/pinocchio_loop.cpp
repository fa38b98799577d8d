// CPU time of Pinocchio's aba on a chain read from a file; no Python in the loop.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <cstdio>
#include <ctime>
#include <cstdlib>
#include <vector>
using namespace pinocchio;
extern "C" {
struct Chain { Model model; Data *data; Eigen::VectorXd q, v, tau; };
// links: per link parent, type(0 RZ,1 PZ,2 spherical), R9, p3, m, c3, I9(rowmajor)
void* make(int n, const double* L, const double* g) {
  Chain* c = new Chain;
  c->model.gravity.linear() = Eigen::Vector3d(g[0], g[1], g[2]);
  for (int k = 0; k < n; ++k) {
    const double* x = L + 27 * k;
    Eigen::Matrix3d R, I; Eigen::Vector3d p, com;
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) { R(i,j) = x[2+3*i+j]; I(i,j) = x[18+3*i+j]; }
    p << x[11], x[12], x[13]; com << x[15], x[16], x[17];
    SE3 place(R, p); std::string name = "j" + std::to_string(k);
    JointIndex id;
    if (x[1] == 0) id = c->model.addJoint((JointIndex)x[0], JointModelRZ(), place, name);
    else if (x[1] == 1) id = c->model.addJoint((JointIndex)x[0], JointModelPZ(), place, name);
    else id = c->model.addJoint((JointIndex)x[0], JointModelSpherical(), place, name);
    c->model.appendBodyToJoint(id, Inertia(x[14], com, I), SE3::Identity());
  }
  c->data = new Data(c->model);
  c->q = Eigen::VectorXd::Zero(c->model.nq); c->v = Eigen::VectorXd::Zero(c->model.nv); c->tau = Eigen::VectorXd::Zero(c->model.nv);
  return c;
}
void state(void* h, const double* q, const double* v) {
  Chain* c = (Chain*)h;
  for (int i = 0; i < c->model.nq; ++i) c->q[i] = q[i];
  for (int i = 0; i < c->model.nv; ++i) c->v[i] = v[i];
}
void evaluate(void* h, int count, int world, double* a) {
  Chain* c = (Chain*)h;
  for (int i = 0; i < count; ++i)
    aba(c->model, *c->data, c->q, c->v, c->tau, world ? Convention::WORLD : Convention::LOCAL);
  for (int i = 0; i < c->model.nv; ++i) a[i] = c->data->ddq[i];
}
void drop(void* h) { Chain* c = (Chain*)h; delete c->data; delete c; }
}
