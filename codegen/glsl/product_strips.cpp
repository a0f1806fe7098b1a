#include <algorithm>
#include <bit>

#include "codegen/glsl/product.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::int64_t row_lanes = 32;        // neighbouring rows: as many as one line of memory has floats
constexpr std::int64_t narrowest_result = 8;  // columns of a result below which tiles would be mostly empty

/// How the invocations of a workgroup share out a strip.
struct Strip {
  std::int64_t rows, slices;
  bool along_k;  ///< neighbouring invocations have neighbouring k

  /// The step between invocations that hold parts of one row.
  std::int64_t slice_step() const { return along_k ? 1 : rows; }
  std::string row_of(const std::string& lane) const {
    return along_k ? lane + " / " + std::to_string(slices) : lane + " % " + std::to_string(rows);
  }
  std::string slice_of(const std::string& lane) const {
    if (rows == 1) return lane;
    return along_k ? lane + " % " + std::to_string(slices) : lane + " / " + std::to_string(rows);
  }
};

Strip choose_strip(const KernelContext& context) {
  const Contraction& contraction = *context.kernel.contraction;
  const auto invocations = static_cast<std::int64_t>(context.options.workgroup);
  const bool along_k = k_is_contiguous(contraction.prologue, contraction.value, Axis::rows);
  std::int64_t slices = along_k ? invocations : std::max<std::int64_t>(1, invocations / row_lanes);
  if (contraction.extent.is_constant()) {
    const auto extent = static_cast<std::uint64_t>(std::clamp<std::int64_t>(contraction.extent.constant(), 1, slices));
    slices = std::min(slices, static_cast<std::int64_t>(std::bit_ceil(extent)));
  }
  return {invocations / slices, slices, along_k};
}

class StripEmitter {
 public:
  StripEmitter(StageWriter& writer, const KernelContext& context)
      : writer_(writer), context_(context), strip_(choose_strip(context)) {}

  std::array<GroupCount, 3> run(const Visit& visit) {
    const Kernel& kernel = context_.kernel;
    const std::string rows = strip_.rows == 1 ? "" : " * " + std::to_string(strip_.rows);
    const std::string lane = glsl::lane(writer_), row = writer_.local("row"), slice = writer_.local("slice");
    const std::string first = writer_.local("first_row");
    if (strip_.rows > 1) writer_.head("const int " + row + " = " + strip_.row_of(lane) + ";");
    writer_.head("const int " + slice + " = " + strip_.slice_of(lane) + ";");
    const bool matrix = !kernel.cols.is(1);
    if (matrix)
      writer_.open("for (int j = int(gl_WorkGroupID.y); j < " + writer_.size(kernel.cols) +
                   "; j += int(gl_NumWorkGroups.y))");
    writer_.open("for (int " + first + " = int(gl_WorkGroupID.x)" + rows + "; " + first + " < " +
                 writer_.size(kernel.rows) + "; " + first + " += int(gl_NumWorkGroups.x)" + rows + ")");
    writer_.line("const int i = " + first + (strip_.rows == 1 ? "" : " + " + row) + ";");
    strip(lane, slice, {.i = "i", .j = matrix ? "j" : "0", .k = "k", .flat = matrix ? "" : "i"}, visit);
    writer_.close();
    if (matrix) writer_.close();
    return tile_groups(context_, !kernel.reductions.empty(), strip_.rows, 1);
  }

 private:
  void strip(const std::string& lane, const std::string& slice, const Point& point, const Visit& visit) {
    const Contraction& contraction = *context_.kernel.contraction;
    const std::string type(register_type(contraction.element)), zero = literal_text(0, contraction.element);
    const std::string sum = writer_.local("part");
    const std::string inside = "i < " + writer_.size(context_.kernel.rows);
    writer_.line("precise " + type + " " + sum + " = " + zero + ";");
    writer_.open("if (" + inside + ")");
    writer_.open("for (int k = " + slice + "; k < " + writer_.size(contraction.extent) +
                 "; k += " + std::to_string(strip_.slices) + ")");
    TermEmitter(writer_, context_).add(sum, point, {}, {});
    writer_.close();
    writer_.close();
    const std::string total = strip_.slices > 1 ? tree(lane, slice, sum) : sum;
    writer_.open("if (" + (strip_.slices > 1 ? slice + " == 0 && " : "") + inside + ")");
    const std::string c = writer_.local("product");
    writer_.line("const " + type + " " + c + " = " + total + ";");
    visit(point, c);
    writer_.close();
    if (strip_.slices > 1) writer_.line("barrier();");
  }

  /// Where the sum of an invocation's row is, for those of slice 0.
  std::string tree(const std::string& lane, const std::string& slice, const std::string& sum) {
    const std::string parts = writer_.local("parts"), half = writer_.local("half_count");
    writer_.declare("shared " + std::string(register_type(context_.kernel.contraction->element)) + " " + parts + "[" +
                    std::to_string(context_.options.workgroup) + "];");
    const std::string mine = parts + "[" + lane + "]";
    const std::string step = strip_.slice_step() == 1 ? half : half + " * " + std::to_string(strip_.slice_step());
    writer_.line(mine + " = " + sum + ";");
    writer_.line("barrier();");
    writer_.open("for (int " + half + " = " + std::to_string(strip_.slices / 2) + "; " + half + " > 0; " + half +
                 " /= 2)");
    writer_.line("if (" + slice + " < " + half + ") " + mine + " += " + parts + "[" + lane + " + " + step + "];");
    writer_.line("barrier();");
    writer_.close();
    return mine;
  }

  StageWriter& writer_;
  const KernelContext& context_;
  const Strip strip_;
};

}  // namespace

std::optional<Factors> matrix_factors(const Kernel& kernel) {
  const auto narrow = [](const Size& size) { return size.is_constant() && size.constant() <= narrowest_result; };
  if (kernel.contraction->storage != Storage::dense || narrow(kernel.rows) || narrow(kernel.cols)) return std::nullopt;
  return separate_factors(*kernel.contraction);
}

std::array<GroupCount, 3> emit_strips(StageWriter& writer, const KernelContext& context, const Visit& visit) {
  return StripEmitter(writer, context).run(visit);
}

// With reductions every workgroup leaves a partial result, so there are at most max_groups: all of them along the one
// axis of a vector, else its square root along each.
std::array<GroupCount, 3> tile_groups(const KernelContext& context, bool reduces, std::int64_t tile_rows,
                                      std::int64_t tile_cols) {
  constexpr std::int64_t most_groups = 65535;  // along an axis, of any device
  const Kernel& kernel = context.kernel;
  const bool vector = kernel.cols.is(1);
  const std::int64_t cap = context.options.max_groups;
  std::int64_t side = 1;
  while ((side + 1) * (side + 1) <= cap) ++side;
  const std::int64_t most_x = !reduces ? most_groups : vector ? cap : side;
  const std::int64_t most_y = !reduces ? most_groups : vector ? 1 : side;
  const std::int64_t least = reduces ? 1 : 0;
  return {{{kernel.rows, tile_rows, least, most_x}, {kernel.cols, tile_cols, least, most_y}, {1, 1, 0, 0}}};
}

}  // namespace lac::codegen::glsl
