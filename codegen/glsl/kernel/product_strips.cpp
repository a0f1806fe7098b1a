#include <algorithm>
#include <bit>
#include <optional>

#include "codegen/glsl/kernel/product.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::int64_t most_groups = 4096;  // where a workgroup's rows are only known when it runs
constexpr std::int64_t most_groups_of_neighbours = 8192;

/// How the invocations of a workgroup share out a strip: each row is summed in that many slices.
struct Strip {
  bool along_k = false;          ///< neighbouring invocations have neighbouring k
  std::string slices;            ///< an int expression, the same in all invocations; a power of two
  std::int64_t group_rows = 1;   ///< rows for each workgroup that is launched
  std::int64_t most_groups = 0;  ///< 0: no limit of its own
  std::int64_t fewest_slices = 1;
  std::int64_t most_slices = 1;
  bool neighbours = false;  ///< a workgroup's strips lie side by side, so that what they gather is near
};

std::string text(std::int64_t number) { return std::to_string(number); }

Strip fixed_strip(const GroupSums& sums, std::int64_t slices) {
  return {sums.along_k, text(slices), workgroup_size / slices, 0, slices, slices};
}

/// The slices that the schedule leaves to the run: the more the longer the sums are.
Strip chosen_strip(StageWriter& writer, const KernelContext& context, const GroupSums& sums) {
  const Contraction& contraction = *context.kernel.contraction;
  const std::string fewest = text(sums.fewest), most = text(sums.most);
  if (contraction.storage == Storage::dense) {
    const std::string is_short = writer.size(contraction.extent) + " < " + text(long_sum);
    return {sums.along_k, is_short + " ? " + fewest + " : " + most, sums.rows, most_groups, sums.fewest, sums.most};
  }
  // As many as keep the invocations busy with rows of average length.
  const std::string rows = writer.size(context.kernel.rows), mean = writer.local("mean_entries");
  writer.head("const int " + mean + " = " + row_pointer(writer, context, rows) + " / max(" + rows + ", 1);");
  const std::string together = context.options.coalesces
                                   ? mean + " < 3 ? 1 : " + mean + " < 6 ? 2 : " + mean + " < 12 ? 4 : " + mean +
                                         " < 24 ? 8 : " + mean + " < 48 ? 16 : "
                                   : mean + " < 16 ? " + fewest + " : " + mean + " < 64 ? 8 : ";
  const std::string slices = together + most;
  const std::int64_t most_groups = context.options.coalesces ? most_groups_of_neighbours : 0;
  return {sums.along_k, slices, sums.rows, most_groups, sums.fewest, sums.most, context.options.coalesces};
}

Strip strip_of(StageWriter& writer, const KernelContext& context) {
  const GroupSums& sums = context.kernel.schedule.groups.sums;
  if (!context.part.empty()) return fixed_strip(sums, sums.of_parts);
  return sums.fewest == sums.most ? fixed_strip(sums, sums.most) : chosen_strip(writer, context, sums);
}

class StripEmitter {
 public:
  StripEmitter(StageWriter& writer, const KernelContext& context)
      : writer_(writer),
        context_(context),
        strip_(strip_of(writer, context)),
        lane_(lane(writer)),
        slices_(writer.local("slices")),
        strip_rows_(writer.local("strip_rows")),
        row_(writer.local("row")),
        slice_(writer.local("slice")) {}

  std::array<GroupCount, 3> run(const Visit& visit) {
    const Kernel& kernel = context_.kernel;
    head();
    const bool matrix = !kernel.cols.is(1);
    if (matrix)
      writer_.open_loop(
          "for (int j = int(gl_WorkGroupID.y); j < " + writer_.size(kernel.cols) + "; j += int(gl_NumWorkGroups.y))",
          TurnCount::strided(kernel.cols, 1, 1));
    const std::string first = writer_.local("first_row"), rows = writer_.size(kernel.rows);
    const std::string begin = "int(gl_WorkGroupID.x) * ", groups_number = "int(gl_NumWorkGroups.x)";
    const TurnCount turns = TurnCount::strided(kernel.rows, invocations_number() / strip_.most_slices);
    if (strip_.neighbours) {
      const std::string share = writer_.local("group_rows");
      writer_.head("const int " + share + " = " + rounded_share(rows, groups_number, strip_rows_) + ";");
      writer_.open_loop("for (int " + first + " = " + begin + share + "; " + first + " < min(" + rows + ", " + begin +
                            share + " + " + share + "); " + first + " += " + strip_rows_ + ")",
                        turns);
    } else {
      writer_.open_loop("for (int " + first + " = " + begin + strip_rows_ + "; " + first + " < " + rows + "; " + first +
                            " += " + groups_number + " * " + strip_rows_ + ")",
                        turns);
    }
    writer_.line("const int i = " + first + " + " + row_ + ";");
    strip({.i = "i", .j = matrix ? "j" : "0", .k = "k", .flat = matrix ? "" : "i"}, visit);
    writer_.close();
    if (matrix) writer_.close();
    return groups();
  }

 private:
  static std::int64_t invocations_number() { return workgroup_size; }
  std::string invocations() const { return text(invocations_number()); }

