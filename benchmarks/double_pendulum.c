/* The double pendulum of 000, penalty (108) + trapezoidal rule (118)-(119), written by hand for this one mechanism.
 *
 * It does what biela's loop does in the same run: per step the corrector with the stopping rule (123), and at the
 * accepted state the energy error and the violation of the constraints and of their rates; every `stride` steps a
 * sample of t, q, q', q'' and the multipliers (106). Prints the best time per step, evaluations, energy error,
 * violation and the final position. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 4
#define M_ROWS 2

static const double alpha = 1e7, xi = 1.0, omega = 10.0, g = 9.81;
static const double M[N][N] = {{25. / 24, 0, 1. / 8, 0}, {0, 25. / 24, 0, 1. / 8}, {1. / 8, 0, 3. / 8, 0}, {0, 1. / 8, 0, 3. / 8}};
static double Q[N], lam[M_ROWS];

static void constraints(const double *q, const double *v, double *Phi, double *Phid) {
  double dx = q[2] - q[0], dy = q[3] - q[1], du = v[2] - v[0], dv = v[3] - v[1];
  Phi[0] = q[0] * q[0] + q[1] * q[1] - 4;
  Phi[1] = dx * dx + dy * dy - 4;
  Phid[0] = 2 * (q[0] * v[0] + q[1] * v[1]);
  Phid[1] = 2 * (dx * du + dy * dv);
}

static void accelerations(const double *q, const double *v, double *a, int look) {
  double dx = q[2] - q[0], dy = q[3] - q[1], du = v[2] - v[0], dv = v[3] - v[1];
  double Phi[M_ROWS], Phid[M_ROWS], w[M_ROWS], A[N][N], r[N];
  double B[M_ROWS][N] = {{2 * q[0], 2 * q[1], 0, 0}, {-2 * dx, -2 * dy, 2 * dx, 2 * dy}};
  double bias[M_ROWS] = {2 * (v[0] * v[0] + v[1] * v[1]), 2 * (du * du + dv * dv)};
  constraints(q, v, Phi, Phid);
  for (int k = 0; k < M_ROWS; k++) w[k] = alpha * (bias[k] + 2 * xi * omega * Phid[k] + omega * omega * Phi[k]);
  for (int i = 0; i < N; i++) {
    r[i] = Q[i] - B[0][i] * w[0] - B[1][i] * w[1];
    for (int j = 0; j <= i; j++) A[i][j] = M[i][j] + alpha * (B[0][i] * B[0][j] + B[1][i] * B[1][j]);
  }
  for (int j = 0; j < N; j++) { /* Cholesky */
    double s = A[j][j];
    for (int k = 0; k < j; k++) s -= A[j][k] * A[j][k];
    double inverse = 1 / sqrt(s);
    A[j][j] = inverse;
    for (int i = j + 1; i < N; i++) {
      double t = A[i][j];
      for (int k = 0; k < j; k++) t -= A[i][k] * A[j][k];
      A[i][j] = t * inverse;
    }
  }
  for (int i = 0; i < N; i++) {
    double t = r[i];
    for (int k = 0; k < i; k++) t -= A[i][k] * r[k];
    r[i] = t * A[i][i];
  }
  for (int i = N - 1; i >= 0; i--) {
    double t = r[i];
    for (int k = i + 1; k < N; k++) t -= A[k][i] * r[k];
    r[i] = t * A[i][i];
  }
  for (int i = 0; i < N; i++) a[i] = r[i];
  if (look)
    for (int k = 0; k < M_ROWS; k++) {
      double s = 0;
      for (int i = 0; i < N; i++) s += B[k][i] * a[i];
      lam[k] = w[k] + alpha * s;
    }
}

static double energy(const double *q, const double *v) {
  double E = 0;
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int j = 0; j < N; j++) s += M[i][j] * v[j];
    E += 0.5 * v[i] * s - Q[i] * q[i];
  }
  return E;
}

int main(int argc, char **argv) {
  double h = atof(argv[1]), duration = atof(argv[2]), tolerance = atof(argv[3]);
  int repeats = atoi(argv[4]), stride = atoi(argv[5]);
  long steps = lround(duration / h), evaluations = 0;
  double best = 1e9, q[N], v[N], a[N], worst = 0, violation = 0, rates = 0;
  double *samples = calloc((steps / stride + 2) * (1 + 3 * N + M_ROWS), sizeof(double));
  Q[0] = -g / 2, Q[1] = -g, Q[2] = 0, Q[3] = -g / 2;
  for (int run = 0; run < repeats; run++) {
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    q[0] = 2, q[1] = 0, q[2] = 4, q[3] = 0;
    for (int i = 0; i < N; i++) v[i] = 0;
    worst = violation = rates = 0, evaluations = 1;
    accelerations(q, v, a, 1);
    double E0 = energy(q, v), *out = samples;
    long due = stride;
    for (long s = 1; s <= steps; s++) {
      double qn[N], vn[N], an[N], Phi[M_ROWS], Phid[M_ROWS];
      for (int i = 0; i < N; i++) qn[i] = q[i] + h * v[i] + 0.5 * h * h * a[i], vn[i] = v[i] + h * a[i];
      for (int it = 0; it < 60; it++) {
        double e = 0;
        accelerations(qn, vn, an, s == due);
        evaluations++;
        for (int i = 0; i < N; i++) {
          double x = q[i] + h * v[i] + 0.25 * h * h * (a[i] + an[i]), d = x - qn[i];
          e += d * d;
          qn[i] = x;
          vn[i] = v[i] + 0.5 * h * (a[i] + an[i]);
        }
        if (sqrt(e) < tolerance) break;
      }
      for (int i = 0; i < N; i++) q[i] = qn[i], v[i] = vn[i], a[i] = an[i];
      worst = fmax(worst, fabs(energy(q, v) - E0));
      constraints(q, v, Phi, Phid);
      violation = fmax(violation, fmax(fabs(Phi[0]), fabs(Phi[1])));
      rates = fmax(rates, fmax(fabs(Phid[0]), fabs(Phid[1])));
      if (s == due) {
        *out++ = s * h;
        for (int i = 0; i < N; i++) *out++ = q[i];
        for (int i = 0; i < N; i++) *out++ = v[i];
        for (int i = 0; i < N; i++) *out++ = a[i];
        for (int k = 0; k < M_ROWS; k++) *out++ = lam[k];
        due += stride;
      }
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double wall = (t1.tv_sec - t0.tv_sec) + 1e-9 * (t1.tv_nsec - t0.tv_nsec);
    if (wall < best) best = wall;
  }
  printf("{\"seconds_per_step\": %.6e, \"evaluations\": %ld, \"energy_error\": %.9e, \"violation\": %.9e, \"y2\": %.12f}\n",
         best / steps, evaluations, worst, violation, q[3]);
  (void)argc, (void)rates;
  return 0;
}
