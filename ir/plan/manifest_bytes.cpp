// The byte form of a manifest (ir/plan/archive.h).
#include "ir/plan/archive.h"
#include "ir/plan/manifest.h"

namespace lac {
namespace archive {

LAC_DESCRIBE(StepOperand, value.element, value.storage, value.scalar, value.offsets)
LAC_DESCRIBE(Step, value.kind, value.location, value.attribute, value.operands, value.results, value.loop,
             value.takes_over)
LAC_DESCRIBE(LoopEntry, value.location, value.info)
LAC_DESCRIBE(SlotSize, value.constant, value.slot)
LAC_DESCRIBE(KernelResult, value.name, value.element, value.rows, value.cols, value.slot)
LAC_DESCRIBE(abi::Work, value.matrix_read, value.vector_read, value.matrix_written, value.vector_written, value.flops)
LAC_DESCRIBE(KernelEntry, value.name, value.locations, value.loop, value.partials_slot, value.partial_count,
             value.results, value.spread, value.slices, value.has_seams, value.work_in_place)
LAC_DESCRIBE(Manifest, value.name, value.precision, value.parameters, value.symbols, value.outputs, value.steps,
             value.loops, value.kernels, value.locations, value.sources, value.host_data)

}  // namespace archive

namespace {

constexpr std::string_view signature = "lac manifest 6\n";

}  // namespace

std::string to_bytes(const Manifest& manifest) { return archive::written(signature, manifest); }

Result<Manifest> manifest_from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(signature)) return Failure{"not a manifest of this version of lac"};
  std::optional<Manifest> manifest = archive::read<Manifest>(signature, bytes);
  if (!manifest) return Failure{"damaged manifest"};
  return *std::move(manifest);
}

}  // namespace lac
