// Rewrite rules: each looks at one op and returns values that replace its results, or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/capabilities.h"

namespace lac::passes {

/// What a rule sees: the op (a copy; building moves ops in memory), and a builder that appends where the op stood.
struct Rewrite {
  Graph& graph;
  Builder& build;
  const Capabilities& capabilities;
  Op op;
  const std::vector<std::uint32_t>& uses;  ///< see is_used_once

  ValueId operand(std::size_t n) const { return op.operands[n]; }
  const Type& operand_type(std::size_t n) const { return graph.type(op.operands[n]); }
  const Type& type() const { return graph.type(op.results[0]); }
  /// The op that defines `value` if it is of this kind, else null. Building invalidates it.
  const Op* defined_by(ValueId value, OpKind kind) const {
    const Op* definition = graph.definition(value);
    return definition && definition->kind == kind ? definition : nullptr;
  }
  bool is_number(ValueId value, double number) const;
  /// By one op, once. Of what a rule has just made it is not known yet; the next round asks again.
  bool is_used_once(ValueId value) const { return value.index < uses.size() && uses[value.index] == 1; }
  /// `value` stands for the op's result as it is: same element, storage and shape.
  bool fits(ValueId value) const;
  /// `value`, broadcast to the result's shape if it is a scalar; nothing if it does not fit.
  std::optional<ValueId> spread(ValueId value) const;
};

using Replacement = std::optional<std::vector<ValueId>>;

struct Rule {
  OpKind kind;
  Replacement (*apply)(Rewrite&);
};

std::span<const Rule> append_rules();
std::span<const Rule> elementwise_rules();
std::span<const Rule> view_rules();
std::span<const Rule> few_lines_rules();
std::span<const Rule> mask_rules();
std::span<const Rule> product_rules();
std::span<const Rule> reduction_rules();

}  // namespace lac::passes
