#include "program.h"

int main(void) {
  double *a = numbers(n + 1), sum = 0;
  const double start = now();
  for (int k = 1; k <= n; k++) a[k] = (k * 7919L) % 10007;
  for (int m = n / 2; m >= 1; m--) {
    const double v = a[m];
    int i = m;
    for (int c = 2 * i; c <= n; c = 2 * i) {
      if (c < n && a[c] < a[c + 1]) c++;
      if (v >= a[c]) break;
      a[i] = a[c], i = c;
    }
    a[i] = v;
  }
  for (int last = n; last >= 2; last--) {
    const double v = a[last];
    a[last] = a[1];
    int i = 1;
    for (int c = 2; c < last; c = 2 * i) {
      if (c < last - 1 && a[c] < a[c + 1]) c++;
      if (v >= a[c]) break;
      a[i] = a[c], i = c;
    }
    a[i] = v;
  }
  for (int i = 1; i <= n; i++) sum += i % 17 * a[i];
  took(start);
  printf("%.0f %.0f %.0f\n", a[1], a[n], sum);
}
