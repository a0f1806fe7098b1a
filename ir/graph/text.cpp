#include "ir/graph/text.h"

#include <map>
#include <set>
#include <unordered_map>

#include "ir/graph/attribute_text.h"
#include "ir/kernel/text.h"

namespace lac {
namespace {

/// Numbers in program order: of values (an op's results, then what its blocks hold) and of kernels.
struct Numbering {
  std::unordered_map<ValueId, std::uint32_t> values;
  std::unordered_map<KernelId, std::uint32_t> numbers;
  std::vector<KernelId> kernels;

  void add(ValueId value) { values.emplace(value, static_cast<std::uint32_t>(values.size())); }
  void add(KernelId kernel) {
    if (numbers.emplace(kernel, static_cast<std::uint32_t>(kernels.size())).second) kernels.push_back(kernel);
  }

  void add_block(const Graph& graph, BlockId block) {
    for (ValueId argument : graph.blocks[block].arguments) add(argument);
    for (OpId id : graph.blocks[block].ops) {
      const Op& op = graph.ops[id];
      for (ValueId result : op.results) add(result);
      if (const KernelId* kernel = std::get_if<KernelId>(&op.attribute)) add(*kernel);
      for (BlockId inner : op.blocks) add_block(graph, inner);
    }
  }
};

enum class Names { shown, left_out };

class Printer {
 public:
  Printer(const Graph& graph, const SourceManager* sources, Names names = Names::shown)
      : graph_(graph),
        sources_(sources),
        names_(names),
        attributes_{graph, [this](const Size& s) { return size(s); }, [this](KernelId id) { return kernel_label(id); },
                    names == Names::shown} {
    if (graph.body) numbering_.add_block(graph, graph.body);
  }

  std::string graph() {
    line("graph " + quoted(named() ? graph_.name : "") + " " + std::string(name(graph_.precision)));
    header();
    text_ += "\n";
    if (graph_.body) block(graph_.body);
    for (KernelId id : numbering_.kernels) text_ += "\n" + kernel(id);
    return std::move(text_);
  }

  std::vector<std::string> kernels() const {
    std::vector<std::string> texts;
    for (KernelId id : numbering_.kernels) texts.push_back(kernel(id));
    return texts;
  }

  std::string op_text(const Op& op) const {
    std::string text = definitions(op.results);
    if (!text.empty()) text += " = ";
    text += info(op.kind).name;
    if (const std::string attribute = attribute_text(op, attributes_); !attribute.empty()) text += " " + attribute;
    text += uses(op.operands);
    if (!op.reuse.empty()) {
      text += " reuse (";
      for (std::size_t i = 0; i < op.reuse.size(); ++i) text += (i ? ", " : "") + std::to_string(op.reuse[i]);
      text += ")";
    }
    return text;
  }

 private:
  bool named() const { return names_ == Names::shown; }

  void line(const std::string& content) { text_ += std::string(2 * depth_, ' ') + content + "\n"; }

  // Several symbols may have come to stand for one value; the value's own is the one that is shown.
  Size canonical(const Size& size) const {
    return size.substitute([this](SymbolId id) -> std::optional<Size> {
      const SizeSymbol& symbol = graph_.symbols[id];
      if (symbol.origin != SymbolOrigin::value || !graph_.values.contains(symbol.value)) return std::nullopt;
      const SymbolId own = graph_.values[symbol.value].symbol;
      return Size::symbol(own ? own : id);
    });
  }

  std::string symbol(SymbolId id) const {
    const SizeSymbol& symbol = graph_.symbols[id];
    if (symbol.origin == SymbolOrigin::value) return value(symbol.value);
    return named() ? name_text(symbol.name) : "s" + std::to_string(id.index);
  }

  std::string size(const Size& size) const {
    return to_string(canonical(size), [this](SymbolId id) { return symbol(id); });
  }

  std::string type(Type type) const {
    type.rows = canonical(type.rows);
    type.cols = canonical(type.cols);
    for (Size& offset : type.offsets) offset = canonical(offset);
    return to_string(type, [this](SymbolId id) { return symbol(id); });
  }

  std::string value(ValueId id) const {
    const auto found = numbering_.values.find(id);
    return found == numbering_.values.end() ? "%?" + std::to_string(id.index) : "%" + std::to_string(found->second);
  }

  std::string kernel_label(KernelId id) const {
    if (!named()) return "k" + std::to_string(id.index);
    const auto found = numbering_.numbers.find(id);
    return found == numbering_.numbers.end() ? "k?" + std::to_string(id.index) : "k" + std::to_string(found->second);
  }

  std::string definitions(const std::vector<ValueId>& values) const {
    std::string text;
    for (ValueId id : values) {
      const Value& v = graph_.values[id];
      text += (text.empty() ? "" : ", ") + value(id) + (v.name.empty() || !named() ? "" : " " + name_text(v.name)) +
              ": " + type(v.type) + (v.layout == Layout::texel ? " texel" : "");
    }
    return text;
  }

