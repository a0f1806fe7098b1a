#include "program.h"

#define A(i, j) a[(i) + (j) * n]

int main(void) {
  double *a = numbers(n * n), *p = numbers(n);
  const double start = now();
  for (int i = 0; i < n * n; i++) a[i] = fmod((i + 1) * 0.618, 1);
  for (int i = 0; i < n; i++) A(i, i) += n, p[i] = i + 1;
  for (int k = 0; k < n - 1; k++) {
    int m = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A(i, k)) > fabs(A(m, k))) m = i;
    if (m != k) {
      for (int j = 0; j < n; j++) {
        const double t = A(k, j);
        A(k, j) = A(m, j), A(m, j) = t;
      }
      const double t = p[k];
      p[k] = p[m], p[m] = t;
    }
    for (int i = k + 1; i < n; i++) {
      A(i, k) /= A(k, k);
      for (int j = k + 1; j < n; j++) A(i, j) -= A(i, k) * A(k, j);
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += A(i, i);
  took(start);
  printf("%.10g %g\n", sum, p[2]);
}
