#include "ir/graph/parse_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "ir/graph/attribute_text.h"
#include "ir/graph/builder.h"
#include "ir/kernel/text.h"

namespace lac {
namespace {

class GraphReader {
 public:
  explicit GraphReader(std::string_view text)
      : in_(text),
        attributes_{graph_,
                    {[this](const std::string& name, bool) { return named_symbol(name); },
                     [this](std::uint32_t number) { return symbol_of(graph_, value(number)); }},
                    [this](std::uint32_t number) { return kernel(number); }} {}

  NumberedGraph read() {
    in_.at_end();
    in_.expect_word("graph");
    graph_.name = in_.quoted_string();
    graph_.precision = in_.element();
    in_.end_line();
    header();
    graph_.body = graph_.blocks.push({});
    block(graph_.body);
    while (in_.accept_word("kernel")) {
      const KernelId id = kernel(in_.reference('k'));
      kernels_read_.push_back(id);
      graph_.kernels[id] = read_kernel(in_, attributes_.symbols);
    }
    if (!in_.at_end()) in_.fail("expected an op or a kernel");
    finish();
    return {std::move(graph_), std::move(values_)};
  }

 private:
  const SymbolLookup& symbols() const { return attributes_.symbols; }

  SymbolId named_symbol(const std::string& name) {
    for (std::uint32_t i = 0; i < graph_.symbols.size(); ++i) {
      const SizeSymbol& symbol = graph_.symbols[SymbolId{i}];
      if (symbol.origin != SymbolOrigin::value && symbol.name == name) return {i};
    }
    in_.fail("there is no symbol '" + name + "'");
  }

  ValueId value(std::uint32_t number) {
    const auto [place, added] = values_.try_emplace(number);
    if (added) place->second = graph_.values.push({});
    return place->second;
  }

  KernelId kernel(std::uint32_t number) {
    const auto [place, added] = kernels_.try_emplace(number);
    if (added) place->second = graph_.kernels.push({});
    return place->second;
  }

  void header() {
    for (;;) {
      if (in_.accept_word("symbol")) symbol();
      else if (in_.accept_word("parameter")) parameter();
      else return;
      in_.end_line();
    }
  }

  void symbol() {
    SymbolId id;
    if (in_.next_is('%')) {
      id = symbol_of(graph_, value(in_.reference('%')));
    } else {
      SizeSymbol symbol;
      symbol.name = in_.name();
      symbol.origin = origin();
      symbol.parameter = static_cast<std::uint32_t>(in_.integer());
      symbol.lower = SizeSymbol::unbounded;
      id = graph_.symbols.push(std::move(symbol));
    }
    if (in_.accept_word("lower")) graph_.symbols[id].lower = in_.integer();
  }

  SymbolOrigin origin() {
    if (in_.accept_word("rows")) return SymbolOrigin::parameter_rows;
    if (in_.accept_word("cols")) return SymbolOrigin::parameter_cols;
    in_.expect_word("value");
    return SymbolOrigin::parameter_value;
  }

  void parameter() {
    Parameter parameter;
    parameter.name = in_.name();
    in_.expect(':');
    parameter.type = in_.type(symbols());
    graph_.parameters.push_back(std::move(parameter));
  }

  std::vector<ValueId> definitions() {
    std::vector<ValueId> ids;
    do {
      const std::uint32_t number = in_.reference('%');
      const ValueId id = value(number);
      if (!defined_.insert({id, number}).second) in_.fail("%" + std::to_string(number) + " is defined twice");
      std::string name = in_.next_is(':') ? "" : in_.name();
      in_.expect(':');
      Type type = in_.type(symbols());
      graph_.values[id].name = std::move(name);
      graph_.values[id].type = std::move(type);
      if (in_.accept_word("texel")) graph_.values[id].layout = Layout::texel;
      ids.push_back(id);
    } while (in_.accept(','));
    return ids;
  }

  std::vector<ValueId> uses() {
    std::vector<ValueId> ids;
    if (!in_.next_is('%')) return ids;
    do {
      ids.push_back(value(in_.reference('%')));
    } while (in_.accept(','));
    return ids;
  }

  /// Reads up to the '}' or, for the body, the kernels.
  void block(BlockId id) {
    if (in_.accept_word("arguments")) {
      const std::vector<ValueId> arguments = definitions();
      graph_.blocks[id].arguments = arguments;
      in_.end_line();
    }
    while (!in_.at_end() && !in_.next_is('}') && !in_.next_word_is("kernel")) {
      if (in_.accept_word("yield")) {
        const std::vector<ValueId> yields = uses();
        graph_.blocks[id].yields = yields;
      } else {
        op(id);
      }
      in_.end_line();
    }
  }

  OpKind kind() {
    static constexpr std::string_view names[] = {
#define LAC_OP(kind, fewest, most, results, traits) #kind,
#include "ir/graph/ops.def"
#undef LAC_OP
    };
    const std::string word = in_.identifier();
    const auto found = std::find(std::begin(names), std::end(names), word);
    if (found == std::end(names)) in_.fail("there is no op '" + word + "'");
    return static_cast<OpKind>(found - std::begin(names));
  }

  void op(BlockId parent) {
    Op op;
    if (in_.next_is('%')) {
      op.results = definitions();
      in_.expect('=');
    }
    op.kind = kind();
    op.attribute = read_attribute(in_, op.kind, attributes_);
    op.operands = uses();
    if (in_.accept_word("reuse")) {
      in_.expect('(');
      do {
        op.reuse.push_back(static_cast<std::int32_t>(in_.integer()));
      } while (in_.accept(','));
      in_.expect(')');
    }
    while (in_.accept('{')) {
      in_.end_line();
      op.blocks.push_back(graph_.blocks.push({}));
      block(op.blocks.back());
      in_.expect('}');
    }
    Builder(graph_, parent, {}).append(std::move(op));
  }

  void finish() {
    for (const auto& [number, id] : values_)
      if (!defined_.contains(id)) in_.fail("%" + std::to_string(number) + " is never defined");
    for (const auto& [number, id] : kernels_)
      if (std::find(kernels_read_.begin(), kernels_read_.end(), id) == kernels_read_.end())
        in_.fail("k" + std::to_string(number) + " is never defined");
    for (SizeSymbol& symbol : graph_.symbols)
      if (symbol.origin == SymbolOrigin::value) symbol.name = graph_.values[symbol.value].name;
  }

  Graph graph_;
  TextReader in_;
  AttributeReader attributes_;
  std::map<std::uint32_t, ValueId> values_;
  std::map<ValueId, std::uint32_t> defined_;
  std::map<std::uint32_t, KernelId> kernels_;
  std::vector<KernelId> kernels_read_;
};

}  // namespace

Result<NumberedGraph> parse_numbered_graph(std::string_view text) {
  try {
    return GraphReader(text).read();
  } catch (const TextError& error) {
    return Failure{error.what()};
  }
}

Result<Graph> parse_graph(std::string_view text) {
  Result<NumberedGraph> read = parse_numbered_graph(text);
  if (!read) return read.failure();
  return std::move(read.take().graph);
}

}  // namespace lac
