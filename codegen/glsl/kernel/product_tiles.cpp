#include <bit>
#include <vector>

#include "codegen/glsl/kernel/contraction_parts.h"
#include "codegen/glsl/kernel/product.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::int64_t padding = 1;  // vectors between the rows of a panel, so that they begin in different banks
constexpr std::int64_t block = 4;    // elements of a block along each axis

std::string number(std::int64_t value) { return std::to_string(value); }

/// One factor's panel: `panel_depth` values of k by a tile's extent, in shared memory as [k][four neighbours].
struct Panel {
  InstrId factor;
  std::string name;
  std::string first;   ///< the variable with the tile's first row or column
  Size extent;         ///< of the domain along it
  std::int64_t fours;  ///< vectors along it: its extent / 4
  std::int64_t lanes;  ///< invocations along it: fours / blocks
  bool along_k;        ///< neighbouring invocations load neighbouring k
  bool left;
};

/// Where a workgroup has the shared memory for the panels of four blocks, beside what reductions take, and the result
/// is not known to be narrower than a tile of single blocks.
bool has_room_for_blocks(const KernelContext& context) {
  constexpr std::uint32_t panels = 2 * panel_depth * (2 * 16 + padding) * 16, others = 4096;
  const bool single = context.kernel.contraction->element == Element::single;
  const auto narrow = [](const Size& size) { return size.is_constant() && size.constant() <= 64; };
  if (narrow(context.kernel.rows) || narrow(context.kernel.cols)) return false;
  return context.options.coalesces && single && context.options.shared_bytes >= panels + others;
}

class TileEmitter {
 public:
  TileEmitter(StageWriter& writer, const KernelContext& context, const Factors& factors)
      : writer_(writer),
        context_(context),
        contraction_(*context.kernel.contraction),
        scalar_(register_type(contraction_.element)),
        vector_(contraction_.element == Element::single ? "vec4" : "dvec4"),
        blocks_(has_room_for_blocks(context) ? 2 : 1),
        invocations_(workgroup_size),
        lane_(lane(writer)),
        left_(make_panel(factors.left, true)),
        right_(make_panel(factors.right, false)) {}

  std::array<GroupCount, 3> run(const Visit& visit) {
    open_tiles(right_, "y");
    open_tiles(left_, "x");
    const std::string sums = sum_panels();
    visit_blocks(sums, visit);
    writer_.close();
    writer_.close();
    return tile_groups(context_, !context_.kernel.reductions.empty(), left_.fours * block, right_.fours * block);
  }

 private:
  Panel make_panel(InstrId factor, bool left) {
    const int bits = std::countr_zero(workgroup_size);
    const std::int64_t lanes = std::int64_t{1} << (left ? bits - bits / 2 : bits / 2), fours = lanes * blocks_;
    const std::string name = writer_.shared_array(writer_.local(left ? "left_panel" : "right_panel"), vector_,
                                                  panel_depth * (fours + padding));
    const bool along_k = k_is_contiguous(contraction_.prologue, factor, left ? Axis::rows : Axis::cols);
    const Kernel& kernel = context_.kernel;
    return {
        factor,  name, writer_.local(left ? "tile_row" : "tile_column"), left ? kernel.rows : kernel.cols, fours, lanes,
        along_k, left};
  }

  void open_tiles(const Panel& p, const std::string& axis) {
    const std::string tile = number(p.fours * block);
    writer_.open_loop("for (int " + p.first + " = int(gl_WorkGroupID." + axis + ") * " + tile + "; " + p.first + " < " +
                          writer_.size(p.extent) + "; " + p.first + " += int(gl_NumWorkGroups." + axis + ") * " + tile +
                          ")",
                      TurnCount::strided(p.extent, p.fours * block, p.left ? 0 : 1));
  }

  /// Over all values of k, or those of the part at hand, and one panel ahead: what the next turn sums is on its way
  /// while this one's is summed. Gives the text of where the values begin.
  std::string open_panels(const std::string& first) {
    std::string begin = "0", end = writer_.size(contraction_.extent);
    TurnCount turns = TurnCount::over(contraction_.extent + 2 * panel_depth, panel_depth);
    if (!context_.part.empty()) {
      const std::string part = part_length(writer_, context_);
      begin = context_.part + " * " + part;
      end = "min(" + end + ", " + begin + " + " + part + ")";
      turns = part_turns(context_, panel_depth / 2);  // and the turn ahead
    }
    // Without values there is nothing to fetch.
    writer_.open_loop("for (int " + first + " = " + begin + " - " + number(panel_depth) + "; " + first + " < " + end +
                          " && " + begin + " < " + end + "; " + first + " += " + number(panel_depth) + ")",
                      turns);
    return begin;
  }

