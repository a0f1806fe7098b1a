#include "passes/safety.h"

#include <algorithm>
#include <cstdint>

namespace lac::passes {
namespace {

bool not_negative(const Graph& graph, const Size& size) {
  const std::optional<std::int64_t> bound = size.lower_bound(graph.symbols);
  return bound && *bound >= 0;
}

bool in_range(const Graph& graph, const Subscript& subscript, const Size& extent) {
  if (subscript.kind == SubscriptKind::all) return true;
  if (subscript.kind == SubscriptKind::vector || !subscript.step.is_constant()) return false;
  if (subscript.count.is(0)) return true;
  const Size last = subscript.first + subscript.step * (subscript.count - 1);
  const bool ascending = subscript.step.constant() >= 0;
  return not_negative(graph, ascending ? subscript.first : last) &&
         not_negative(graph, extent - 1 - (ascending ? last : subscript.first));
}

bool subscripts_in_range(const Graph& graph, const Op& op) {
  const Subscripts& subscripts = attribute<Subscripts>(op);
  const Type& base = graph.type(op.operands[0]);
  if (subscripts.linear()) return in_range(graph, subscripts.axes[0], base.count());
  return in_range(graph, subscripts.axes[0], base.rows) && in_range(graph, subscripts.axes[1], base.cols);
}

bool broadcasts_to(const Type& operand, const Type& result) {
  return (operand.rows.is(1) || operand.rows == result.rows) && (operand.cols.is(1) || operand.cols == result.cols);
}

bool operands_broadcast(const Graph& graph, const Op& op) {
  return std::all_of(op.operands.begin(), op.operands.end(),
                     [&](ValueId operand) { return broadcasts_to(graph.type(operand), graph.type(op.results[0])); });
}

bool product_fits(const Graph& graph, const Op& op) {
  const Type& left = graph.type(op.operands[0]);
  const Type& right = graph.type(op.operands[1]);
  const Transposes& transposes = attribute<Transposes>(op);
  return (transposes.left ? left.rows : left.cols) == (transposes.right ? right.cols : right.rows);
}

bool concat_fits(const Graph& graph, const Op& op) {
  const bool down = attribute<Axis>(op) == Axis::rows;
  const Type& result = graph.type(op.results[0]);
  return std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId operand) {
    const Type& type = graph.type(operand);
    return down ? type.cols == result.cols : type.rows == result.rows;
  });
}

/// Where a loop makes a trip an extent may be larger than where it makes none.
bool grows(const Graph& graph, const Op& op) {
  const Type &before = graph.type(op.operands[0]), &after = graph.type(op.results[0]);
  return at_most(graph.symbols, before.rows, after.rows) && at_most(graph.symbols, before.cols, after.cols);
}

bool value_fits_region(const Graph& graph, const Op& op) {
  const Type& value = graph.type(op.operands.back());
  const Subscripts& subscripts = attribute<Subscripts>(op);
  if (value.is_scalar()) return true;
  Size count = 1;
  for (const Subscript& axis : subscripts.axes) count = count * axis.count;
  return value.count() == count;
}

}  // namespace

bool is_safe_anywhere(const Graph& graph, const Op& op) {
  switch (op.kind) {
    case OpKind::map: return operands_broadcast(graph, op);
    case OpKind::index: return subscripts_in_range(graph, op);
    case OpKind::update: return subscripts_in_range(graph, op) && value_fits_region(graph, op);
    case OpKind::reshape: return stored_elements(graph.type(op.operands[0])) == graph.type(op.results[0]).count();
    case OpKind::matmul: return product_fits(graph, op);
    case OpKind::concat: return concat_fits(graph, op);
    case OpKind::resize: return grows(graph, op);
    case OpKind::diagonal: {
      const Type& type = graph.type(op.operands[0]);
      return type.rows == type.cols || graph.type(op.results[0]).rows.is_constant();
    }
    case OpKind::library: return is_quiet(attribute<LibraryFn>(op));
    default: return has_trait(op.kind, trait::pure);
  }
}

namespace {

constexpr std::int64_t small_count = std::int64_t{1} << 16;  // elements, which are there whenever anything is

/// A slice has no more elements than what it is taken from, unless it takes them more than once.
bool is_slice(const Op& op) {
  if (op.kind != OpKind::index) return false;
  const std::vector<Subscript>& axes = attribute<Subscripts>(op).axes;
  return std::all_of(axes.begin(), axes.end(), [](const Subscript& axis) {
    return axis.kind == SubscriptKind::all ||
           (axis.kind == SubscriptKind::range && axis.step.is_constant() && !axis.step.is(0));
  });
}

/// Sparse results whose entries may be many times those of the operands.
bool multiplies_entries(const Op& op) {
  if (op.kind != OpKind::library) return false;
  const LibraryFn fn = attribute<LibraryFn>(op);
  return fn == LibraryFn::kron || fn == LibraryFn::sparse_multiply;
}

bool fits_into(const Graph& graph, const Size& count, const std::vector<Size>& held) {
  if (at_most(graph.symbols, count, small_count)) return true;
  return std::any_of(held.begin(), held.end(), [&](const Size& other) { return at_most(graph.symbols, count, other); });
}

}  // namespace

void hold(const Type& type, std::vector<Size>& held) {
  const auto add = [&](const Size& size) {
    if (std::ranges::find(held, size) == held.end()) held.push_back(size);
  };
  add(type.rows);
  add(type.cols);
  if (type.is_dense()) add(type.count());
}

bool can_be_made_early(const Graph& graph, const Op& op, const std::vector<Size>& held) {
  // In a loop that runs while n > 0, `n - 1` is an extent; outside it may be none.
  const auto is_extent_here = [&](const Size& size) {
    return at_most(graph.symbols, 0, size) || std::ranges::find(held, size) != held.end();
  };
  return std::ranges::all_of(op.results, [&](ValueId result) {
    const Type& type = graph.type(result);
    if (!is_extent_here(type.rows) || !is_extent_here(type.cols)) return false;
    if (is_slice(op)) return true;
    if (type.is_dense()) return fits_into(graph, type.count(), held);
    return !multiplies_entries(op) && fits_into(graph, type.rows, held);
  });
}

namespace {

enum class Voice : std::uint8_t { quiet, speaks };

constexpr Voice voices[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) Voice::voice,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};

}  // namespace

bool is_quiet(LibraryFn fn) { return voices[static_cast<std::size_t>(fn)] == Voice::quiet; }

bool has_effect(const Graph& graph, const Op& op) {
  if (has_trait(op.kind, trait::effect)) return true;
  if (op.kind == OpKind::library && !is_quiet(attribute<LibraryFn>(op))) return true;
  return std::any_of(op.blocks.begin(), op.blocks.end(), [&](BlockId block) {
    const std::vector<OpId>& ops = graph.blocks[block].ops;
    return std::any_of(ops.begin(), ops.end(), [&](OpId inner) { return has_effect(graph, graph.ops[inner]); });
  });
}

bool may_stop(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::check) return true;
  if (op.kind == OpKind::library) return !is_quiet(attribute<LibraryFn>(op));
  return std::any_of(op.blocks.begin(), op.blocks.end(), [&](BlockId block) {
    const std::vector<OpId>& ops = graph.blocks[block].ops;
    return std::any_of(ops.begin(), ops.end(), [&](OpId inner) { return may_stop(graph, graph.ops[inner]); });
  });
}

}  // namespace lac::passes