  std::string uses(const std::vector<ValueId>& values) const {
    std::string text;
    for (ValueId id : values) text += (text.empty() ? " " : ", ") + value(id);
    return text;
  }

  void header() {
    static constexpr std::string_view origins[] = {"rows", "cols", "value"};
    for (std::uint32_t i = 0; i < graph_.symbols.size(); ++i) {
      const SizeSymbol& s = graph_.symbols[SymbolId{i}];
      const bool runtime = s.origin == SymbolOrigin::value;
      if (runtime && (!numbering_.values.contains(s.value) || graph_.values[s.value].symbol != SymbolId{i})) continue;
      std::string text = "symbol " + symbol(SymbolId{i});
      if (!runtime) text += " " + std::string(origins[static_cast<int>(s.origin)]) + " " + std::to_string(s.parameter);
      if (s.lower != SizeSymbol::unbounded) text += " lower " + std::to_string(s.lower);
      line(text);
    }
    for (const Parameter& p : graph_.parameters)
      line("parameter " + (named() ? name_text(p.name) : "p") + ": " + type(p.type));
  }

  void block(BlockId id) {
    const Block& b = graph_.blocks[id];
    if (!b.arguments.empty()) line("arguments " + definitions(b.arguments));
    for (OpId op : b.ops) print_op(graph_.ops[op]);
    if (!b.yields.empty()) line("yield" + uses(b.yields));
  }

  void print_op(const Op& op) {
    const std::string note = named() ? lines({op.location}) : std::to_string(op.location.index);
    line(op_text(op) + (op.blocks.empty() ? "" : " {") + (note.empty() ? "" : "  ; " + note));
    for (std::size_t i = 0; i < op.blocks.size(); ++i) {
      if (i > 0) line("} {");
      ++depth_;
      block(op.blocks[i]);
      --depth_;
    }
    if (!op.blocks.empty()) line("}");
  }

  std::string kernel(KernelId id) const {
    const auto symbols = [this](SymbolId s) { return symbol(s); };
    const Kernel& k = graph_.kernels[id];
    if (named()) return print_kernel(k, kernel_label(id), symbols, lines(k.locations));
    Kernel anonymous = k;
    anonymous.name.clear();
    for (KernelInput& input : anonymous.inputs) input.name.clear();
    for (KernelOutput& output : anonymous.outputs) output.name.clear();
    return print_kernel(anonymous, kernel_label(id), symbols);
  }

  /// "line 12", "lines 12, 13; solvers/cg.la line 7"; empty where unknown.
  std::string lines(const std::vector<LocationId>& locations) const {
    std::map<FileId, std::set<std::uint32_t>> numbers;
    for (LocationId id : locations)
      if (sources_ && graph_.locations.contains(id) && graph_.locations[id].span.valid())
        numbers[graph_.locations[id].span.file].insert(sources_->begin(graph_.locations[id].span).line);
    std::string text;
    for (const auto& [file, lines] : numbers) {
      const std::string name = file == FileId{0} ? "" : sources_->file(file).name + " ";
      text += (text.empty() ? "" : "; ") + name + (lines.size() == 1 ? "line " : "lines ");
      for (std::uint32_t line : lines) text += (line == *lines.begin() ? "" : ", ") + std::to_string(line);
    }
    return text;
  }

  const Graph& graph_;
  const SourceManager* sources_;
  Names names_;
  AttributeWriter attributes_;
  Numbering numbering_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string print(const Graph& graph, const SourceManager* sources) { return Printer(graph, sources).graph(); }

std::string print_anonymous(const Graph& graph) { return Printer(graph, nullptr, Names::left_out).graph(); }

std::string print_value_ids(const Graph& graph) {
  const auto numbers = value_numbers(graph);
  std::vector<std::uint32_t> ids(numbers.size());
  for (const auto& [value, number] : numbers) ids[number] = value.index;
  std::string text = "values";
  for (const std::uint32_t id : ids) text += " " + std::to_string(id);
  return text + "\n";
}

std::vector<std::string> print_each_kernel(const Graph& graph, const SourceManager* sources) {
  return Printer(graph, sources).kernels();
}

std::string print_kernels(const Graph& graph, const SourceManager* sources) {
  std::string text;
  for (const std::string& kernel : print_each_kernel(graph, sources)) text += (text.empty() ? "" : "\n") + kernel;
  return text;
}

std::unordered_map<ValueId, std::uint32_t> value_numbers(const Graph& graph) {
  Numbering numbering;
  if (graph.body) numbering.add_block(graph, graph.body);
  return std::move(numbering.values);
}

std::string print_op(const Graph& graph, OpId op) { return Printer(graph, nullptr).op_text(graph.ops[op]); }

}  // namespace lac