  /// How many slices a row has is only known when the stage runs, and the more the fewer turns each of them makes: the
  /// rows of a workgroup that are summed one after the other, times the terms of a slice, are the same but for what
  /// both are rounded up by. Nothing where the number is fixed.
  std::optional<std::vector<LoopTurns>> turns_in_all() const {
    if (strip_.fewest_slices == strip_.most_slices) return std::nullopt;
    const Kernel& kernel = context_.kernel;
    const Contraction& contraction = *kernel.contraction;
    const bool dense = contraction.storage == Storage::dense;
    std::vector<LoopTurns> loops = {{TurnCount::strided(kernel.rows, invocations_number() / strip_.most_slices)}};
    if (dense) {
      loops.push_back({TurnCount::strided(kernel.rows * contraction.extent, invocations_number())});
      loops.push_back({TurnCount::constant(long_sum / strip_.fewest_slices)});
      loops.push_back({TurnCount::over(contraction.extent, strip_.most_slices)});
    } else {
      loops.push_back({TurnCount::strided(kernel.rows, invocations_number()), TurnCount::row(contraction.matrix)});
    }
    if (!kernel.cols.is(1))
      for (LoopTurns& loop : loops) loop.insert(loop.begin(), TurnCount::strided(kernel.cols, 1, 1));
    return loops;
  }

  void head() {
    writer_.head("const int " + slices_ + " = " + strip_.slices + ";");
    writer_.head("const int " + strip_rows_ + " = " + invocations() + " / " + slices_ + ";");
    const auto& [row, slice] = strip_.along_k ? std::pair(" / " + slices_, " % " + slices_)
                                              : std::pair(" % " + strip_rows_, " / " + strip_rows_);
    writer_.head("const int " + row_ + " = " + lane_ + row + ", " + slice_ + " = " + lane_ + slice + ";");
  }

  std::array<GroupCount, 3> groups() const {
    const bool reduces = !context_.kernel.reductions.empty();
    std::array<GroupCount, 3> groups = tile_groups(context_, reduces, strip_.group_rows, 1);
    if (strip_.most_groups > 0) groups[0].most = std::min(groups[0].most, strip_.most_groups);
    return groups;
  }

  void strip(const Point& point, const Visit& visit) {
    const Contraction& contraction = *context_.kernel.contraction;
    const std::string type(register_type(contraction.element)), zero = literal_text(0, contraction.element);
    const std::string sum = writer_.local("part");
    const std::string inside = "i < " + writer_.size(context_.kernel.rows);
    writer_.line("precise " + type + " " + sum + " = " + zero + ";");
    writer_.open("if (" + inside + ")");
    emit_terms(writer_, context_, sum, point, {slice_, slices_, strip_.fewest_slices, turns_in_all()});
    writer_.close();
    tree(sum);
    writer_.open("if (" + slice_ + " == 0 && " + inside + ")");
    const std::string c = writer_.local("product");
    writer_.line("const " + type + " " + c + " = " + sum + ";");
    visit(point, c);
    writer_.close();
  }

  /// Adds the slices up: afterwards the `sum` of slice 0 is the row's.
  void tree(const std::string& sum) {
    const std::string name = writer_.local("parts"), half = writer_.local("half_count");
    const std::string_view type = register_type(context_.kernel.contraction->element);
    const std::string parts = writer_.shared_array(name, type, invocations_number());
    const std::string mine = parts + "[" + lane_ + "]";
    writer_.open("if (" + slices_ + " > 1)");
    writer_.line(mine + " = " + sum + ";");
    writer_.line("barrier();");
    writer_.open_loop("for (int " + half + " = " + slices_ + " / 2; " + half + " > 0; " + half + " /= 2)",
                      TurnCount::constant(std::bit_width(static_cast<std::uint64_t>(strip_.most_slices)) - 1));
    writer_.line("if (" + slice_ + " < " + half + ") " + mine + " += " + parts + "[" + lane_ + " + " + half +
                 (strip_.along_k ? "" : " * " + strip_rows_) + "];");
    writer_.line("barrier();");
    writer_.close();
    writer_.line(sum + " = " + mine + ";");
    writer_.line("barrier();");
    writer_.close();
  }

  StageWriter& writer_;
  const KernelContext& context_;
  const Strip strip_;
  const std::string lane_, slices_, strip_rows_, row_, slice_;
};

}  // namespace

std::array<GroupCount, 3> emit_strips(StageWriter& writer, const KernelContext& context, const Visit& visit) {
  return StripEmitter(writer, context).run(visit);
}

// With reductions every workgroup leaves a partial result, so there are at most max_groups: all of them along the one
// axis of a vector, else its square root along each.
std::array<GroupCount, 3> tile_groups(const KernelContext& context, bool reduces, std::int64_t tile_rows,
                                      std::int64_t tile_cols) {
  constexpr std::int64_t most = 65535;  // along an axis, of any device
  const Kernel& kernel = context.kernel;
  const bool vector = kernel.cols.is(1);
  const std::int64_t cap = context.options.max_groups;
  std::int64_t side = 1;
  while ((side + 1) * (side + 1) <= cap) ++side;
  const std::int64_t most_x = !reduces ? most : vector ? cap : side;
  const std::int64_t most_y = !reduces ? most : vector ? 1 : side;
  const std::int64_t least = reduces ? 1 : 0;
  return {{{kernel.rows, tile_rows, least, most_x}, {kernel.cols, tile_cols, least, most_y}, {1, 1, 0, 0}}};
}

}  // namespace lac::codegen::glsl
