// Complex matrices for LAPACK, whose real and imaginary parts are tensors of their own everywhere else.
#pragma once

#include <complex>
#include <utility>
#include <vector>

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/steps.h"

namespace lac::runtime {

/// Column-major.
template <class T>
struct ComplexMatrix {
  using Value = std::complex<T>;

  int rows = 0, cols = 0;
  std::vector<Value> values = {};

  ComplexMatrix(int m, int n) : rows(m), cols(n), values(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {}
  /// Two dense tensors of one shape.
  ComplexMatrix(const Tensor& re, const Tensor& im);

  Value& at(int i, int j) {
    return values[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)];
  }
  const Value& at(int i, int j) const { return const_cast<ComplexMatrix*>(this)->at(i, j); }
  Value* data() { return values.data(); }
  int leading() const { return std::max(1, rows); }
  bool finite() const;
  bool hermitian() const;
  T norm1() const;
};

/// The real and the imaginary parts, behind `results`.
template <class T>
void append_parts(std::vector<Tensor>& results, const ComplexMatrix<T>& a);

/// Calls f(ComplexMatrix<T>) with operands k and k + 1 in the precision that the first result asks for.
template <class F>
steps::Output with_complex(const steps::Input& input, const char* what, F&& f, std::size_t k = 0) {
  const Tensor &re = input.operands[k], &im = input.operands[k + 1];
  if (!lapack::fits(re)) return Failure{std::string("error: ") + what + ": more than 2^31-1 rows or columns"};
  if (input.results[0].element == Element::single) return f(ComplexMatrix<float>(re, im));
  return f(ComplexMatrix<double>(re, im));
}

/// A routine of LAPACK for complex elements with parts of T. Arguments as its own page has them, but for WORK, LWORK,
/// RWORK of `real_work` numbers, and INFO.
template <class T>
class ComplexRoutine {
 public:
  explicit ComplexRoutine(const char* name)
      : name_(std::string(1, std::is_same_v<T, float> ? 'c' : 'z') + name + "_") {}

  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    constexpr std::size_t characters = (0 + ... + (std::is_same_v<Arguments, char> ? 1 : 0));
    return lapack::detail::call_fortran(name_.c_str(), std::make_index_sequence<characters>(), arguments...);
  }

  template <class... Arguments>
  int with_workspace(Arguments... arguments) const {
    return sized([&](std::complex<T>* work, int size) { return (*this)(arguments..., work, size); });
  }

  template <class... Arguments>
  int with_real_workspace(std::size_t real_work, Arguments... arguments) const {
    std::vector<T> reals(std::max<std::size_t>(1, real_work));
    return sized([&](std::complex<T>* work, int size) { return (*this)(arguments..., work, size, reals.data()); });
  }

 private:
  template <class Call>
  int sized(const Call& call) const {
    std::complex<T> wanted = 0;
    if (const int info = call(&wanted, -1); info != 0) return info;
    std::vector<std::complex<T>> work(static_cast<std::size_t>(std::max(1, static_cast<int>(wanted.real()))));
    return call(work.data(), static_cast<int>(work.size()));
  }

  std::string name_;
};

}  // namespace lac::runtime
