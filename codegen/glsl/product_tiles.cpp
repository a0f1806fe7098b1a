#include <bit>

#include "codegen/glsl/contraction_parts.h"
#include "codegen/glsl/product.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::int64_t padding = 1;  // vectors between the rows of a panel, so that they begin in different banks
constexpr std::int64_t block = 4;    // an invocation's elements along each axis

std::string number(std::int64_t value) { return std::to_string(value); }

/// One factor's panel: `panel_depth` values of k by a tile's extent, in shared memory as [k][four neighbours].
struct Panel {
  InstrId factor;
  std::string name;
  std::string first;   ///< the variable with the tile's first row or column
  Size extent;         ///< of the domain along it
  std::int64_t fours;  ///< vectors along it: its extent / 4
  bool along_k;        ///< neighbouring invocations load neighbouring k
  bool left;
};

class TileEmitter {
 public:
  TileEmitter(StageWriter& writer, const KernelContext& context, const Factors& factors)
      : writer_(writer),
        context_(context),
        contraction_(*context.kernel.contraction),
        scalar_(register_type(contraction_.element)),
        vector_(contraction_.element == Element::single ? "vec4" : "dvec4"),
        invocations_(workgroup_size),
        lane_(lane(writer)),
        left_(make_panel(factors.left, true)),
        right_(make_panel(factors.right, false)) {}

  std::array<GroupCount, 3> run(const Visit& visit) {
    open_tiles(right_, "y");
    open_tiles(left_, "x");
    const std::string sums = sum_panels();
    visit_block(sums, visit);
    writer_.close();
    writer_.close();
    return tile_groups(context_, !context_.kernel.reductions.empty(), left_.fours * block, right_.fours * block);
  }

 private:
  Panel make_panel(InstrId factor, bool left) {
    const int bits = std::countr_zero(workgroup_size);
    const std::int64_t fours = std::int64_t{1} << (left ? bits - bits / 2 : bits / 2);
    const std::string name = writer_.shared_array(writer_.local(left ? "left_panel" : "right_panel"), vector_,
                                                  panel_depth * (fours + padding));
    const bool along_k = k_is_contiguous(contraction_.prologue, factor, left ? Axis::rows : Axis::cols);
    const Kernel& kernel = context_.kernel;
    return {factor,  name, writer_.local(left ? "tile_row" : "tile_column"), left ? kernel.rows : kernel.cols, fours,
            along_k, left};
  }

  void open_tiles(const Panel& p, const std::string& axis) {
    const std::string tile = number(p.fours * block);
    writer_.open_loop("for (int " + p.first + " = int(gl_WorkGroupID." + axis + ") * " + tile + "; " + p.first + " < " +
                          writer_.size(p.extent) + "; " + p.first + " += int(gl_NumWorkGroups." + axis + ") * " + tile +
                          ")",
                      TurnCount::strided(p.extent, p.fours * block, p.left ? 0 : 1));
  }

  /// Over all values of k, or those of the part at hand.
  void open_panels(const std::string& first) {
    std::string begin = "0", end = writer_.size(contraction_.extent);
    TurnCount turns = TurnCount::over(contraction_.extent, panel_depth);
    if (!context_.part.empty()) {
      const std::int64_t part = contraction_part(context_);
      begin = context_.part + " * " + number(part);
      end = "min(" + end + ", " + begin + " + " + number(part) + ")";
      turns = TurnCount::constant(part / panel_depth);
    }
    writer_.open_loop("for (int " + first + " = " + begin + "; " + first + " < " + end + "; " + first +
                          " += " + number(panel_depth) + ")",
                      turns);
  }

