#include "codegen/llvm/kernel/pressure.h"

#include <algorithm>

#include "ir/kernel/body.h"

namespace lac::codegen {
namespace {

struct Pressure {
  std::size_t vectors = 0;  ///< values of points that are held at one time, at most
  std::size_t splats = 0;   ///< values that are the same at all points
};

// Where each instruction is read for the last time; results are read behind the body.
std::vector<std::size_t> last_reads(const Body& body, const std::vector<InstrId>& results) {
  std::vector<std::size_t> last(body.size(), 0);
  for (std::uint32_t n = 0; n < body.size(); ++n)
    for (InstrId operand : operands_of(body[InstrId{n}])) last[operand.index] = n;
  for (InstrId result : results) last[result.index] = body.size();
  return last;
}

Pressure pressure_of(const Kernel& kernel, const Nest& nest) {
  const std::vector<InstrId> results = results_of(nest);
  const std::vector<bool> needed = needed_for(nest.body, results), uniform = uniform_values(kernel, nest.body);
  const std::vector<std::size_t> last = last_reads(nest.body, results);
  Pressure pressure;
  std::vector<std::size_t> ends;  // of the values that are held
  for (std::uint32_t n = 0; n < nest.body.size(); ++n) {
    if (!needed[n]) continue;
    if (uniform[n]) {
      ++pressure.splats;
      continue;
    }
    std::erase_if(ends, [n](std::size_t end) { return end <= n; });
    ends.push_back(last[n]);
    pressure.vectors = std::max(pressure.vectors, ends.size());
  }
  return pressure;
}

bool computes_in_single(const Body& body) {
  return std::any_of(body.begin(), body.end(), [](const Instr& instr) { return instr.element == Element::single; });
}

unsigned lanes_of_register(const KernelFunction& f, const Nest& nest) {
  return std::min(kernel_lanes, vector_bytes(f.target().isa) / (computes_in_single(nest.body) ? 4 : 8));
}

}  // namespace

unsigned masked_lanes_together(const KernelFunction& f, const Nest& nest) {
  return f.target().isa == VectorIsa::avx512f ? lanes_together(f, nest) : lanes_of_register(f, nest);
}

unsigned lanes_together(const KernelFunction& f, const Nest& nest) {
  const std::size_t machine = f.target().isa == VectorIsa::avx512f ? 32 : 16;
  const unsigned lanes = lanes_of_register(f, nest);
  if (lanes >= kernel_lanes) return kernel_lanes;
  const Pressure pressure = pressure_of(f.kernel(), nest);
  const std::size_t registers = kernel_lanes / lanes;
  const std::size_t wanted = (pressure.vectors + nest.reductions.size()) * registers + pressure.splats;
  return wanted <= machine ? kernel_lanes : lanes;
}

}  // namespace lac::codegen
