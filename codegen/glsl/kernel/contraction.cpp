#include "codegen/glsl/kernel/contraction.h"

#include <functional>

#include "codegen/glsl/kernel/contraction_parts.h"
#include "codegen/glsl/kernel/contraction_term.h"
#include "codegen/glsl/kernel/product.h"

namespace lac::codegen::glsl {
namespace {

/// Instructions of a term; of shorter ones a GPU takes four a turn, so that their loads are on their way together.
constexpr std::size_t longest_unrolled = 16;

/// Entry `at` of an array of indices of the contraction's matrix.
std::string index_text(StageWriter& writer, const KernelContext& context, ResourceKind array, const std::string& name,
                       const std::string& at) {
  const std::uint32_t matrix = context.kernel.contraction->matrix;
  if (context.textures)
    return "int(" + packed_element(writer, writer.texture(array, matrix, name), at, Element::single) + ")";
  return writer.buffer(array, matrix, "int", name, true, false) + "[" + at + "]";
}

class Summation {
 public:
  Summation(StageWriter& writer, const KernelContext& context, std::string sum, const Point& point, Slice slice)
      : writer_(writer),
        context_(context),
        contraction_(*context.kernel.contraction),
        point_(point),
        slice_(std::move(slice)),
        term_(writer, context),
        sum_(std::move(sum)) {}

  void run() {
    switch (contraction_.storage) {
      case Storage::dense: dense(); break;
      case Storage::csr: compressed_rows(); break;
      case Storage::diagonal: diagonals(); break;
    }
  }

 private:
  const KernelInput& matrix() const { return context_.kernel.inputs[contraction_.matrix]; }

  std::string column_variable() {
    point_.k = writer_.local("k");
    return point_.k;
  }

  /// The loop over the slice's share of [first, end), or of the part of it that is at hand: `add` sums one term.
  void loop(const std::string& variable, std::string first, std::string end, TurnCount turns,
            const std::function<void()>& add) {
    if (!context_.part.empty()) {
      const PartRange range = emit_part_range(writer_, context_, first, end);
      first = range.first;
      end = range.end;
      turns = part_turns(context_, slice_.lanes);
    }
    const std::string start = slice_.offset.empty() ? first
                              : first == "0"        ? slice_.offset
                                                    : first + " + " + slice_.offset;
    const auto open = [&](const std::string& head) {
      if (slice_.in_all) writer_.open_loop(head, std::move(turns), *slice_.in_all);
      else writer_.open_loop(head, std::move(turns));
    };
    if (!context_.options.coalesces || contraction_.prologue.size() > longest_unrolled) {
      open("for (int " + variable + " = " + start + "; " + variable + " < " + end + "; " + variable +
           " += " + slice_.step + ")");
      add();
      return writer_.close();
    }
    turns.per *= 4;
    const std::string at = writer_.local("at"), step = "(" + slice_.step + ")";
    writer_.line("int " + at + " = " + start + ";");
    open("for (; " + at + " + 3 * " + step + " < " + end + "; " + at + " += 4 * " + step + ")");
    for (int term = 0; term < 4; ++term) {
      writer_.open("");
      writer_.line("const int " + variable + " = " + at + " + " + std::to_string(term) + " * " + step + ";");
      add();
      writer_.close();
    }
    writer_.close();
    writer_.open_loop("for (; " + at + " < " + end + "; " + at + " += " + step + ")", TurnCount::constant(3));
    writer_.line("const int " + variable + " = " + at + ";");
    add();
    writer_.close();
  }

  void dense() {
    const std::string k = column_variable();
    loop(k, "0", writer_.size(contraction_.extent), TurnCount::over(contraction_.extent, slice_.lanes),
         [&] { term_.add(sum_, point_, {}, {}); });
  }

  void compressed_rows() {
    const std::string entry = writer_.local("entry"), end = writer_.local("end"), k = column_variable();
    writer_.line("const int " + end + " = " + row_pointer(writer_, context_, point_.i + " + 1") + ";");
    const std::string begin = row_pointer(writer_, context_, point_.i);
    loop(entry, begin, end, TurnCount::row(contraction_.matrix, slice_.lanes), [&] {
      const std::string column =
          index_text(writer_, context_, ResourceKind::columns, legal_name(matrix().name) + "_columns", entry);
      writer_.line("const int " + k + " = " + column + ";");
      add_entry(entry);
    });
  }

  // Where a diagonal leaves the matrix its stored value is zero, so that any column will do there.
  void diagonals() {
    const Type& type = matrix().type;
    if (type.offsets.empty()) return;
    const std::string number = writer_.local("diagonal"), k = column_variable();
    const std::string count = std::to_string(type.offsets.size());
    writer_.open_loop("for (int " + number + " = 0; " + number + " < " + count + "; ++" + number + ")",
                      TurnCount::constant(static_cast<std::int64_t>(type.offsets.size())));
    writer_.line("const int " + k + " = clamp(" + point_.i + " + " + offsets() + "[" + number + "], 0, max(" +
                 writer_.size(type.cols) + " - 1, 0));");
    add_entry(number + " * " + writer_.size(type.rows) + " + " + point_.i);
    writer_.close();
  }

  /// The name of the array of offsets, which the head of main sets.
  std::string offsets() {
    const std::vector<Size>& sizes = matrix().type.offsets;
    const std::string name = writer_.local("offsets"), type = "int[" + std::to_string(sizes.size()) + "]";
    std::string list;
    for (const Size& size : sizes) list += (list.empty() ? "" : ", ") + writer_.size(size);
    writer_.head("const " + type + " " + name + " = " + type + "(" + list + ");");
    return name;
  }

  void add_entry(const std::string& stored) {
    const Element element = matrix().type.element;
    const std::string value = writer_.local("entry_value");
    writer_.line("const " + std::string(register_type(element)) + " " + value + " = " +
                 element_text(writer_, context_, contraction_.matrix, stored) + ";");
    const std::string contributes =
        element == Element::logical ? value : "(" + value + " != " + literal_text(0, element) + ")";
    term_.add(sum_, point_, value, contributes);
  }

  StageWriter& writer_;
  const KernelContext& context_;
  const Contraction& contraction_;
  Point point_;
  const Slice slice_;
  TermEmitter term_;
  const std::string sum_;
};

}  // namespace

void emit_terms(StageWriter& writer, const KernelContext& context, const std::string& sum, const Point& point,
                const Slice& slice) {
  Summation(writer, context, sum, point, slice).run();
}

std::string row_pointer(StageWriter& writer, const KernelContext& context, const std::string& row) {
  const std::string& name = context.kernel.inputs[context.kernel.contraction->matrix].name;
  return index_text(writer, context, ResourceKind::row_pointers, legal_name(name) + "_rows", row);
}

std::string emit_contraction(StageWriter& writer, const KernelContext& context, const Point& point) {
  if (context.parts >= 0) return emit_sum_of_parts(writer, context, point);
  const Element element = context.kernel.contraction->element;
  std::string sum = writer.local("sum");
  writer.line("precise " + std::string(register_type(element)) + " " + sum + " = " + literal_text(0, element) + ";");
  emit_terms(writer, context, sum, point, {});
  return sum;
}

std::array<GroupCount, 3> emit_tiles(StageWriter& writer, const KernelContext& context, const Visit& visit) {
  if (context.kernel.schedule.groups.sums.form == GroupSums::Form::blocks)
    return emit_matrix_tiles(writer, context, *separate_factors(*context.kernel.contraction), visit);
  return emit_strips(writer, context, visit);
}

}  // namespace lac::codegen::glsl
