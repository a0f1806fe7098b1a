// A variable that has its value of before again at the end of a scope, however that ends.
#pragma once

#include <utility>

namespace lac::frontend {

template <class T>
class Restored {
 public:
  explicit Restored(T& variable) : variable_(variable), before_(variable) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { variable_ = std::move(before_); }

 private:
  T& variable_;
  T before_;
};

}  // namespace lac::frontend
