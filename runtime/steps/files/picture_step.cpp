// The step of imwrite: pictures as PNG files, and those that move as GIF files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "ir/support/text_edit.h"
#include "runtime/files/files.h"
#include "runtime/files/gif.h"
#include "runtime/files/picture.h"
#include "runtime/steps/steps.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

/// The operands by their names.
struct PictureCall {
  explicit PictureCall(std::span<const Tensor> operands)
      : path(text_of(operands[0])),
        format(lower_case(text_of(operands[1]))),
        samples(operands[2]),
        rows(extent(operands[3])),
        cols(extent(operands[4])),
        channels(extent(operands[5])),
        colours(operands[6]),
        seconds(operands[7]),
        repeats(operands[8].as_scalar()),
        mode(lower_case(text_of(operands[9]))) {
    if (format.empty()) format = ending();
  }

  std::int64_t frame_size() const { return rows * cols * channels; }
  bool appends() const { return mode == "append"; }
  std::int64_t frames() const { return samples.count() / frame_size(); }

  std::string path, format;
  const Tensor& samples;
  std::int64_t rows, cols, channels;
  const Tensor& colours;
  const Tensor& seconds;
  double repeats;
  std::string mode;

 private:
  static std::int64_t extent(const Tensor& operand) { return static_cast<std::int64_t>(operand.as_scalar()); }
  std::string ending() const {
    const std::size_t dot = path.find_last_of("./");
    return dot == std::string::npos || path[dot] == '/' ? "" : lower_case(path.substr(dot + 1));
  }
};

constexpr double most_hundredths = 65535;

std::uint8_t to_byte(double value) {  // not 0 <= value: NaN is black
  return value > 0 ? static_cast<std::uint8_t>(std::min(std::round(value), 255.0)) : std::uint8_t{0};
}

double element(const Tensor& a, std::int64_t place) { return a.at(place % a.rows(), place / a.rows()); }

Picture picture_of(const PictureCall& call, std::int64_t frame) {
  Picture picture{call.cols, call.rows, {}, {}, call.channels};
  picture.samples.reserve(static_cast<std::size_t>(call.frame_size()));
  for (std::int64_t i = 0; i < call.rows; ++i)
    for (std::int64_t j = 0; j < call.cols; ++j)
      for (std::int64_t channel = 0; channel < call.channels; ++channel) {
        const std::int64_t plane = frame * call.channels + channel;
        picture.samples.push_back(to_byte(element(call.samples, i + call.rows * (j + call.cols * plane))));
      }
  for (std::int64_t k = 0; k < call.colours.rows(); ++k)
    for (std::int64_t channel = 0; channel < call.colours.cols(); ++channel)
      picture.palette.push_back(to_byte(255 * call.colours.at(k, channel)));
  return picture;
}

/// What Octave says of a call that is none.
std::optional<std::string> complaint(const PictureCall& call) {
  if (call.format != "png" && call.format != "gif")
    return call.path + ": only PNG and GIF files (.png, .gif) can be written";
  if (call.mode != "append" && call.mode != "overwrite")
    return "value for WriteMode option must be \"append\" or \"overwrite\"";
  if (call.samples.empty()) return "invalid empty image";
  if (call.channels != 1 && call.channels != 3) return "IMG 3rd dimension must be 1 or 3";
  if (call.format == "png" && (call.frames() > 1 || call.appends())) return "a PNG file has one picture: write a .gif";
  if (call.seconds.count() != 1 && call.seconds.count() != call.frames())
    return "value for DelayTime must either be a scalar or the number of frames";
  for (std::int64_t k = 0; k < call.seconds.count(); ++k) {
    const double hundredths = 100 * element(call.seconds, k);
    if (!(hundredths >= 0 && hundredths <= most_hundredths))
      return "value for DelayTime must be between 0 and 655.35 seconds";
  }
  if (!(call.repeats >= 0 && (std::isinf(call.repeats) || call.repeats <= 65535)))
    return "value for LoopCount must be Inf or between 0 and 65535";
  return std::nullopt;
}

// Octave: an animation is shown once for a LoopCount of 0 and of 1.
Repeats repeats_of(const PictureCall& call) {
  if (std::isinf(call.repeats)) return {true, 0};
  const int times = static_cast<int>(call.repeats);
  return {false, times < 2 ? 0 : times};
}

Result<Written> write_gif(const PictureCall& call) {
  std::vector<Frame> frames;
  for (std::int64_t k = 0; k < call.frames(); ++k) {
    const double seconds = element(call.seconds, call.seconds.count() == 1 ? 0 : k);
    frames.push_back({picture_of(call, k), static_cast<int>(std::round(100 * seconds))});
  }
  std::error_code unknown;
  if (call.appends() && std::filesystem::exists(call.path, unknown)) return append_to_gif(call.path, frames);
  const Result<std::string> bytes = encode_gif(frames, repeats_of(call));
  if (!bytes) return bytes.failure();
  return write_file(call.path, bytes.value());
}

Result<Written> write_png(const PictureCall& call) {
  const Result<std::string> bytes = encode_png(picture_of(call, 0));
  if (!bytes) return bytes.failure();
  return write_file(call.path, bytes.value());
}

}  // namespace

Output write_picture(const Input& input) {
  const PictureCall call(input.operands);
  if (const auto wrong = complaint(call)) return Failure{"error: imwrite: " + *wrong};
  const Result<Written> written = call.format == "gif" ? write_gif(call) : write_png(call);
  if (!written) return Failure{"error: imwrite: " + written.failure().message};
  return std::vector<Tensor>();
}

}  // namespace lac::runtime::steps
