// A value or the reason there is none. For expected failures (bad files, bad data); bugs throw InternalError.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace lac {

/// Why something could not be done: one sentence, with its place ("file:line: ...") where there is one.
struct Failure {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}            // NOLINT: implicit by design
  Result(Failure failure) : state_(std::move(failure)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T take() { return std::move(std::get<0>(state_)); }
  const Failure& failure() const { return std::get<1>(state_); }

 private:
  std::variant<T, Failure> state_;
};

/// A broken invariant of the compiler itself, never the user's fault.
struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace lac
