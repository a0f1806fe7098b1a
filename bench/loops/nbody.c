#include "program.h"

int main(void) {
  double x[n], y[n], z[n], u[n] = {0}, v[n] = {0}, q[n] = {0}, m[n], h = 1e-3;
  for (int k = 0; k < n; k++) x[k] = cos(k + 1), y[k] = sin(2 * (k + 1)), z[k] = cos(3 * (k + 1)), m[k] = 1.0 / (k + 1);
  const double start = now();
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) {
      double a = 0, b = 0, c = 0;
      for (int j = 0; j < n; j++)
        if (j != i) {
          const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i], r = dx * dx + dy * dy + dz * dz + 0.01;
          const double w = m[j] / (r * sqrt(r));
          a += w * dx, b += w * dy, c += w * dz;
        }
      u[i] += h * a, v[i] += h * b, q[i] += h * c;
    }
    for (int i = 0; i < n; i++) x[i] += h * u[i], y[i] += h * v[i], z[i] += h * q[i];
  }
  took(start);
  printf("%.9g %.9g\n", x[0], z[n - 1]);
}
