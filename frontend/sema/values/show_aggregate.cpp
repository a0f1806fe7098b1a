// Structs and cell arrays as Octave shows them: what they hold in lines that are indented, nested ones further.
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/show.h"

namespace lac::frontend {
namespace {

constexpr std::uint32_t step = 2;
/// Of structs in structs in structs only the names of the fields are shown.
constexpr int most_levels = 2;

class AggregateWriter {
 public:
  AggregateWriter(Emitter& e, ValueId number) : e_(e), number_(number) {}

  void named(const std::string& name, const Binding& value, std::uint32_t indent) {
    if (!value.is_aggregate()) return print_binding(e_, name, value, indent, numbered(name));
    if (value.is_array()) return print_array(e_, name, value, indent);
    if (value.is_cell()) return cell(name, value, indent);
    say(std::string(indent, ' ') + name + " =\n\n", numbered(name));
    record(value, indent + step);
    say("\n");
  }

  void cell(const std::string& name, const Binding& value, std::uint32_t indent) {
    const Aggregate& a = *value.aggregate;
    const std::string blanks(indent, ' ');
    if (a.stacked) return print_stacked_cells(e_, name, value, indent, numbered(name));
    if (a.count() == 0)
      return say(blanks + (name.empty() ? "" : name + " = ") + "{}(" + std::to_string(a.rows) + "x" +
                     std::to_string(a.cols) + ")\n",
                 numbered(name));
    say((name.empty() ? "" : blanks + name + " =\n") + blanks + "{\n", numbered(name));
    for (std::int64_t k = 0; k < a.count(); ++k)
      named("[" + std::to_string(k % a.rows + 1) + "," + std::to_string(k / a.rows + 1) + "]",
            a.slots.front().items[static_cast<std::size_t>(k)], indent + step);
    say(blanks + "}\n" + (name.empty() ? "" : "\n"));
  }

  void record(const Binding& value, std::uint32_t indent) {
    const Aggregate& a = *value.aggregate;
    if (a.stacked)
      return either_struct(
          e_, value, [&](const Binding& single) { record(single, indent); }, [&] { stacked_array(a, indent); });
    const std::string what = a.count() == 1 && a.rows == 1
                                 ? "scalar structure"
                                 : std::to_string(a.rows) + "x" + std::to_string(a.cols) + " struct array";
    say(std::string(indent, ' ') + what + " containing the fields:\n\n");
    if (a.count() == 1) return fields(value, indent + step);
    for (const Slot& slot : a.slots) say(std::string(indent + step, ' ') + slot.name + "\n");
  }

  /// "%dx%d" in the text stands for the extents.
  void say_extents(std::string text, const Aggregate& a) {
    Message message;
    message.format = std::move(text);
    message.arguments = {std::nullopt, std::nullopt};
    const auto [rows, cols] = extents_of(e_, a);
    e_.builder.format(std::move(message), {e_.builder.size(rows), e_.builder.size(cols)});
  }

  void stacked_kind(const std::string& name, const Binding& value) {
    say_extents(name + (value.is_cell() ? "%dx%d cell\n" : "%dx%d struct\n"), *value.aggregate);
  }

  void stacked_array(const Aggregate& a, std::uint32_t indent) {
    say_extents(std::string(indent, ' ') + "%dx%d struct array containing the fields:\n\n", a);
    for (const Slot& slot : a.slots) say(std::string(indent + step, ' ') + slot.name + "\n");
  }

  void fields(const Binding& value, std::uint32_t indent) {
    const bool names_only = levels_ == most_levels;
    ++levels_;
    for (const Slot& slot : value.aggregate->slots) {
      const Binding item = as_present(slot);
      const bool of_run = item.is_aggregate() && item.aggregate->stacked;
      const auto show = [&] {
        if (names_only && of_run) stacked_kind(std::string(indent, ' ') + slot.name + ": ", item);
        else if (names_only) say(std::string(indent, ' ') + slot.name + ": " + kind(item) + "\n");
        else named(slot.name, item, indent);
      };
      if (may_lack(slot))
        branch_effects(
            e_, presence_of(e_, slot), show, [] {}, e_.place());
      else show();
    }
    --levels_;
  }

 private:
  /// The number of the element that the name is of, where the run finds it.
  ValueId numbered(const std::string& name) const { return name.find("%d") == std::string::npos ? ValueId{} : number_; }

  void say(std::string text, ValueId number = {}) {
    Message message;
    message.format = number ? std::move(text) : "%s";
    message.arguments = {number ? std::nullopt : std::optional(std::move(text))};
    e_.builder.format(std::move(message), number ? std::vector{number} : std::vector<ValueId>());
  }

  static std::string extents(std::int64_t rows, std::int64_t cols) {
    return std::to_string(rows) + "x" + std::to_string(cols);
  }

  std::string matrix_extents(const Binding& matrix) const {
    const Type t = e_.type(matrix.value);
    return t.rows.is_constant() && t.cols.is_constant() ? extents(t.rows.constant(), t.cols.constant())
                                                        : std::string("?x?");
  }

  /// "1x3 matrix": what a field of a struct that is nested too deep holds.
  std::string kind(const Binding& value) const {
    if (value.is_aggregate()) {
      const Aggregate& a = *value.aggregate;
      return extents(a.rows, a.cols) + (value.is_cell() ? " cell" : " struct");
    }
    if (value.is_complex()) return matrix_extents(value.aggregate->slots[0].items[0]) + " complex matrix";
    if (value.is_function()) return "1x1 function handle";
    if (value.is_known_text()) return extents(1, static_cast<std::int64_t>(value.text.size())) + " string";
    if (value.is_integer()) {
      const std::string name(info(value.integer_class).name);
      return matrix_extents(value) + " " + name + (e_.type(value.value).is_scalar() ? " scalar" : " matrix");
    }
    if (!value.is_matrix() && !value.is_text()) return "";
    const Type t = e_.type(value.value);
    const std::string size = matrix_extents(value);
    if (value.is_text()) return size + " string";
    const std::string prefix = t.element == Element::logical ? "bool" : "";
    if (t.is_scalar()) return size + " " + (prefix.empty() ? "scalar" : prefix);
    return size + " " + prefix + (prefix.empty() ? "" : " ") + "matrix";
  }

  Emitter& e_;
  const ValueId number_;
  int levels_ = 0;
};

}  // namespace

void print_aggregate(Emitter& e, const std::string& name, const Binding& aggregate, std::uint32_t indent,
                     ValueId number) {
  AggregateWriter writer(e, number);
  if (aggregate.is_array()) return print_array(e, name, aggregate, indent);
  if (!name.empty()) return writer.named(name, aggregate, indent);
  if (aggregate.is_cell()) return writer.cell("", aggregate, indent);
  if (aggregate.aggregate->stacked)
    return either_struct(
        e, aggregate, [&](const Binding& single) { writer.fields(single, indent + 2 * step); },
        [&] { writer.stacked_array(*aggregate.aggregate, indent + step); });
  if (aggregate.aggregate->count() == 1) return writer.fields(aggregate, indent + 2 * step);
  writer.record(aggregate, indent + step);
}

}  // namespace lac::frontend
