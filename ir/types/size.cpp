#include "ir/types/size.h"

#include <algorithm>
#include <limits>

#include "ir/types/extent.h"

namespace lac {
namespace {

// INT64_MIN is left out, so that every number has a negative.
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? -largest : largest;
  return std::max(sum, -largest);
}

std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return (a < 0) != (b < 0) ? -largest : largest;
  return std::max(product, -largest);
}

}  // namespace

Size::Size(std::int64_t constant) {
  if (constant != 0) terms_.push_back({std::max(constant, -largest), {}});
}

Size Size::symbol(SymbolId id) {
  Size size;
  size.terms_.push_back({1, {id}});
  return size;
}

std::int64_t Size::constant() const { return !terms_.empty() && terms_[0].factors.empty() ? terms_[0].coefficient : 0; }

std::optional<SymbolId> Size::as_symbol() const {
  if (terms_.size() != 1 || terms_[0].coefficient != 1 || terms_[0].factors.size() != 1) return std::nullopt;
  return terms_[0].factors[0];
}

void Size::for_each_symbol(const std::function<void(SymbolId)>& visit) const {
  for (const Term& term : terms_)
    for (SymbolId factor : term.factors) visit(factor);
}

SizeSum evaluate_sum(const Size& size, const std::function<std::int64_t(SymbolId)>& value_of) {
  SizeSum sum;
  for (const Size::Term& term : size.terms()) {
    auto product = static_cast<double>(term.coefficient);
    for (SymbolId factor : term.factors) product *= static_cast<double>(value_of(factor));
    sum.sum += product;
    sum.magnitude += std::abs(product);
  }
  return sum;
}

std::int64_t Size::evaluate(const std::function<std::int64_t(SymbolId)>& value_of) const {
  return evaluate_sum(*this, value_of).size();
}

// Shift every symbol to its lower bound, s = lower + t with t >= 0: when all resulting coefficients of non-constant
// terms are >= 0, the constant term is a lower bound.
std::optional<std::int64_t> Size::lower_bound(const SymbolTable& symbols) const {
  bool bounded = true;
  for_each_symbol([&](SymbolId id) { bounded = bounded && symbols[id].lower != SizeSymbol::unbounded; });
  if (!bounded) return std::nullopt;
  const Size shifted =
      substitute([&](SymbolId id) -> std::optional<Size> { return Size::symbol(id) + Size(symbols[id].lower); });
  for (const Term& term : shifted.terms_)
    if (!term.factors.empty() && term.coefficient < 0) return std::nullopt;
  return shifted.constant();
}

Size Size::substitute(const std::function<std::optional<Size>(SymbolId)>& image) const {
  Size sum;
  for (const Term& term : terms_) {
    Size product(term.coefficient);
    for (SymbolId factor : term.factors) product = product * image(factor).value_or(Size::symbol(factor));
    sum = sum + product;
  }
  return sum;
}

void Size::add(Term term) {
  const auto place = std::lower_bound(terms_.begin(), terms_.end(), term,
                                      [](const Term& a, const Term& b) { return a.factors < b.factors; });
  if (place == terms_.end() || place->factors != term.factors) {
    if (term.coefficient != 0) terms_.insert(place, std::move(term));
  } else {
    place->coefficient = saturated_sum(place->coefficient, term.coefficient);
    if (place->coefficient == 0) terms_.erase(place);
  }
}

Size operator+(const Size& a, const Size& b) {
  Size sum = a;
  for (const Size::Term& term : b.terms_) sum.add(term);
  return sum;
}

Size operator-(const Size& a, const Size& b) {
  Size difference = a;
  for (Size::Term term : b.terms_) {
    term.coefficient = -term.coefficient;
    difference.add(std::move(term));
  }
  return difference;
}

Size operator*(const Size& a, const Size& b) {
  Size product;
  for (const Size::Term& x : a.terms_)
    for (const Size::Term& y : b.terms_) {
      Size::Term term{saturated_product(x.coefficient, y.coefficient), x.factors};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      std::sort(term.factors.begin(), term.factors.end());
      product.add(std::move(term));
    }
  return product;
}

bool at_most(const SymbolTable& symbols, const Size& a, const Size& b) {
  const std::optional<std::int64_t> slack = (b - a).lower_bound(symbols);
  return slack && *slack >= 0;
}

bool may_equal(const SymbolTable& symbols, const Size& a, const Size& b) {
  return !at_most(symbols, a + 1, b) && !at_most(symbols, b + 1, a);
}

namespace {

std::string product_text(const Size::Term& term, const std::function<std::string(SymbolId)>& name_of) {
  std::string text;
  for (std::size_t i = 0; i < term.factors.size();) {
    std::size_t power = 1;
    while (i + power < term.factors.size() && term.factors[i + power] == term.factors[i]) ++power;
    if (!text.empty()) text += "*";
    text += name_of(term.factors[i]);
    if (power > 1) text += "^" + std::to_string(power);
    i += power;
  }
  return text;
}

}  // namespace

std::string to_string(const Size& size, const std::function<std::string(SymbolId)>& name_of) {
  if (size.is_constant()) return std::to_string(size.constant());
  std::string text;
  const auto append = [&](const Size::Term& term) {
    const std::int64_t magnitude = std::abs(term.coefficient);
    if (text.empty()) text += term.coefficient < 0 ? "-" : "";
    else text += term.coefficient < 0 ? " - " : " + ";
    const std::string product = product_text(term, name_of);
    if (magnitude != 1 || product.empty()) text += std::to_string(magnitude) + (product.empty() ? "" : "*");
    text += product;
  };
  for (const Size::Term& term : size.terms())
    if (!term.factors.empty()) append(term);
  for (const Size::Term& term : size.terms())
    if (term.factors.empty()) append(term);
  return text;
}

}  // namespace lac
