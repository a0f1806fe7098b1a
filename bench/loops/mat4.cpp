#include <Eigen/Core>

#include "bench/loops/program.h"

int main() {
  Eigen::Matrix4f a, b = Eigen::Matrix4f::Identity();
  a << .9f, .1f, 0, 0, .1f, .85f, .05f, 0, 0, .05f, .85f, .1f, 0, 0, .1f, .9f;
  b(0, 1) = .3f;
  const double start = now();
  for (int k = 0; k < reps; k++) {
    b = a * b;
    b(0, 0) = 1;
  }
  const float sum = b.sum();
  took(start);
  printf("%.5g\n", sum);
}
