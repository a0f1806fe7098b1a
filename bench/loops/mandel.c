#include "program.h"

int main(void) {
  long total = 0;
  const double start = now();
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
      double cr = -2 + 3.0 * i / n, ci = -1.5 + 3.0 * j / n, zr = 0, zi = 0;
      int k = 0;
      while (zr * zr + zi * zi <= 4 && k < limit) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci, zr = t, k++;
      }
      total += k;
    }
  took(start);
  printf("%ld\n", total);
}
