#include "codegen/glsl/kernel/tiles.h"

#include "codegen/glsl/kernel/product.h"

namespace lac::codegen::glsl {
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
  const std::int64_t invocations = workgroup_size;
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
