#include "program.h"

int main(void) {
  double *count = numbers(bins), x = 0.3;
  const double start = now();
  for (int k = 0; k < n; k++) {
    x = 3.9 * x * (1 - x);
    count[(int)floor(x * bins)] += 1;
  }
  int m = 0, used = 0;
  for (int b = 1; b < bins; b++)
    if (count[b] > count[m]) m = b;
  for (int b = 0; b < bins; b++) used += count[b] > 0;
  took(start);
  printf("%.0f %d %d\n", count[m], m + 1, used);
}
