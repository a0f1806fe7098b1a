#include "program.h"

int main(void) {
  double* x = numbers(n);
  const double start = now();
  x[0] = 1;
  for (int k = 2; k <= n; k++) x[k - 1] = 0.5 * x[k - 2] + 1.0 / k;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k];
  took(start);
  printf("%.9g\n", sum);
}
