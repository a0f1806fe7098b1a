#include "ir/kernel/kernel.h"

#include <algorithm>

namespace lac {
namespace {

void for_each_size(const AffineIndex& index, const std::function<void(const Size&)>& visit) {
  for (const Size* size : {&index.base, &index.i, &index.j, &index.k, &index.amount}) visit(*size);
}

void for_each_size(const AccessMap& map, const std::function<void(const Size&)>& visit) {
  for_each_size(map.row, visit);
  for_each_size(map.col, visit);
}

void for_each_size(const Type& type, const std::function<void(const Size&)>& visit) {
  visit(type.rows);
  visit(type.cols);
  for (const Size& offset : type.offsets) visit(offset);
}

void for_each_size(const Body& body, const std::function<void(const Size&)>& visit) {
  for (const Instr& instr : body) {
    if (instr.kind == InstrKind::size) visit(instr.size);
    if (is_load(instr)) for_each_size(instr.map, visit);
  }
}

void for_each_size(const Nest& nest, const std::function<void(const Size&)>& visit) {
  visit(nest.rows);
  visit(nest.cols);
  if (nest.contraction) {
    visit(nest.contraction->extent);
    visit(nest.contraction->reach);
    for_each_size(nest.contraction->prologue, visit);
  }
  for_each_size(nest.body, visit);
  for (const Store& store : nest.stores) for_each_size(store.map, visit);
}

}  // namespace

AccessMap AccessMap::identity() {
  AccessMap map;
  map.row.i = 1;
  map.col.j = 1;
  return map;
}

AccessMap AccessMap::scalar() { return {}; }

std::vector<const Nest*> nests(const Kernel& kernel) {
  std::vector<const Nest*> all;
  for (const Nest& nest : kernel.ahead) all.push_back(&nest);
  all.push_back(&kernel);
  return all;
}

bool is_one_point(const Kernel& kernel) {
  const bool sums = kernel.contraction || !kernel.reductions.empty();
  const bool dense = std::ranges::all_of(kernel.inputs, [](const KernelInput& each) { return each.type.is_dense(); });
  return kernel.ahead.empty() && kernel.rows.is(1) && kernel.cols.is(1) && !sums && dense;
}

bool is_load(const Instr& instr) { return instr.kind == InstrKind::load || instr.kind == InstrKind::reload; }

const Type& loaded_type(const Kernel& kernel, const Instr& instr) {
  return instr.kind == InstrKind::reload ? kernel.outputs[instr.argument].type : kernel.inputs[instr.argument].type;
}

Axis effective_axis(const Kernel& kernel, Axis axis) {
  if (axis == Axis::rows && kernel.cols.is(1)) return Axis::all;
  if (axis == Axis::cols && kernel.rows.is(1)) return Axis::all;
  return axis;
}

void for_each_size(const Kernel& kernel, const std::function<void(const Size&)>& visit) {
  visit(kernel.rows);
  visit(kernel.cols);
  for (const KernelInput& input : kernel.inputs) for_each_size(input.type, visit);
  for (const KernelOutput& output : kernel.outputs) for_each_size(output.type, visit);
  for (const Nest* nest : nests(kernel)) for_each_size(*nest, visit);
  visit(kernel.schedule.width);
}

}  // namespace lac
