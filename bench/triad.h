// a = b + s * c over vectors that no cache holds: how fast this machine moves three words an element, on one thread.
#pragma once

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace lac::bench {

class Triad {
 public:
  static constexpr int words = 3;

  explicit Triad(std::size_t elements) : elements_(elements) {
    for (Vector& vector : vectors_) {
      vector = made(elements);
      for (std::size_t i = 0; i < elements; ++i) vector.get()[i] = static_cast<float>(i % 1024);
    }
  }

  void run(int times) {
    for (int time = 0; time < times; ++time) once(static_cast<float>(time + 1));
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  using Vector = std::unique_ptr<float, Free>;

  // In large pages, as the matrices of lac.
  static Vector made(std::size_t elements) {
    constexpr std::size_t page = std::size_t{1} << 21;
    const std::size_t bytes = (elements * sizeof(float) + page - 1) / page * page;
    auto* memory = static_cast<float*>(std::aligned_alloc(page, bytes));
    madvise(memory, bytes, MADV_HUGEPAGE);
    return Vector(memory);
  }

  void once(float s) {
    float* __restrict a = vectors_[0].get();
    const float* __restrict b = vectors_[1].get();
    const float* __restrict c = vectors_[2].get();
    for (std::size_t i = 0; i < elements_; ++i) a[i] = b[i] + s * c[i];
  }

  std::size_t elements_;
  std::array<Vector, words> vectors_;
};

}  // namespace lac::bench
