#include "program.h"

int main(void) {
  double *x = numbers(n + 2), *v = numbers(n + 2), h = 0.05, alpha = 0.25, energy = 0;
  const double start = now();
  for (int i = 1; i <= n; i++) x[i] = sin(M_PI * i / (n + 1));
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i <= n; i++) {
      const double l = x[i] - x[i - 1], r = x[i + 1] - x[i];
      v[i] += h * (r - l + alpha * (r * r - l * l));
    }
    for (int i = 1; i <= n; i++) x[i] += h * v[i];
  }
  for (int i = 1; i <= n + 1; i++) {
    const double d = x[i] - x[i - 1];
    energy = energy + 0.5 * v[i] * v[i] + 0.5 * d * d + alpha / 3 * d * d * d;
  }
  took(start);
  printf("%.9g %.9g\n", energy, x[n / 2 - 1]);
}
