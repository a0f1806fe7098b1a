#include "frontend/sema/facts.h"

#include <set>

namespace lac::frontend {
namespace {

// Whether every term with the symbol is linear in it, has a negative coefficient, and otherwise only factors >= 0:
// then putting an upper bound in the symbol's place gives a lower bound of the size.
bool falls_with(const Graph& graph, const Size& size, SymbolId symbol) {
  for (const Size::Term& term : size.terms()) {
    int power = 0;
    for (SymbolId factor : term.factors) {
      if (factor == symbol) ++power;
      else if (graph.symbols[factor].lower < 0) return false;
    }
    if (power > 1 || (power == 1 && term.coefficient > 0)) return false;
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
    const auto bound = upper.find(symbol);
    if (bound == upper.end() || !falls_with(graph, size, symbol)) continue;
    const Size bounded =
        size.substitute([&](SymbolId id) { return id == symbol ? std::optional<Size>(bound->second) : std::nullopt; });
    if (nonnegative(graph, bounded, depth - 1)) return true;
  }
  return false;
}

bool Facts::distinct(const Graph& graph, const Size& a, const Size& b) const {
  return nonnegative(graph, a - b - 1) || nonnegative(graph, b - a - 1);
}

}  // namespace lac::frontend
