// Steps that reach outside the program: clocks, files, pictures.
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <ctime>

#include "runtime/captured_text.h"
#include "runtime/files/files.h"
#include "runtime/files/picture.h"
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

std::uint8_t to_byte(double value) {  // not 0 <= value: NaN is black
  return value > 0 ? static_cast<std::uint8_t>(std::min(std::round(value), 255.0)) : std::uint8_t{0};
}

bool is_png(const std::string& path) {
  std::string ending = path.substr(path.size() - std::min<std::size_t>(path.size(), 4));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".png";
}

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

Output write_picture(const Input& input) {
  const std::string path = text_of(input.operands[0]);
  const Tensor &samples = input.operands[1], &colours = input.operands[2];
  if (!is_png(path)) return Failure{"error: imwrite: " + path + ": only PNG files (.png) can be written"};
  if (samples.empty()) return Failure{"error: imwrite: the image is empty"};
  Picture picture{samples.cols(), samples.rows(), {}, {}};
  for (std::int64_t i = 0; i < samples.rows(); ++i)
    for (std::int64_t j = 0; j < samples.cols(); ++j) picture.samples.push_back(to_byte(samples.at(i, j)));
  for (std::int64_t k = 0; k < colours.rows(); ++k)
    for (std::int64_t channel = 0; channel < colours.cols(); ++channel)
      picture.palette.push_back(to_byte(255 * colours.at(k, channel)));
  const Result<std::string> bytes = encode_png(picture);
  if (!bytes) return Failure{"error: imwrite: " + bytes.failure().message};
  const auto written = write_file(path, bytes.value());
  if (!written) return Failure{"error: imwrite: " + written.failure().message};
  return nothing();
}

}  // namespace lac::runtime::steps
