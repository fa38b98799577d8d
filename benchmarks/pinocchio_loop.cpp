// Pinocchio's articulated-body algorithm in a loop without Python, for open_chain.py --cpp NAME=FILE.
// P is the wheel's cmeel.prefix (site-packages/cmeel.prefix); Eigen comes from elsewhere (apt install libeigen3-dev).
// As the wheel was compiled, its own machine code:
//   g++ -O2 -DNDEBUG $D -DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION -std=c++17 -shared -fPIC -I$P/include \
//     -I$P/include/pinocchio/deprecated -I/usr/include/eigen3 pinocchio_loop.cpp -o wheel.so -L$P/lib \
//     -lpinocchio_default -lboost_serialization -Wl,-rpath,$P/lib
// For this machine, from the headers: -O3 -march=native instead, without that definition and -lpinocchio_default.
// D: -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
//    -DBOOST_FUSION_INVOKE_MAX_ARITY=12
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
