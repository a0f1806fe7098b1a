// Steps that reach outside the program: clocks and files.
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "runtime/captured_text.h"
#include "runtime/files/files.h"
#include "runtime/steps/steps.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr double no_time = -1;

// When `tic` was last called on this thread, which a run never leaves.
thread_local double timer = no_time;

Output one(double value, const ResultType& type) { return std::vector{Tensor::scalar(value, type.element)}; }

Output nothing() { return std::vector<Tensor>(); }

}  // namespace

Output clock(const Input& input) { return one(seconds_since_1970(), input.results[0]); }

Output tic(const Input& input) {
  timer = seconds_since_1970();
  return one(std::floor(timer * 1e6), input.results[0]);
}

Output toc(const Input& input) {
  const double start = input.operands.empty() ? timer : input.operands[0].as_scalar() * 1e-6;
  if (start == no_time) return Failure{"error: toc: function called before timer initialization()"};
  return one(seconds_since_1970() - start, input.results[0]);
}

Output processor_time(const Input& input) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return std::vector{Tensor::scalar(seconds(used.ru_utime), input.results[0].element),
                     Tensor::scalar(seconds(used.ru_stime), input.results[1].element)};
}

Output local_offset(const Input& input) {
  const auto when = static_cast<std::time_t>(input.operands[0].as_scalar());
  std::tm local{};
  const bool known = localtime_r(&when, &local) != nullptr;
  return one(known ? static_cast<double>(local.tm_gmtoff) : 0, input.results[0]);
}

Output capture_begin(const Input& input) {
  if (input.run == nullptr || input.run->captured == nullptr)
    return Failure{"error: evalc: this run keeps nothing of what it shows"};
  input.run->captured->begin();
  return nothing();
}

Output capture_length(const Input& input) {
  return one(static_cast<double>(input.run->captured->length()), input.results[0]);
}

Output capture_end(const Input& input) {
  return std::vector{text_tensor(input.run->captured->end(), input.results[0])};
}

Output write_matrix(const Input& input) {
  const auto written = write_tensor(text_of(input.operands[0]), input.operands[1]);
  if (!written) return Failure{"error: write: " + written.failure().message};
  return nothing();
}

Output read_size(const Input& input) {
  const Result<Tensor> read = read_tensor(text_of(input.operands[0]));
  if (!read) return Failure{"error: read: " + read.failure().message};
  return std::vector{Tensor::scalar(static_cast<double>(read.value().rows()), input.results[0].element),
                     Tensor::scalar(static_cast<double>(read.value().cols()), input.results[1].element)};
}

Output read_matrix(const Input& input) {
  const ResultType& type = input.results[0];
  const Result<Tensor> read = read_tensor(text_of(input.operands[0]));
  if (!read) return Failure{"error: read: " + read.failure().message};
  const Tensor& a = read.value();
  if (a.rows() != type.rows || a.cols() != type.cols) return Failure{"error: read: the file changed while it was read"};
  return std::vector{to_element(to_storage(a, type.storage), type.element)};
}

}  // namespace lac::runtime::steps
