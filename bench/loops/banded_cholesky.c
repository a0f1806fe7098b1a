#include "program.h"

#define B(d, j) b[(d) + (j) * (w + 1)]

static int least(int a, int b) { return a < b ? a : b; }

int main(void) {
  double *b = numbers((w + 1) * n), *x = numbers(n), sum = 0;
  const double start = now();
  for (int j = 0; j < n; j++) {
    B(0, j) = 2 * w + fmod((j + 1) * 0.618, 1);
    for (int d = 1; d <= least(w, n - 1 - j); d++) B(d, j) = -1.0 / d;
  }
  for (int j = 0; j < n; j++) {
    for (int k = j > w ? j - w : 0; k < j; k++) {
      const double f = B(j - k, k);
      for (int i = j; i <= least(n - 1, k + w); i++) B(i - j, j) -= f * B(i - k, k);
    }
    const double r = sqrt(B(0, j));
    for (int d = 0; d <= least(w, n - 1 - j); d++) B(d, j) /= r;
  }
  for (int j = 0; j < n; j++) x[j] = fmod((j + 1) * 0.414, 1);
  for (int j = 0; j < n; j++) {
    x[j] /= B(0, j);
    for (int d = 1; d <= least(w, n - 1 - j); d++) x[j + d] -= B(d, j) * x[j];
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int d = 1; d <= least(w, n - 1 - j); d++) x[j] -= B(d, j) * x[j + d];
    x[j] /= B(0, j);
  }
  for (int j = 0; j < n; j++) sum += x[j];
  took(start);
  printf("%.10g %.10g %.10g\n", sum, x[0], B(0, n - 1));
}
