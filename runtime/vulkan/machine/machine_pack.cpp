// What a run does otherwise while its commands are taken for a shader pack (pack/pack.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/plan/device_steps.h"
#include "runtime/vulkan/machine/machine.h"
#include "runtime/vulkan/pack/pack.h"

namespace lac::runtime::vulkan {

void Machine::refuse_in_pack(const std::string& what) {
  stop(RunCode::error, "error: a shader pack cannot have this: " + what + ", and a pack runs without lac");
}

/// Whether the host has the value without a look at what kernels make.
bool Machine::is_here(ValueId id) const {
  const Value& found = value(id);
  if (!found.matrix) return known(id).has_value();
  return matrices_.is_on_host(*found.matrix) && !pack_inputs_.contains(found.matrix.get());
}

void Machine::refuse_host_step_in_pack(const Op& op) {
  if (op.kind == OpKind::output || std::ranges::all_of(op.operands, [&](ValueId id) { return is_here(id); })) return;
  refuse_in_pack("the " + step_name(op) + ", which has no shader for these operands");
}

void Machine::refuse_host_loop_in_pack(OpId id, ValueId goes_on) {
  if (!vulkan_.pack || is_here(goes_on)) return;
  const std::string& reason = plan_.loop(id).reason;
  refuse_in_pack("a loop whose end kernels decide, while the host drives it" +
                 (reason.empty() ? "" : " (" + reason + ")"));
}

void Machine::remark_in_pack(const std::string& text) {
  std::vector<std::string>& remarks = vulkan_.pack->pack().remarks;
  if (std::ranges::find(remarks, text) == remarks.end()) remarks.push_back(text);
}

bool Machine::leaves_text_to_pack() {
  if (vulkan_.pack) remark_in_pack("what the program prints and warns of");
  return vulkan_.pack != nullptr;
}

/// Whether there is nothing more to do for the op: inputs and outputs are the pack's, texts are nobody's, and what the
/// host would compute of numbers that it has not stays open.
bool Machine::is_left_to_pack(const Op& op) {
  switch (op.kind) {
    case OpKind::size:
    case OpKind::convert:
    case OpKind::map:
      if (is_known_in_pack(op)) return false;
      define(op.results[0], {.open = true});
      return true;
    case OpKind::parameter:
      if (plan_.type(op.results[0]).is_scalar()) return false;
      input_of_pack(op);
      return true;
    case OpKind::output: output_of_pack(op); return true;
    case OpKind::print:
    case OpKind::format:
    case OpKind::warn: return leaves_text_to_pack();
    case OpKind::check:
      if (const std::optional<double> holds = known(op.operands[0])) {
        if (*holds == 0 && vulkan_.pack->in_arm()) throw ArmEnds{attribute<Message>(op).format};
        return false;
      }
      remark_in_pack("checks of what kernels compute, outside of loops");
      return true;
    case OpKind::release: return false;
    default: break;
  }
  for (ValueId operand : op.operands)
    if (counted_.contains(operand))
      refuse_in_pack("the number of trips of a loop, which the device decides, is needed by the host here");
  return false;
}

/// Whether the host has all that the scalar op works on. What it makes else is nobody's to look at: a bound of a check,
/// a size that nothing has.
bool Machine::is_known_in_pack(const Op& op) const {
  bool all = true;
  const auto look = [&](ValueId id) { all = all && !counted_.contains(id) && known(id); };
  std::ranges::for_each(op.operands, look);
  if (op.kind == OpKind::size) for_each_value_in(plan_, attribute<Size>(op), look);
  return all;
}

/// On the device alone from the beginning, as far as matrices can be: whoever would read it on the host is refused.
void Machine::input_of_pack(const Op& op) {
  PackRecorder& pack = *vulkan_.pack;
  const ParameterIndex parameter = attribute<ParameterIndex>(op);
  const Tensor& tensor = parameters_[parameter.index];
  const MatrixRef matrix = matrices_.hold(tensor, form_of(plan_.values[op.results[0]]));
  const bool stays = tensor.storage() != Storage::dense;
  if (stays) pack_inputs_.insert(matrix.get());
  const std::vector<MatrixUse> uses = {{matrix, stays ? residency::Access::read : residency::Access::update}};
  pack.begin_input();
  matrices_.prepare(uses);
  pack.end_input();
  const MatrixResources resources = matrices_.resources(*matrix);
  for (const StorageArray& array : format(tensor.storage()).arrays) {
    if (matrix->parts()[array.role].bytes == 0) continue;
    const PackRange range = pack.range(resources[array.role].buffer);
    pack.pack().inputs.push_back({plan_.parameters[parameter.index].name, array.role, tensor.element(), tensor.rows(),
                                  tensor.cols(), range, pack.input_bytes(range)});
  }
  matrices_.finish(uses);
  define(op.results[0], {{}, {}, matrix, tensor.rows(), tensor.cols()});
}

void Machine::output_of_pack(const Op& op) {
  PackRecorder& pack = *vulkan_.pack;
  const ValueId id = op.operands[0];
  PackOutput output{attribute<std::string>(op), plan_.type(id).element, 1, 1, {}};
  if (const auto found = counted_.find(id); found != counted_.end()) {
    if (!std::isfinite(found->second.step))
      refuse_in_pack("the output '" + output.name + "' is a number that the host computes in every trip of a loop");
    output.counted = true;
    output.range = pack.range(found->second.state);
    output.first = found->second.first;
    output.step = found->second.step;
  } else if (const Value& held = value(id); held.matrix) {
    if (held.matrix->type().storage != Storage::dense) refuse_in_pack("the output '" + output.name + "' is sparse");
    const std::vector<MatrixUse> uses = {{held.matrix, residency::Access::read}};
    matrices_.prepare(uses);
    output.rows = held.rows;
    output.cols = held.cols;
    if (held.matrix->stored() > 0) output.range = pack.range(matrices_.resources(*held.matrix).values().buffer);
    matrices_.finish(uses);
  } else {
    output.range = pack.range(scalars_.range(*scalar(id)));
  }
  pack.pack().outputs.push_back(std::move(output));
  pack_outputs_.push_back(value(id));
  drop_taken_over(op);
}

}  // namespace lac::runtime::vulkan
