#include <xmmintrin.h>

#include "program.h"

int main(void) {
  float a[16] = {0.9f, .1f, 0, 0, .1f, .85f, .05f, 0, 0, .05f, .85f, .1f, 0, 0, .1f, .9f};
  float b[16] __attribute__((aligned(16))) = {1, 0, 0, 0, .3f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const double start = now();
  __m128 A[4];
  for (int i = 0; i < 4; i++) A[i] = _mm_loadu_ps(a + 4 * i);
  for (int k = 0; k < reps; k++) {
    for (int j = 0; j < 4; j++) {
      __m128 c = _mm_mul_ps(A[0], _mm_set1_ps(b[4 * j]));
      for (int i = 1; i < 4; i++) c = _mm_add_ps(c, _mm_mul_ps(A[i], _mm_set1_ps(b[4 * j + i])));
      _mm_store_ps(b + 4 * j, c);
    }
    b[0] = 1;
  }
  float sum = 0;
  for (int i = 0; i < 16; i++) sum += b[i];
  took(start);
  printf("%.5g\n", sum);
}
