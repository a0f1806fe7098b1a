#include "codegen/glsl/program/fragment_blocks.h"

#include "codegen/glsl/kernel/contraction_parts.h"
#include "codegen/glsl/text/packed.h"
#include "ir/kernel/factors.h"

namespace lac::codegen::glsl {
namespace {

enum class Coordinate : std::uint8_t { i, j, k, other };

/// The coordinate that the index is, and nothing else.
Coordinate coordinate_of(const AffineIndex& index) {
  AffineIndex plain;
  for (const auto& [member, coordinate] : {std::pair(&AffineIndex::i, Coordinate::i),
                                           {&AffineIndex::j, Coordinate::j},
                                           {&AffineIndex::k, Coordinate::k}}) {
    plain = {};
    plain.*member = 1;
    if (index == plain) return coordinate;
  }
  return Coordinate::other;
}

/// How a factor is read: true where it is transposed, `along` and k its rows and columns else; nothing where it is
/// anything but the matrix.
std::optional<bool> transposed(const Kernel& kernel, InstrId factor, Coordinate along, bool k_is_row) {
  const Instr& instr = kernel.contraction->prologue[factor];
  if (instr.kind != InstrKind::load || instr.map.linear || instr.map.row_gather || instr.map.col_gather ||
      instr.map.out_of_range != OutOfRange::impossible)
    return std::nullopt;
  const Type& type = kernel.inputs[instr.argument].type;
  if (!type.is_dense() || type.is_scalar() || type.element != Element::single) return std::nullopt;
  const Coordinate row = coordinate_of(instr.map.row), col = coordinate_of(instr.map.col);
  const bool is_vector = along == Coordinate::j && kernel.cols.is(1);  // a column, or a row under another name
  if (is_vector && row == Coordinate::k && instr.map.col == AffineIndex{}) return false;
  if (is_vector && col == Coordinate::k && instr.map.row == AffineIndex{} && type.rows.is(1)) return false;
  if (row == Coordinate::k && col == along) return !k_is_row;
  if (row == along && col == Coordinate::k) return k_is_row;
  return std::nullopt;
}

std::string texel(const std::string& matrix, const std::string& element) {
  return "texelFetch(" + matrix + ", lac_place((" + element + ") >> 2), 0)";
}

}  // namespace

std::optional<BlockProduct> block_product(const Kernel& kernel) {
  if (!kernel.contraction || kernel.contraction->storage != Storage::dense ||
      kernel.contraction->element != Element::single)
    return std::nullopt;
  const std::optional<Factors> factors = factors_of(*kernel.contraction);
  if (!factors) return std::nullopt;
  const std::optional<bool> left = transposed(kernel, factors->left, Coordinate::i, false),
                            right = transposed(kernel, factors->right, Coordinate::j, true);
  if (!left || !right) return std::nullopt;
  const Body& terms = kernel.contraction->prologue;
  return BlockProduct{terms[factors->left].argument, terms[factors->right].argument, *left, *right};
}

std::string has_blocks(StageWriter& pass, const Kernel& kernel) {
  return "(" + pass.size(kernel.rows) + " & 3) == 0 && (" + pass.size(kernel.contraction->extent) + " & 3) == 0";
}

void emit_blocks(StageWriter& pass, const KernelContext& context, const BlockProduct& product, const std::string& sum) {
  const Kernel& kernel = context.kernel;
  const auto matrix = [&](std::uint32_t input) {
    return pass.texture(ResourceKind::values, input, kernel.inputs[input].name);
  };
  const auto rows = [&](std::uint32_t input) { return pass.size(kernel.inputs[input].type.rows); };
  const std::string left = matrix(product.left), right = matrix(product.right), m = pass.size(kernel.rows);
  pass.declare("lac_packed", std::string(packed_functions));
  pass.open("if (4 * texel < " + pass.size(kernel.rows * kernel.cols) + ")");
  pass.line("const int i = 4 * texel % " + m + ", j = 4 * texel / " + m + ";");
  const PartRange range = emit_part_range(pass, context, "0", pass.size(kernel.contraction->extent));
  pass.open_loop("for (int k = " + range.first + "; k < " + range.end + "; k += 4)", part_turns(context, 4));
  if (product.right_transposed) {
    std::string elements;
    for (int c = 0; c < 4; ++c)
      elements += (c == 0 ? "" : ", ") +
                  ("lac_packed(" + right + ", j + " + rows(product.right) + " * (k + " + std::to_string(c) + "))");
    pass.line("const vec4 b = vec4(" + elements + ");");
  } else {
    pass.line("const vec4 b = " + texel(right, "k + " + rows(product.right) + " * j") + ";");
  }
  for (int c = 0; c < 4; ++c) {
    const std::string at = std::to_string(c);
    if (product.left_transposed)  // four of a row
      pass.line("const vec4 a" + at + " = " + texel(left, "k + " + rows(product.left) + " * (i + " + at + ")") + ";");
    else
      pass.line(sum + " = fma(" + texel(left, "i + " + m + " * (k + " + at + ")") + ", vec4(b[" + at + "]), " + sum +
                ");");
  }
  for (int c = 0; product.left_transposed && c < 4; ++c) {
    const std::string at = "[" + std::to_string(c) + "]";
    pass.line(sum + " = fma(vec4(a0" + at + ", a1" + at + ", a2" + at + ", a3" + at + "), vec4(b" + at + "), " + sum +
              ");");
  }
  pass.close();
  pass.close();
}

}  // namespace lac::codegen::glsl
