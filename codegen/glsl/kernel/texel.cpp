#include "codegen/glsl/kernel/texel.h"

#include "ir/plan/texel.h"

namespace lac::codegen::glsl {
namespace {

/// "ivec2(...)" of texel number `texel` (a name) in a folded image.
std::string folded_place(const std::string& texel) {
  static_assert(texel_fold == 4096);
  return "ivec2(" + texel + " & 4095, " + texel + " >> 12)";
}

std::string matrix_helper() {
  return "float lac_texel(sampler2D values, int row, int col) {\n"
         "  return texelFetch(values, ivec2(col, row >> 2), 0)[row & 3];\n"
         "}";
}

std::string vector_helper() {
  return "float lac_folded(sampler2D values, int e) {\n"
         "  const int texel = e >> 2;\n"
         "  return texelFetch(values, " +
         folded_place("texel") +
         ", 0)[e & 3];\n"
         "}";
}

std::string loop_over(const std::string& quads) {
  return "for (int q = int(gl_GlobalInvocationID.x); q < " + quads + "; q += int(gl_NumWorkGroups.x) * " +
         std::to_string(workgroup_size) + ")";
}

}  // namespace

std::string texel_element(StageWriter& writer, const KernelContext& context, std::uint32_t input,
                          const Position& position) {
  const KernelInput& matrix = context.kernel.inputs[input];
  const std::string texture = writer.texture(ResourceKind::values, input, matrix.name);
  if (folds(matrix.type)) {
    writer.declare("lac_folded", vector_helper());
    return "lac_folded(" + texture + ", " + position.index + ")";
  }
  writer.declare("lac_texel", matrix_helper());
  const std::string rows = writer.size(matrix.type.rows);
  const std::string row = position.row.empty() ? position.index + " % " + rows : position.row;
  const std::string col = position.row.empty() ? position.index + " / " + rows : position.col;
  return "lac_texel(" + texture + ", " + row + ", " + col + ")";
}

void emit_texel_store(StageWriter& writer, const KernelContext& context, std::uint32_t output, const std::string& place,
                      const std::string& texel) {
  const std::string image = writer.image(ResourceKind::output, output, context.kernel.outputs[output].name);
  writer.line("imageStore(" + image + ", " + place + ", " + texel + ");");
}

std::array<GroupCount, 3> emit_texels(StageWriter& writer, const KernelContext& context, bool reduces,
                                      const std::function<void()>& begin, const Visit& visit,
                                      const std::function<void(const std::string& place)>& end) {
  const Kernel& kernel = context.kernel;
  const bool folded = kernel.rows.is(1) || kernel.cols.is(1);
  const Size length = folded ? kernel.rows * kernel.cols : kernel.rows;  // what texels divide
  writer.head("const int texels = (" + writer.size(length) + " + 3) / 4;");
  // Every column begins a texel: up to three more elements each.
  const Size elements = folded ? length : kernel.rows * kernel.cols + Size(3) * kernel.cols;
  const std::int64_t per_group = 4 * std::int64_t{workgroup_size};
  writer.open_loop(loop_over(folded ? "texels" : "texels * " + writer.size(kernel.cols)),
                   TurnCount::strided(elements, per_group));
  if (!folded) writer.line("const int j = q / texels;");
  writer.line(std::string("const int first = 4 * ") + (folded ? "q;" : "(q % texels);"));
  begin();
  writer.open_loop("for (int part = 0; part < 4; ++part)", TurnCount::constant(4));
  const bool row = kernel.rows.is(1);
  const std::string along = row ? "j" : "i";
  writer.line("const int " + along + " = first + part;");
  writer.open("if (" + along + " < " + writer.size(length) + ")");
  if (folded) visit({.i = row ? "0" : "i", .j = row ? "j" : "0", .k = "k", .flat = along}, {});
  else visit({}, {});
  writer.close();
  writer.close();
  end(folded ? folded_place("q") : "ivec2(j, first >> 2)");
  writer.close();
  const std::int64_t most = reduces ? context.options.max_groups : most_groups;
  return {GroupCount{elements, per_group, reduces ? 1 : 0, most}, {}, {}};
}

}  // namespace lac::codegen::glsl