  /// The name of the array of the block's columns, each a vector of its 4 rows.
  std::string sum_panels() {
    const std::string sums = writer_.local("sums"), first = writer_.local("first_k"), n = writer_.local("depth");
    const std::string zero = vector_ + "(" + literal_text(0, contraction_.element) + ")";
    writer_.line("precise " + vector_ + " " + sums + "[4] = " + vector_ + "[4](" + zero + ", " + zero + ", " + zero +
                 ", " + zero + ");");
    open_panels(first);
    for (const Panel* p : {&left_, &right_}) load_panel(*p, first);
    writer_.line("barrier();");
    writer_.open_loop("for (int " + n + " = 0; " + n + " < " + number(panel_depth) + "; ++" + n + ")",
                      TurnCount::constant(panel_depth));
    const std::string a = writer_.local("left"), b = writer_.local("right");
    writer_.line("const " + vector_ + " " + a + " = " + left_.name + "[" + n + " * " + number(left_.fours + padding) +
                 " + " + lane_ + " % " + number(left_.fours) + "];");
    writer_.line("const " + vector_ + " " + b + " = " + right_.name + "[" + n + " * " + number(right_.fours + padding) +
                 " + " + lane_ + " / " + number(left_.fours) + "];");
    for (int q = 0; q < block; ++q) {
      const std::string sum = sums + "[" + number(q) + "]";
      writer_.line(sum + " = fma(" + a + ", " + vector_ + "(" + b + "." + "xyzw"[q] + "), " + sum + ");");
    }
    writer_.close();
    writer_.line("barrier();");
    writer_.close();
    return sums;
  }

  // Beyond the edges the last row, column or k is read again: what is summed there is not used, but for k, where the
  // factor counts as zero.
  void load_panel(const Panel& p, const std::string& first) {
    const std::string e = writer_.local("load"), four = writer_.local("four"), n = writer_.local("n");
    const std::string k = writer_.local("k"), values = writer_.local("values");
    const std::int64_t loads = panel_depth * p.fours;
    if (loads == invocations_) writer_.open("");
    else
      writer_.open_loop("for (int " + e + " = " + lane_ + "; " + e + " < " + number(loads) + "; " + e +
                            " += " + number(invocations_) + ")",
                        TurnCount::constant((loads + invocations_ - 1) / invocations_));
    const std::string at = loads == invocations_ ? lane_ : e;
    const std::string k_in_panel = p.along_k ? at + " % " + number(panel_depth) : at + " / " + number(p.fours);
    const std::string place = p.along_k ? at + " / " + number(panel_depth) : at + " % " + number(p.fours);
    const std::string last_k = writer_.size(contraction_.extent) + " - 1";
    writer_.line("const int " + four + " = " + place + ";");
    writer_.line("const int " + k + " = " + first + " + " + k_in_panel + ";");
    writer_.line(vector_ + " " + values + ";");
    writer_.open_loop("for (int " + n + " = 0; " + n + " < 4; ++" + n + ")", TurnCount::constant(4));
    load_element(p, values + "[" + n + "]",
                 "min(" + p.first + " + 4 * " + four + " + " + n + ", " + writer_.size(p.extent) + " - 1)", k, last_k);
    writer_.close();
    writer_.line(p.name + "[(" + k + " - " + first + ") * " + number(p.fours + padding) + " + " + four +
                 "] = " + values + ";");
    writer_.close();
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

  // Column q of every block goes through shared memory, so that neighbouring invocations visit neighbouring rows.
  void visit_block(const std::string& sums, const Visit& visit) {
    const std::string q = writer_.local("block_column"), at = writer_.local("visited"), c = writer_.local("product");
    const std::string tile_rows = number(left_.fours * block), exchange = left_.name;
    writer_.open_loop("for (int " + q + " = 0; " + q + " < 4; ++" + q + ")", TurnCount::constant(4));
    writer_.line(exchange + "[" + lane_ + "] = " + q + " < 2 ? (" + q + " == 0 ? " + sums + "[0] : " + sums +
                 "[1]) : (" + q + " == 2 ? " + sums + "[2] : " + sums + "[3]);");
    writer_.line("barrier();");
    writer_.open_loop("for (int " + at + " = " + lane_ + "; " + at + " < " + number(4 * invocations_) + "; " + at +
                          " += " + number(invocations_) + ")",
                      TurnCount::constant(4));
    writer_.line("const int i = " + left_.first + " + " + at + " % " + tile_rows + ";");
    writer_.line("const int j = " + right_.first + " + 4 * (" + at + " / " + tile_rows + ") + " + q + ";");
    writer_.open("if (i < " + writer_.size(context_.kernel.rows) + " && j < " + writer_.size(context_.kernel.cols) +
                 ")");
    writer_.line("const " + scalar_ + " " + c + " = " + exchange + "[" + at + " / 4][" + at + " % 4];");
    visit({.i = "i", .j = "j", .k = "0", .flat = ""}, c);
    writer_.close();
    writer_.close();
    writer_.line("barrier();");
    writer_.close();
  }

  StageWriter& writer_;
  const KernelContext& context_;
  const Contraction& contraction_;
  const std::string scalar_, vector_;
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
