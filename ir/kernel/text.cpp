#include "ir/kernel/text.h"

#include <algorithm>
#include <utility>

#include "ir/kernel/coordinates.h"

namespace lac {

using NameOf = std::function<std::string(SymbolId)>;

Element natural_element(const Kernel& kernel, const Nest& nest, const Body& body, const Instr& instr) {
  switch (instr.kind) {
    case InstrKind::size:
    case InstrKind::index: return Element::integer;
    case InstrKind::reload:
      return instr.argument < kernel.outputs.size() ? kernel.outputs[instr.argument].type.element : Element::real;
    case InstrKind::load:
      return instr.argument < kernel.inputs.size() ? kernel.inputs[instr.argument].type.element : Element::real;
    case InstrKind::matrix_element:
      return nest.contraction && nest.contraction->matrix < kernel.inputs.size()
                 ? kernel.inputs[nest.contraction->matrix].type.element
                 : Element::real;
    case InstrKind::contraction: return nest.contraction ? nest.contraction->element : Element::real;
    case InstrKind::apply: {
      Element elements[3] = {Element::real, Element::real, Element::real};
      for (int i = 0; i < info(instr.op).arity; ++i)
        if (body.contains(instr.operands[i])) elements[i] = body[instr.operands[i]].element;
      return result_element(instr.op, elements, Element::real);
    }
    case InstrKind::constant:
    case InstrKind::convert: return Element::real;
  }
  return Element::real;
}

namespace {

template <class Arguments>
std::vector<std::string> unique_names(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const auto& argument : arguments) {
    const std::string number = std::to_string(names.size());
    std::string name = is_identifier(argument.name) ? argument.name : "v" + number;
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "." + number;
    names.push_back(std::move(name));
  }
  return names;
}

class KernelPrinter {
 public:
  KernelPrinter(const Kernel& kernel, const NameOf& name_of)
      : kernel_(kernel),
        inputs_(input_names(kernel)),
        outputs_(output_names(kernel)),
        name_of_([&name_of](SymbolId id) {
          if (is_coordinate(id)) return std::string(coordinate_names[id.index - first_coordinate]);
          const std::string name = name_of(id);
          const bool taken =
              std::find(std::begin(coordinate_names), std::end(coordinate_names), name) != std::end(coordinate_names);
          return taken ? quoted(name) : name;
        }) {}

  std::string print(const std::string& label, const std::string& note) {
    line("kernel " + label + " " + quoted(kernel_.name) + " " + domain(kernel_) + schedule() + " {" +
         (note.empty() ? "" : "  ; " + note));
    depth_ = 1;
    arguments();
    for (const Nest& each : kernel_.ahead) {
      line("nest " + domain(each) + " {");
      ++depth_;
      nest(each);
      --depth_;
      line("}");
    }
    nest(kernel_);
    depth_ = 0;
    line("}");
    return std::move(text_);
  }

 private:
  void line(const std::string& content) { text_ += std::string(2 * depth_, ' ') + content + "\n"; }
  std::string size(const Size& size) const { return to_string(size, name_of_); }
  static std::string instr(InstrId id) { return id ? "$" + std::to_string(id.index) : "$none"; }
  static std::string name_at(const std::vector<std::string>& names, std::uint32_t index) {
    return index < names.size() ? names[index] : "?" + std::to_string(index);
  }

  std::string domain(const Nest& nest) const {
    const std::string strips = nest.strips == Axis::all ? "" : " strips " + std::string(name(nest.strips));
    return "domain [" + size(nest.rows) + " x " + size(nest.cols) + "]" + strips;
  }

  void nest(const Nest& each) {
    nest_ = &each;
    if (each.contraction) contraction(*each.contraction);
    instructions(each.body);
    for (const Store& store : each.stores)
      line("store " + access(name_at(outputs_, store.output), store.map) + " = " + instr(store.value));
    for (const KernelReduction& reduction : each.reductions) reduce(reduction);
  }

  std::string schedule() const {
    const Schedule& s = kernel_.schedule;
    if (!s.decided) return "";
    return " " + std::string(traversal_names[static_cast<std::size_t>(s.traversal)]) + " block " +
           std::to_string(s.block) + " lanes " + std::to_string(s.lanes) +
           (s.sums == 0 ? "" : " sums " + std::to_string(s.sums)) +
           (s.strip == 0 ? "" : " strip " + std::to_string(s.strip) + " width " + size(s.width)) + groups(s.groups);
  }

  static std::string groups(const GroupSchedule& g) {
    if (g.walk == GroupWalk::none) return "";
    const std::string reduced = g.reduced == Axis::all ? "" : " along " + std::string(name(g.reduced));
    return " groups " + std::string(group_walk_names[static_cast<std::size_t>(g.walk)]) + reduced + sums(g.sums);
  }

