// The step of drawing: what a program draws reaches the figures of its run, and files where it prints them.
#include "runtime/figures/draw.h"
#include "runtime/files/files.h"
#include "runtime/steps/steps.h"
#include "runtime/steps/text/text_tensor.h"

namespace lac::runtime::steps {

Output draw(const Input& input) {
  if (input.run == nullptr || input.run->figures == nullptr) return std::vector<Tensor>();  // nobody looks
  const auto write = [&](const std::string& path, const std::string& bytes) {
    if (!input.run->files) throw figures::Refused{"print: " + std::string(files_refused)};
    if (const auto written = write_file(path, bytes); !written)
      throw figures::Refused{"print: " + written.failure().message};
  };
  try {
    figures::draw(*input.run->figures, {text_of(input.operands[0]), input.operands.subspan(1)}, write);
  } catch (const figures::Refused& refused) {
    return Failure{"error: " + refused.message};
  }
  return std::vector<Tensor>();
}

Output current_figure(const Input& input) {
  figures::Figures nobody;
  figures::Figures& figures = input.run == nullptr || input.run->figures == nullptr ? nobody : *input.run->figures;
  return std::vector{Tensor::scalar(figures::current_figure(figures).number, input.results[0].element)};
}

}  // namespace lac::runtime::steps
