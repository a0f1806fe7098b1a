#include "ir/graph/dot.h"

#include "ir/graph/attribute_text.h"

namespace lac {
namespace {

class DotPrinter {
 public:
  explicit DotPrinter(const Graph& graph)
      : graph_(graph),
        attributes_{graph, [this](const Size& size) { return graph_.text(size); },
                    [this](KernelId id) { return quoted(graph_.kernels[id].name); }} {}

  std::string print() {
    line("digraph " + quoted(graph_.name) + " {");
    ++depth_;
    line("node [shape=ellipse, fontname=\"monospace\", fontsize=10];");
    line("edge [fontname=\"monospace\", fontsize=9];");
    if (graph_.body) block(graph_.body);
    --depth_;
    line("}");
    return std::move(text_);
  }

 private:
  void line(const std::string& content) { text_ += std::string(2 * depth_, ' ') + content + "\n"; }

  static std::string node(OpId op) { return "op" + std::to_string(op.index); }
  static std::string node(BlockId block) { return "block" + std::to_string(block.index); }
  std::string node(ValueId value) const {
    const Value& v = graph_.values[value];
    return v.op ? node(v.op) : node(v.block);
  }

  void edge(ValueId value, const std::string& user, const std::string& style) {
    const Value& v = graph_.values[value];
    const std::string label = (v.name.empty() ? "" : v.name + ": ") + graph_.text(v.type);
    line(node(value) + " -> " + user + " [label=" + quoted(label) + style + "];");
  }

  void block(BlockId id) {
    for (OpId op_id : graph_.blocks[id].ops) op(op_id);
  }

  void op(OpId id) {
    const Op& op = graph_.ops[id];
    std::string label(info(op.kind).name);
    if (const std::string attribute = attribute_text(op, attributes_); !attribute.empty()) label += " " + attribute;
    const bool boxed = has_trait(op.kind, trait::effect | trait::region);
    line(node(id) + " [label=" + quoted(label) + (boxed ? ", shape=box" : "") + "];");
    for (ValueId operand : op.operands) edge(operand, node(id), "");
    for (std::size_t i = 0; i < op.blocks.size(); ++i)
      cluster(id, op.blocks[i], op.kind == OpKind::loop ? "loop" : i == 0 ? "then" : "else");
  }

  void cluster(OpId owner, BlockId id, const std::string& label) {
    line("subgraph cluster_" + std::to_string(id.index) + " {");
    ++depth_;
    line("label=" + quoted(label) + ";");
    line(node(id) + " [label=\"enter\", shape=point];");
    block(id);
    --depth_;
    line("}");
    line(node(owner) + " -> " + node(id) + " [style=dotted];");
    for (ValueId yielded : graph_.blocks[id].yields) edge(yielded, node(owner), ", style=dashed, constraint=false");
  }

  const Graph& graph_;
  AttributeWriter attributes_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string dot(const Graph& graph) { return DotPrinter(graph).print(); }

}  // namespace lac
