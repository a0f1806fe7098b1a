#include "program.h"

#define AT(m, i, j) m[(i) + (j) * (n + 1)]

int main(void) {
  const long cells = (n + 1L) * (n + 1L);
  double *a = numbers(n), *b = numbers(n), *H = numbers(cells), *E = numbers(cells), *F = numbers(cells);
  double best = 0;
  long where = 0;
  const double start = now();
  for (int i = 0; i < n; i++) a[i] = fmod(floor((i + 1) * 1.618), 4), b[i] = fmod(floor((i + 1) * 2.414), 4);
  for (int j = 1; j <= n; j++)
    for (int i = 1; i <= n; i++) {
      const double s = a[i - 1] == b[j - 1] ? 3 : -2;
      AT(E, i, j) = fmax(AT(E, i - 1, j) - 1, AT(H, i - 1, j) - 4);
      AT(F, i, j) = fmax(AT(F, i, j - 1) - 1, AT(H, i, j - 1) - 4);
      const double h = fmax(fmax(0, AT(H, i - 1, j - 1) + s), fmax(AT(E, i, j), AT(F, i, j)));
      AT(H, i, j) = h;
      if (h > best) best = h, where = i + n * (j - 1L);
    }
  took(start);
  printf("%.0f %ld\n", best, where);
}
