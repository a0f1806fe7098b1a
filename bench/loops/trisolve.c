#include "program.h"

int main(void) {  /* the matrix by rows; it has one entry beside its diagonals */
  int *start_of = malloc(4 * (n + 1)), *column = malloc(16 * n), stored = 0;
  double *v = numbers(4 * n), *b = numbers(n), *x = numbers(n);
  for (int i = 0; i < n; i++) {
    start_of[i] = stored;
    b[i] = fmod((i + 1) * 0.618, 1);
    if (i == row - 1) column[stored] = 6, v[stored++] = -0.25;
    if (i >= 50) column[stored] = i - 50, v[stored++] = -1;
    if (i) column[stored] = i - 1, v[stored++] = -1;
    column[stored] = i, v[stored++] = 3;
  }
  start_of[n] = stored;
  const double start = now();
  for (int r = 0; r < reps; r++) {
    for (int i = 0; i < n; i++) {
      double q = b[i];
      int p = start_of[i];
      for (; p < start_of[i + 1] - 1; p++) q -= v[p] * x[column[p]];
      x[i] = q / v[p];
    }
    for (int i = 0; i < n; i++) b[i] = 0.5 * b[i] + 0.01 * x[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  took(start);
  printf("%.10g\n", sum);
}
