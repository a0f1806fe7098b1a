#include "program.h"

int main(void) {
  double *r = numbers(n + 1), *a = numbers(n + 1), *old = numbers(n + 1), sum = 0;
  const double start = now();
  for (int k = 0; k <= n; k++) r[k] = pow(0.9, k) * (1 + 0.3 * cos(0.7 * k));
  double e = r[0];
  for (int k = 1; k <= n; k++) {
    double s = r[k];
    for (int j = 1; j < k; j++) s -= a[j] * r[k - j];
    const double g = s / e;
    for (int j = 1; j < k; j++) old[j] = a[j];
    for (int j = 1; j < k; j++) a[j] = old[j] - g * old[k - j];
    a[k] = g;
    e *= 1 - g * g;
  }
  for (int k = 1; k <= n; k++) sum += a[k];
  took(start);
  printf("%.10g %.10g %.10g\n", sum, a[1], e);
}