  static std::string sums(const GroupSums& s) {
    if (s.form == GroupSums::Form::none) return "";
    const std::string form = " sums " + std::string(sum_form_names[static_cast<std::size_t>(s.form)]);
    if (s.form == GroupSums::Form::blocks) return form;
    return form + (s.along_k ? " k " : " rows ") + std::to_string(s.fewest) + " to " + std::to_string(s.most) +
           " parts " + std::to_string(s.of_parts) + " of " + std::to_string(s.rows);
  }

  void arguments() {
    std::string text;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      text += (i ? ", " : "") + inputs_[i] + ": " + to_string(kernel_.inputs[i].type, name_of_);
    if (!text.empty()) line("in " + text);
    text.clear();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const KernelOutput& output = kernel_.outputs[i];
      text += (i ? ", " : "") + outputs_[i] + ": " + to_string(output.type, name_of_);
      if (output.base >= 0) text += " from " + name_at(inputs_, static_cast<std::uint32_t>(output.base));
    }
    if (!text.empty()) line("out " + text);
  }

  void contraction(const Contraction& c) {
    const std::string range = c.storage == Storage::dense
                                  ? "below " + size(c.extent)
                                  : "over " + std::string(name(c.storage)) + " row of " + name_at(inputs_, c.matrix) +
                                        (c.reach.is(0) ? "" : " reach " + size(c.reach));
    line("contract k " + range + ": " + std::string(name(c.element)) + " {");
    ++depth_;
    instructions(c.prologue);
    std::string sums;
    for (const InstrId value : c.values) sums += (sums.empty() ? "sum " : ", ") + instr(value);
    line(sums);
    --depth_;
    line("}");
  }

  void reduce(const KernelReduction& r) {
    std::string text = "reduce " + name_at(outputs_, r.output);
    if (r.index_output >= 0) text += ", " + name_at(outputs_, static_cast<std::uint32_t>(r.index_output));
    line(text + " = " + std::string(name(r.reduction.op)) + " " + std::string(name(r.reduction.axis)) + " " +
         instr(r.value));
  }

  void instructions(const Body& body) {
    for (std::uint32_t i = 0; i < body.size(); ++i) {
      const Instr& it = body[InstrId{i}];
      const bool natural = natural_element(kernel_, *nest_, body, it) == it.element;
      line("$" + std::to_string(i) + (natural ? "" : ": " + std::string(name(it.element))) + " = " + operation(it));
    }
  }

  std::string operation(const Instr& it) const {
    switch (it.kind) {
      case InstrKind::constant: return "constant " + number_text(it.number);
      case InstrKind::size: return "size " + size(it.size);
      case InstrKind::index: return std::string("index ") + coordinate_names[static_cast<int>(it.axis)];
      case InstrKind::load: return "load " + access(name_at(inputs_, it.argument), it.map);
      case InstrKind::reload: return "reload " + access(name_at(outputs_, it.argument), it.map);
      case InstrKind::matrix_element: return "matrix_element";
      case InstrKind::contraction: return "contraction" + (it.argument == 0 ? "" : " " + std::to_string(it.argument));
      case InstrKind::convert: return "convert " + instr(it.operands[0]);
      case InstrKind::apply: break;
    }
    std::string text(name(it.op));
    for (int i = 0; i < info(it.op).arity; ++i) text += (i ? ", " : " ") + instr(it.operands[i]);
    return text;
  }

  std::string index(const AffineIndex& index, InstrId gather) const {
    if (gather) return "@" + instr(gather);
    Size sum = index.base;
    const Size* coefficients[] = {&index.i, &index.j, &index.k};
    for (std::uint32_t c = 0; c < 3; ++c) sum = sum + *coefficients[c] * Size::symbol(coordinate(c));
    if (index.step == AffineIndex::Step::none) return size(sum);
    return "(" + size(sum) + (index.step == AffineIndex::Step::divide ? ") div (" : ") mod (") + size(index.amount) +
           ")";
  }

  std::string access(const std::string& name, const AccessMap& map) const {
    std::string text = name;
    AffineIndex natural_col;
    if (nest_->cols.is(1)) natural_col.j = 1;
    if (map.linear) text += "[at " + index(map.row, map.row_gather) + "]";
    else if (map.row_gather || map.col_gather || map.row != AffineIndex{} || map.col != AffineIndex{}) {
      text += "[" + index(map.row, map.row_gather);
      if (map.col_gather || map.col != natural_col) text += ", " + index(map.col, map.col_gather);
      text += "]";
    }
    if (map.out_of_range == OutOfRange::fill) text += " fill " + number_text(map.fill);
    return text;
  }

  const Kernel& kernel_;
  const Nest* nest_ = &kernel_;  ///< at hand
  std::vector<std::string> inputs_, outputs_;
  NameOf name_of_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::vector<std::string> input_names(const Kernel& kernel) { return unique_names(kernel.inputs); }
std::vector<std::string> output_names(const Kernel& kernel) { return unique_names(kernel.outputs); }

std::string print_kernel(const Kernel& kernel, const std::string& label, const NameOf& name_of,
                         const std::string& note) {
  return KernelPrinter(kernel, name_of).print(label, note);
}

}  // namespace lac
