#include "program.h"

int main(void) {
  const int m = n * degree;
  int *from = malloc(sizeof(int) * m), *to = malloc(sizeof(int) * m), changed = 1, rounds = 0, reached = 0;
  double *len = numbers(m), *d = numbers(n), sum = 0;
  const double start = now();
  for (int k = 1; k <= m; k++) {
    from[k - 1] = (k * 31 + 7) % n, to[k - 1] = (k * 17 + k / n) % n, len[k - 1] = 1 + fmod(k * 0.618, 1) * 10;
  }
  for (int i = 1; i < n; i++) d[i] = INFINITY;
  while (changed && rounds < n) {
    changed = 0, rounds++;
    for (int e = 0; e < m; e++) {
      const double t = d[from[e]] + len[e];
      if (t < d[to[e]]) d[to[e]] = t, changed = 1;
    }
  }
  for (int i = 0; i < n; i++)
    if (d[i] < INFINITY) sum += d[i], reached++;
  took(start);
  printf("%.10g %d %d\n", sum, reached, rounds);
}
