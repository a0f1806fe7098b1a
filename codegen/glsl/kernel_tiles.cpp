#include "codegen/glsl/kernel_tiles.h"

#include <algorithm>

#include "codegen/glsl/product.h"

namespace lac::codegen::glsl {
namespace {

bool is_narrow(const Size& size) { return size.is_constant() && size.constant() < tile_side / 2; }

/// Points that are neighbours along j are neighbours in memory.
bool runs_along_rows(const AccessMap& map) {
  if (map.row_gather || map.col_gather) return false;
  const Size& step = map.row.j;
  const bool contiguous = step.is(1) || step.is(-1);
  return contiguous && (map.linear ? !map.row.i.is(0) : map.row.i.is(0) && map.col.j.is(0));
}

bool order_matters(const Kernel& kernel) {
  const auto has_position = [](const KernelReduction& r) { return r.index_output >= 0; };
  const auto scatters = [](const Store& s) { return s.map.row_gather.valid() || s.map.col_gather.valid(); };
  return std::any_of(kernel.reductions.begin(), kernel.reductions.end(), has_position) ||
         std::any_of(kernel.stores.begin(), kernel.stores.end(), scatters);
}

}  // namespace

bool walks_in_tiles(const Kernel& kernel) {
  if (is_narrow(kernel.rows) || is_narrow(kernel.cols) || kernel.contraction || order_matters(kernel)) return false;
  const auto load = [](const Instr& instr) { return instr.kind == InstrKind::load && runs_along_rows(instr.map); };
  const auto store = [](const Store& s) { return runs_along_rows(s.map); };
  return std::any_of(kernel.body.begin(), kernel.body.end(), load) ||
         std::any_of(kernel.stores.begin(), kernel.stores.end(), store);
}

std::array<GroupCount, 3> emit_point_tiles(StageWriter& writer, const KernelContext& context, bool reduces,
                                           const Visit& visit) {
  const std::string side = std::to_string(tile_side), thread = lane(writer);
  const std::string points = std::to_string(tile_side * tile_side), at = writer.local("in_tile");
  const std::string row = writer.local("tile_row"), column = writer.local("tile_column");
  const auto tiles = [&](const std::string& first, const std::string& axis, const Size& extent) {
    writer.open_loop("for (int " + first + " = int(gl_WorkGroupID." + axis + ") * " + side + "; " + first + " < " +
                         writer.size(extent) + "; " + first + " += int(gl_NumWorkGroups." + axis + ") * " + side + ")",
                     TurnCount::strided(extent, tile_side, axis == "y" ? 1 : 0));
  };
  tiles(column, "y", context.kernel.cols);
  tiles(row, "x", context.kernel.rows);
  const std::int64_t invocations = writer.options().workgroup;
  writer.open_loop("for (int " + at + " = " + thread + "; " + at + " < " + points + "; " + at +
                       " += " + std::to_string(invocations) + ")",
                   TurnCount::constant((tile_side * tile_side + invocations - 1) / invocations));
  writer.line("const int i = " + row + " + " + at + " % " + side + ", j = " + column + " + " + at + " / " + side + ";");
  writer.open("if (i < " + writer.size(context.kernel.rows) + " && j < " + writer.size(context.kernel.cols) + ")");
  visit({.i = "i", .j = "j", .k = "0", .flat = ""}, {});
  for (int blocks = 0; blocks < 4; ++blocks) writer.close();
  return tile_groups(context, reduces, tile_side, tile_side);
}

}  // namespace lac::codegen::glsl
