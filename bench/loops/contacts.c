#include "program.h"

int main(void) {
  const int m = 2 * n;
  int *one = malloc(sizeof(int) * m), *two = malloc(sizeof(int) * m);
  double *nx = numbers(m), *ny = numbers(m), *gap = numbers(m), *normal = numbers(m), *slip = numbers(m);
  double *w = numbers(n), *vx = numbers(n), *vy = numbers(n), mu = 0.4, sum = 0;
  const double start = now();
  for (int c = 0; c < m; c++) {
    const int k = c + 1;
    one[c] = (k - 1) % n, two[c] = (k * 7) % n;
    nx[c] = cos(k * 0.9), ny[c] = sin(k * 0.9), gap[c] = 0.1 * fmod(k * 0.618, 1);
  }
  for (int i = 0; i < n; i++) w[i] = 1.0 / (1 + (i + 1) % 3), vx[i] = sin(i + 1), vy[i] = -1;
  for (int s = 0; s < sweeps; s++)
    for (int c = 0; c < m; c++) {
      const int i = one[c], j = two[c];
      if (i == j) continue;
      const double rx = vx[j] - vx[i], ry = vy[j] - vy[i], mass = w[i] + w[j];
      const double next = fmax(0, normal[c] - (rx * nx[c] + ry * ny[c] + gap[c]) / mass);
      double d = next - normal[c], px = d * nx[c], py = d * ny[c], t = slip[c] - (ry * nx[c] - rx * ny[c]) / mass;
      const double most = mu * next;
      normal[c] = next;
      t = t > most ? most : t < -most ? -most : t;
      d = t - slip[c], slip[c] = t;
      px -= d * ny[c], py += d * nx[c];
      vx[i] -= w[i] * px, vy[i] -= w[i] * py, vx[j] += w[j] * px, vy[j] += w[j] * py;
    }
  for (int c = 0; c < m; c++) sum += normal[c];
  took(start);
  printf("%.9g %.9g %.9g\n", sum, vx[0], vy[n - 1]);
}
