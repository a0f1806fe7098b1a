#include "frontend/sema/values/facts.h"

#include <set>

namespace lac::frontend {
namespace {

// Whether every term with the symbol is linear in it, has a negative coefficient (where it `falls`; else a positive
// one), and otherwise only factors >= 0: then putting an upper (a lower) bound in the symbol's place gives a lower
// bound of the size.
bool moves_with(const Graph& graph, const Size& size, SymbolId symbol, bool falls) {
  for (const Size::Term& term : size.terms()) {
    int power = 0;
    for (SymbolId factor : term.factors) {
      if (factor == symbol) ++power;
      else if (graph.symbols[factor].lower < 0) return false;
    }
    if (power > 1 || (power == 1 && (term.coefficient < 0) != falls)) return false;
  }
  return true;
}

}  // namespace

bool Facts::nonnegative(const Graph& graph, const Size& size, int depth) const {
  if (size.is_constant()) return size.constant() >= 0;
  if (size.lower_bound(graph.symbols).value_or(-1) >= 0) return true;
  if (depth == 0) return false;
  std::set<SymbolId> symbols;
  size.for_each_symbol([&](SymbolId id) { symbols.insert(id); });
  for (SymbolId symbol : symbols) {
    for (const bool falls : {true, false}) {
      const PersistentMap<SymbolId, Size>& bounds = falls ? upper : clamped;
      const auto bound = bounds.find(symbol);
      if (bound == bounds.end() || !moves_with(graph, size, symbol, falls)) continue;
      const Size bounded = size.substitute(
          [&](SymbolId id) { return id == symbol ? std::optional<Size>(bound->second) : std::nullopt; });
      if (nonnegative(graph, bounded, depth - 1)) return true;
    }
  }
  return false;
}

Size Facts::where_positive(const Size& size) const {
  const std::int64_t constant = size.constant();
  const auto symbol = (size - constant).as_symbol();
  const auto bound = symbol && constant <= 0 ? clamped.find(*symbol) : clamped.end();
  return bound == clamped.end() ? size : where_positive(bound->second + constant);
}

bool Facts::distinct(const Graph& graph, const Size& a, const Size& b) const {
  return nonnegative(graph, a - b - 1) || nonnegative(graph, b - a - 1);
}

}  // namespace lac::frontend
