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
    if (!value.is_aggregate() || value.given) return print_binding(e_, name, value, indent, numbered(name));
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
  void say_extents(std::string text, const AggregateExtents& of) {
    if (of.rows.is_constant() && of.cols.is_constant())
      return say(text.replace(text.find("%dx%d"), 5, extents(of.rows.constant(), of.cols.constant())));
    Message message;
    message.format = std::move(text);
    message.arguments = {std::nullopt, std::nullopt};
    e_.builder.format(std::move(message), {e_.builder.size(of.rows), e_.builder.size(of.cols)});
  }

  /// "x: 1x3 matrix": what a field of a struct that is nested too deep holds.
  void say_kind(const std::string& start, const Binding& value) {
    if (value.is_array()) return say_array_kind(start, value);
    say_extents(start + ": %dx%d " + kind(value) + "\n", extents_of_value(value));
  }

  void say_array_kind(const std::string& start, const Binding& array) {
    const Binding& elements = array.aggregate->slots.front().items.front();
    std::vector<Size> all = array.aggregate->lead;
    all.push_back(extents_of_value(elements).cols);
    Message message;
    message.format = start + ": ";
    std::vector<ValueId> numbers;
    for (const Size& extent : all) {
      message.format += numbers.empty() ? "%d" : "x%d";
      message.arguments.emplace_back();
      numbers.push_back(e_.builder.size(extent));
    }
    message.format += " " + kind(elements) + "\n";
    e_.builder.format(std::move(message), numbers);
  }

  void stacked_array(const Aggregate& a, std::uint32_t indent) {
    say_extents(std::string(indent, ' ') + "%dx%d struct array containing the fields:\n\n", extents_of(e_, a));
    for (const Slot& slot : a.slots) say(std::string(indent + step, ' ') + slot.name + "\n");
  }

  void fields(const Binding& value, std::uint32_t indent) {
    const bool names_only = levels_ == most_levels;
    ++levels_;
    for (const Slot& slot : value.aggregate->slots) {
      const Binding item = as_present(slot);
      const auto show = [&] {
        if (names_only) say_kind(std::string(indent, ' ') + slot.name, item);
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

  AggregateExtents extents_of_value(const Binding& value) {
    if (value.is_aggregate()) return extents_of(e_, *value.aggregate);
    if (value.is_known_text()) return {value.text.empty() ? 0 : 1, static_cast<std::int64_t>(value.text.size())};
    const ValueId part = value.is_complex() ? value.aggregate->slots[0].items[0].value : value.value;
    if (!part) return {1, 1};
    return {e_.type(part).rows, e_.type(part).cols};
  }

  std::string kind(const Binding& value) const {
    if (value.is_cell()) return "cell";
    if (value.is_record()) return value.aggregate->count() == 1 ? "scalar struct" : "struct";
    if (value.is_function()) return "function handle";
    if (value.is_text()) return value.double_quoted ? "string" : "sq_string";
    if (value.is_integer())
      return std::string(info(value.integer_class).name) + (e_.type(value.value).is_scalar() ? " scalar" : " matrix");
    return words_of_leaf(value);
  }

  /// "sparse complex matrix": how a matrix is stored, of what numbers it is, whether it is one.
  std::string words_of_leaf(const Binding& value) const {
    if (!value.is_matrix() && !value.is_complex()) return "";
    const ValueId part = value.is_complex() ? value.aggregate->slots[0].items[0].value : value.value;
    const Type t = e_.type(part);
    const bool diagonal = e_.facts.diagonals.count(part) != 0, permuted = e_.facts.permutations.count(part) != 0;
    const bool is_sparse = t.is_sparse() && !diagonal && !permuted;
    const bool is_scalar = t.is_scalar() && !t.is_sparse();
    const bool is_truth = t.element == Element::logical;
    if (e_.facts.written_ranges.count(part) != 0 && !is_scalar && !t.cols.is(0)) return "double_range";
    std::string words;
    if (is_sparse) words += "sparse ";
    if (t.element == Element::single) words += "float ";
    if (value.is_complex()) words += "complex ";
    if (is_truth) words += is_scalar ? "bool" : "bool ";
    if (diagonal) words += "diagonal ";
    if (permuted) words += "permutation ";
    if (is_scalar) return words + (is_truth ? "" : "scalar");
    return words + "matrix";
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
