#include "program.h"

#define U(i, j) u[(i) - 1 + ((j) - 1) * n]
#define F(i, j) f[(i) - 1 + ((j) - 1) * n]

int main(void) {
  double *u = numbers(n * n), *f = numbers(n * n), w = 1.7, change = 0, sum = 0;
  const double start = now();
  for (int i = 1; i <= n; i++) U(i, 1) = 1;
  for (int i = 0; i < n * n; i++) f[i] = 0.01 * fmod((i + 1) * 0.618, 1);
  for (int s = 0; s < sweeps; s++) {
    change = 0;
    for (int j = 2; j < n; j++)
      for (int i = 2; i < n; i++)
        if ((i - n / 2.0) * (i - n / 2.0) + (j - n / 2.0) * (j - n / 2.0) > (double)n * n / 20) {
          const double d = w * (0.25 * (U(i - 1, j) + U(i + 1, j) + U(i, j - 1) + U(i, j + 1) + F(i, j)) - U(i, j));
          U(i, j) += d;
          change = fmax(change, fabs(d));
        }
  }
  for (int i = 0; i < n * n; i++) sum += u[i];
  took(start);
  printf("%.10g %.10g\n", sum, change);
}
