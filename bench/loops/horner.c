#include "program.h"

int main(void) {
  double c[degree + 2], s = 0, t = 0;
  const double start = now();
  for (int k = 1; k <= degree + 1; k++) c[k] = 1.0 / k;
  for (int i = 1; i <= n; i++) {
    double x = -1 + 2.0 * i / n, p = c[degree + 1], d = 0;
    for (int k = degree; k >= 1; k--) {
      d = d * x + p;
      p = p * x + c[k];
    }
    s += p, t += d;
  }
  took(start);
  printf("%.10g %.10g\n", s, t);
}
