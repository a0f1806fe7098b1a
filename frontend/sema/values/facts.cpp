#include "frontend/sema/values/facts.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace lac::frontend {
namespace {

constexpr std::size_t most_bounds = 4;  ///< of a symbol, on each side

// Whether every term with the symbol is linear in it, has a negative coefficient (where it `falls`; else a positive
// one), and otherwise only factors >= 0: then putting an upper (a lower) bound in the symbol's place gives a lower
// bound of the size.
bool moves_with(const Graph& graph, const Size& size, SymbolId symbol, bool falls) {
  for (const Size::Term& term : size.terms()) {
    const auto power = std::ranges::count(term.factors, symbol);
    if (power == 0) continue;
    const auto may_be_negative = [&](SymbolId factor) { return factor != symbol && graph.symbols[factor].lower < 0; };
    if (power > 1 || (term.coefficient < 0) != falls || std::ranges::any_of(term.factors, may_be_negative))
      return false;
  }
  return true;
}

}  // namespace

void Bounds::add(SymbolId symbol, const Size& bound, bool above) {
  Of all = of(symbol) ? *of(symbol) : Of{};
  std::vector<Size>& bounds = above ? all.above : all.below;
  if (bounds.size() == most_bounds || std::ranges::find(bounds, bound) != bounds.end()) return;
  bounds.push_back(bound);
  bounds_.insert_or_assign(symbol, std::move(all));
}

const Bounds::Of* Bounds::of(SymbolId symbol) const {
  const auto found = bounds_.find(symbol);
  return found == bounds_.end() ? nullptr : &found->second;
}

/// Looks for bounds to put in the place of symbols until what is left is a number, or one that the symbols' own lower
/// bounds decide.
class Facts::Proof {
 public:
  Proof(const Facts& facts, const Graph& graph, bool here) : facts_(facts), graph_(graph), here_(here) {}

  bool nonnegative(const Size& size, int depth = 5) {
    if (size.is_constant()) return size.constant() >= 0;
    if (size.lower_bound(graph_.symbols).value_or(-1) >= 0) return true;
    if (depth == 0) return false;
    std::set<SymbolId> symbols;
    size.for_each_symbol([&](SymbolId id) { symbols.insert(id); });
    return std::ranges::any_of(symbols, [&](SymbolId symbol) {
      return by_bound(size, symbol, true, depth) || by_bound(size, symbol, false, depth);
    });
  }

 private:
  bool by_bound(const Size& size, SymbolId symbol, bool falls, int depth) {
    const auto try_bound = [&](const Size& bound) {
      if (--left_ < 0) return false;
      return nonnegative(
          size.substitute([&](SymbolId id) { return id == symbol ? std::optional<Size>(bound) : std::nullopt; }),
          depth - 1);
    };
    const auto try_all = [&](const Bounds& bounds) {
      const Bounds::Of* of = bounds.of(symbol);
      return of && std::ranges::any_of(falls ? of->above : of->below, try_bound);
    };
    const auto clamped = falls ? facts_.clamped.end() : facts_.clamped.find(symbol);
    if (!moves_with(graph_, size, symbol, falls)) return false;
    return (clamped != facts_.clamped.end() && try_bound(clamped->second)) || try_all(facts_.always_) ||
           (here_ && try_all(facts_.checked.bounds));
  }

  const Facts& facts_;
  const Graph& graph_;
  bool here_;
  int left_ = 200;  ///< bounds to try
};

// Every symbol that stands alone in a term lies on one side of the rest.
void Facts::note_nonnegative(const Size& size) {
  for (const Size::Term& term : size.terms()) {
    if (term.factors.size() != 1 || std::abs(term.coefficient) != 1) continue;
    const SymbolId symbol = term.factors[0];
    const Size rest = size - Size::from_terms({term});
    bool appears = false;
    rest.for_each_symbol([&](SymbolId other) { appears = appears || other == symbol; });
    if (!appears) checked.bounds.add(symbol, term.coefficient > 0 ? Size(0) - rest : rest, term.coefficient < 0);
  }
}

bool Facts::nonnegative(const Graph& graph, const Size& size) const {
  return Proof(*this, graph, false).nonnegative(size);
}

bool Facts::nonnegative_here(const Graph& graph, const Size& size) const {
  return Proof(*this, graph, true).nonnegative(size);
}

const Size* Facts::upper_bound(SymbolId symbol) const {
  const Bounds::Of* of = always_.of(symbol);
  return of && !of->above.empty() ? &of->above.front() : nullptr;
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