  /// The name of the array of the blocks' columns, each a vector of its 4 rows: column q of the block that is number l
  /// along the left side and number r along the right one is at 4 * (l + blocks_ * r) + q.
  std::string sum_panels() {
    const std::string sums = writer_.local("sums"), first = writer_.local("first_k");
    const std::string zero = vector_ + "(" + literal_text(0, contraction_.element) + ")", count = number(columns());
    std::string zeros = zero;
    for (std::int64_t c = 1; c < columns(); ++c) zeros += ", " + zero;
    writer_.line("precise " + vector_ + " " + sums + "[" + count + "] = " + vector_ + "[" + count + "](" + zeros +
                 ");");
    const std::string begin = open_panels(first);
    std::vector<std::string> left, right;
    fetch_panel(left_, first, left);
    fetch_panel(right_, first, right);
    writer_.open("if (" + first + " >= " + begin + ")");
    add_panels(sums);
    writer_.close();
    writer_.line("barrier();");
    store_panel(left_, left);
    store_panel(right_, right);
    writer_.line("barrier();");
    writer_.close();
    return sums;
  }

  void add_panels(const std::string& sums) {
    const std::string n = writer_.local("depth");
    writer_.open_loop("for (int " + n + " = 0; " + n + " < " + number(panel_depth) + "; ++" + n + ")",
                      TurnCount::constant(panel_depth));
    std::vector<std::string> a, b;
    for (std::int64_t one = 0; one < blocks_; ++one) {
      a.push_back(panel_vector(left_, n, lane_ + " % " + number(left_.lanes), one));
      b.push_back(panel_vector(right_, n, lane_ + " / " + number(left_.lanes), one));
    }
    for (std::int64_t c = 0; c < columns(); ++c) {
      const std::string sum = sums + "[" + number(c) + "]";
      const auto l = static_cast<std::size_t>(c / block % blocks_), r = static_cast<std::size_t>(c / block / blocks_);
      writer_.line(sum + " = fma(" + a[l] + ", " + vector_ + "(" + b[r] + "." + "xyzw"[c % block] + "), " + sum + ");");
    }
    writer_.close();
  }

  /// Columns of all blocks of an invocation.
  std::int64_t columns() const { return block * blocks_ * blocks_; }

  std::string panel_vector(const Panel& p, const std::string& n, const std::string& lane, std::int64_t one) {
    const std::string name = writer_.local(p.left ? "left" : "right"), row = number(p.fours + padding);
    const std::string at = lane + (one == 0 ? "" : " + " + number(one * p.lanes));
    writer_.line("const " + vector_ + " " + name + " = " + p.name + "[" + n + " * " + row + " + " + at + "];");
    return name;
  }

  /// Vectors of a panel that an invocation loads.
  std::int64_t loads(const Panel& p) const { return panel_depth * p.fours / invocations_; }
  std::string load_number(std::int64_t load) const {
    return load == 0 ? lane_ : "(" + lane_ + " + " + number(load * invocations_) + ")";
  }
  std::string k_of(const Panel& p, const std::string& at) const {
    return p.along_k ? at + " % " + number(panel_depth) : at + " / " + number(p.fours);
  }
  std::string four_of(const Panel& p, const std::string& at) const {
    return p.along_k ? at + " / " + number(panel_depth) : at + " % " + number(p.fours);
  }

  // Of the panel behind `first`, into registers. Beyond the edges the last row, column or k is read again: what is
  // summed there is not used, but for k, where the factor counts as zero.
  void fetch_panel(const Panel& p, const std::string& first, std::vector<std::string>& values) {
    const std::string last_k = writer_.size(contraction_.extent) + " - 1";
    for (std::int64_t load = 0; load < loads(p); ++load) {
      const std::string at = load_number(load), k = writer_.local("k"), n = writer_.local("n");
      values.push_back(writer_.local(p.left ? "left_values" : "right_values"));
      writer_.line("const int " + k + " = " + first + " + " + number(panel_depth) + " + " + k_of(p, at) + ";");
      writer_.line(vector_ + " " + values.back() + ";");
      writer_.open_loop("for (int " + n + " = 0; " + n + " < 4; ++" + n + ")", TurnCount::constant(4));
      load_element(
          p, values.back() + "[" + n + "]",
          "min(" + p.first + " + 4 * (" + four_of(p, at) + ") + " + n + ", " + writer_.size(p.extent) + " - 1)", k,
          last_k);
      writer_.close();
    }
  }

