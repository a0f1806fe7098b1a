#include "program.h"

int main(void) {
  double* best = numbers(cap + 1);
  const double start = now();
  for (int i = 1; i <= items; i++) {
    const int w = 1 + (i * 37) % 91;
    const double v = 1 + (i * 53) % 97;
    for (int c = cap; c >= w; c--) {
      const double t = best[c - w] + v;
      if (t > best[c]) best[c] = t;
    }
  }
  took(start);
  printf("%.0f\n", best[cap]);
}
