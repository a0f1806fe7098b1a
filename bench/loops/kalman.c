#include <string.h>

#include "program.h"

typedef double Matrix[4][4];

static void multiply(Matrix a, Matrix b, Matrix c) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double s = 0;
      for (int k = 0; k < 4; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

int main(void) {
  Matrix F = {{1, 0, .1}, {0, 1, 0, .1}, {0, 0, 1}, {0, 0, 0, 1}};
  Matrix P = {{10}, {0, 10}, {0, 0, 10}, {0, 0, 0, 10}}, A, B, Ft;
  double x[4] = {0}, acc = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) Ft[i][j] = F[j][i];
  const double start = now();
  for (int k = 1; k <= T; k++) {
    const double z[2] = {fmod(k * 0.618, 1), fmod(k * 0.414, 1)};
    double y[4], K[4][2];
    for (int i = 0; i < 4; i++) {
      y[i] = 0;
      for (int j = 0; j < 4; j++) y[i] += F[i][j] * x[j];
    }
    memcpy(x, y, sizeof x);
    multiply(F, P, A), multiply(A, Ft, B);
    for (int i = 0; i < 4; i++) B[i][i] += 0.01;
    const double s00 = B[0][0] + .25, s01 = B[0][1], s10 = B[1][0], s11 = B[1][1] + .25, d = s00 * s11 - s01 * s10;
    for (int i = 0; i < 4; i++) {
      K[i][0] = (B[i][0] * s11 - B[i][1] * s10) / d;
      K[i][1] = (B[i][1] * s00 - B[i][0] * s01) / d;
    }
    const double e0 = z[0] - x[0], e1 = z[1] - x[1];
    for (int i = 0; i < 4; i++) x[i] += K[i][0] * e0 + K[i][1] * e1;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) P[i][j] = B[i][j] - K[i][0] * B[0][j] - K[i][1] * B[1][j];
    acc += x[0];
  }
  took(start);
  printf("%.9g %.9g\n", acc, P[0][0] + P[1][1] + P[2][2] + P[3][3]);
}