  void store_panel(const Panel& p, const std::vector<std::string>& values) {
    for (std::size_t load = 0; load < values.size(); ++load) {
      const std::string at = load_number(static_cast<std::int64_t>(load)), row = number(p.fours + padding);
      writer_.line(p.name + "[(" + k_of(p, at) + ") * " + row + " + " + four_of(p, at) + "] = " + values[load] + ";");
    }
  }

  void load_element(const Panel& p, const std::string& target, const std::string& position, const std::string& k,
                    const std::string& last_k) {
    const std::string own = writer_.local(p.left ? "row" : "column"), safe_k = writer_.local("k");
    writer_.line("const int " + own + " = " + position + ", " + safe_k + " = min(" + k + ", " + last_k + ");");
    Point point{.i = "0", .j = "0", .k = safe_k, .flat = ""};
    (p.left ? point.i : point.j) = own;
    BodyEmitter body(writer_, context_, contraction_.prologue, {p.factor});
    body.evaluate(point, {});
    writer_.line(target + " = " + k + " <= " + last_k + " ? " + body.value_as(p.factor, contraction_.element).text +
                 " : " + literal_text(0, contraction_.element) + ";");
  }

  // Column q of a block of every invocation goes through shared memory, so that neighbouring invocations visit
  // neighbouring rows.
  void visit_blocks(const std::string& sums, const Visit& visit) {
    const std::string column = writer_.local("block_column"), at = writer_.local("visited"),
                      c = writer_.local("product"), q = column + " % 4";
    const std::string rows = number(left_.lanes * block), cols = number(right_.lanes * block), exchange = left_.name;
    writer_.open_loop("for (int " + column + " = 0; " + column + " < " + number(columns()) + "; ++" + column + ")",
                      TurnCount::constant(columns()));
    writer_.line(exchange + "[" + lane_ + "] = " + chosen(sums, column, 0, columns()) + ";");
    writer_.line("barrier();");
    writer_.open_loop("for (int " + at + " = " + lane_ + "; " + at + " < " + number(4 * invocations_) + "; " + at +
                          " += " + number(invocations_) + ")",
                      TurnCount::constant(4));
    const bool several = blocks_ > 1;
    const std::string down = several ? rows + " * (" + column + " / 4 % " + number(blocks_) + ") + " : "",
                      right = several ? cols + " * (" + column + " / " + number(4 * blocks_) + ") + " : "";
    writer_.line("const int i = " + left_.first + " + " + down + at + " % " + rows + ";");
    writer_.line("const int j = " + right_.first + " + " + right + "4 * (" + at + " / " + rows + ") + " +
                 (several ? q : column) + ";");
    writer_.open("if (i < " + writer_.size(context_.kernel.rows) + " && j < " + writer_.size(context_.kernel.cols) +
                 ")");
    writer_.line("const " + scalar_ + " " + c + " = " + exchange + "[" + at + " / 4][" + at + " % 4];");
    visit({.i = "i", .j = "j", .k = "0", .flat = ""}, c);
    writer_.close();
    writer_.close();
    writer_.line("barrier();");
    writer_.close();
  }

  /// sums[which], which lies in [first, last): registers have no addresses.
  std::string chosen(const std::string& sums, const std::string& which, std::int64_t first, std::int64_t last) const {
    if (last - first == 1) return sums + "[" + number(first) + "]";
    const std::int64_t middle = (first + last) / 2;
    return "(" + which + " < " + number(middle) + " ? " + chosen(sums, which, first, middle) + " : " +
           chosen(sums, which, middle, last) + ")";
  }

  StageWriter& writer_;
  const KernelContext& context_;
  const Contraction& contraction_;
  const std::string scalar_, vector_;
  const std::int64_t blocks_;  ///< of 4x4 elements that an invocation has along each axis
  const std::int64_t invocations_;
  const std::string lane_;
  const Panel left_, right_;
};

}  // namespace

std::array<GroupCount, 3> emit_matrix_tiles(StageWriter& writer, const KernelContext& context, const Factors& factors,
                                            const Visit& visit) {
  return TileEmitter(writer, context, factors).run(visit);
}

}  // namespace lac::codegen::glsl
