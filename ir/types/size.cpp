#include "ir/types/size.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

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

using Terms = std::vector<Size::Term>;

void add(Terms& terms, Size::Term term) {
  const auto place = std::ranges::lower_bound(terms, term.factors, {}, &Size::Term::factors);
  if (place == terms.end() || place->factors != term.factors) {
    if (term.coefficient != 0) terms.insert(place, std::move(term));
  } else {
    place->coefficient = saturated_sum(place->coefficient, term.coefficient);
    if (place->coefficient == 0) terms.erase(place);
  }
}

std::int64_t take_constant(Terms& sum) {
  if (sum.empty() || !sum[0].factors.empty()) return 0;
  const std::int64_t constant = sum[0].coefficient;
  sum.erase(sum.begin());
  return constant;
}

}  // namespace

Size::Size(std::int64_t constant) : constant_(std::max(constant, -largest)) {}

Size Size::symbol(SymbolId id) {
  Size size;
  size.symbol_ = id;
  return size;
}

Size Size::made_of(std::int64_t constant, Terms terms) {
  Size size(constant);
  if (terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1) {
    size.symbol_ = terms[0].factors[0];
  } else if (!terms.empty()) {
    size.rest_ = std::make_shared<const Terms>(std::move(terms));
  }
  return size;
}

Size Size::from_terms(const Terms& terms) {
  Terms sum;
  for (Term term : terms) {
    term.coefficient = std::max(term.coefficient, -largest);
    std::ranges::sort(term.factors);
    add(sum, std::move(term));
  }
  const std::int64_t constant = take_constant(sum);
  return made_of(constant, std::move(sum));
}

Terms Size::terms() const {
  Terms terms;
  if (constant_ != 0) terms.push_back({constant_, {}});
  if (symbol_) terms.push_back({1, {symbol_}});
  if (rest_) terms.insert(terms.end(), rest_->begin(), rest_->end());
  return terms;
}

bool Size::same_rest(const Size& other) const { return rest_ && other.rest_ && *rest_ == *other.rest_; }

std::optional<SymbolId> Size::as_symbol() const {
  if (!symbol_ || constant_ != 0) return std::nullopt;
  return symbol_;
}

void Size::for_each_symbol(const std::function<void(SymbolId)>& visit) const {
  if (symbol_) visit(symbol_);
  if (!rest_) return;
  for (const Term& term : *rest_)
    for (SymbolId factor : term.factors) visit(factor);
}

bool is_integer_sum(const Size& size) {
  constexpr std::int64_t largest_coefficient = 16;
  constexpr int most_terms = 12;  // 12 * 16 * 2^53 + 2^53 < 2^61
  int terms = 0;
  bool small = true;
  size.for_each_term([&](std::int64_t coefficient, std::span<const SymbolId> factors) {
    ++terms;
    small = small && factors.size() <= 1 &&
            std::abs(coefficient) <= (factors.empty() ? largest_extent : largest_coefficient);
  });
  return small && terms <= most_terms;
}

namespace {

// Nothing where a symbol is beyond all extents.
std::optional<std::int64_t> integer_sum(const Size& size, const std::function<std::int64_t(SymbolId)>& value_of) {
  std::int64_t sum = 0;
  bool exact = true;
  size.for_each_term([&](std::int64_t coefficient, std::span<const SymbolId> factors) {
    const std::int64_t value = factors.empty() ? 1 : value_of(factors[0]);
    exact = exact && std::abs(value) <= largest_extent;
    if (exact) sum += coefficient * value;
  });
  return exact ? std::optional(sum) : std::nullopt;
}

}  // namespace

SizeSum evaluate_sum(const Size& size, const std::function<std::int64_t(SymbolId)>& value_of) {
  if (is_integer_sum(size))
    if (const auto exact = integer_sum(size, value_of))
      return {static_cast<double>(*exact), std::abs(static_cast<double>(*exact))};
  SizeSum sum;
  size.for_each_term([&](std::int64_t coefficient, std::span<const SymbolId> factors) {
    auto product = static_cast<double>(coefficient);
    for (SymbolId factor : factors) product *= static_cast<double>(value_of(factor));
    sum.sum += product;
    sum.magnitude += std::abs(product);
  });
  return sum;
}

std::int64_t Size::evaluate(const std::function<std::int64_t(SymbolId)>& value_of) const {
  if (is_constant() && is_extent(constant_)) return constant_;
  return evaluate_sum(*this, value_of).size();
}

// Shift every symbol to its lower bound, s = lower + t with t >= 0: when all resulting coefficients of non-constant
// terms are >= 0, the constant term is a lower bound.
std::optional<std::int64_t> Size::lower_bound(const SymbolTable& symbols) const {
  bool bounded = true, from_zero = true;
  for_each_symbol([&](SymbolId id) {
    bounded = bounded && symbols[id].lower != SizeSymbol::unbounded;
    from_zero = from_zero && symbols[id].lower == 0;
  });
  if (!bounded) return std::nullopt;
  const auto falls = [](const Term& term) { return !term.factors.empty() && term.coefficient < 0; };
  if (rest_ && from_zero) return std::ranges::any_of(*rest_, falls) ? std::nullopt : std::optional(constant_);
  if (!rest_) return saturated_sum(constant_, symbol_ ? symbols[symbol_].lower : 0);
  const Size shifted =
      substitute([&](SymbolId id) -> std::optional<Size> { return Size::symbol(id) + Size(symbols[id].lower); });
  if (std::ranges::any_of(shifted.terms(), falls)) return std::nullopt;
  return shifted.constant();
}

Size Size::substitute(const std::function<std::optional<Size>(SymbolId)>& image) const {
  if (symbol_) return Size(constant_) + image(symbol_).value_or(symbol(symbol_));
  if (!rest_) return *this;
  Terms sum = {{constant_, {}}};
  for (const Term& term : *rest_) {
    Size product(term.coefficient);
    for (SymbolId factor : term.factors) product = product * image(factor).value_or(symbol(factor));
    std::ranges::move(product.terms(), std::back_inserter(sum));
  }
  return from_terms(sum);
}

Size operator+(const Size& a, const Size& b) {
  if (b.is_constant() || a.is_constant()) {
    Size sum = b.is_constant() ? a : b;
    sum.constant_ = saturated_sum(a.constant_, b.constant_);
    return sum;
  }
  Terms terms = a.terms();
  for (Size::Term& term : b.terms()) add(terms, std::move(term));
  const std::int64_t constant = take_constant(terms);
  return Size::made_of(constant, std::move(terms));
}

Size operator-(const Size& a, const Size& b) {
  if (b.symbol_ == a.symbol_ && b.rest_ == a.rest_) return saturated_sum(a.constant_, -b.constant_);
  if (b.is_constant()) return a + Size(-b.constant_);
  Terms terms = a.terms();
  for (Size::Term& term : b.terms()) {
    term.coefficient = -term.coefficient;
    add(terms, std::move(term));
  }
  const std::int64_t constant = take_constant(terms);
  return Size::made_of(constant, std::move(terms));
}

Size operator*(const Size& a, const Size& b) {
  if (a.is_constant() && b.is_constant()) return saturated_product(a.constant_, b.constant_);
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  Terms product;
  const Terms factors = b.terms();
  for (const Size::Term& x : a.terms())
    for (const Size::Term& y : factors) {
      Size::Term term{saturated_product(x.coefficient, y.coefficient), x.factors};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      std::ranges::sort(term.factors);
      add(product, std::move(term));
    }
  return Size::from_terms(product);
}

bool at_most(const SymbolTable& symbols, const Size& a, const Size& b) {
  const std::optional<std::int64_t> slack = (b - a).lower_bound(symbols);
  return slack && *slack >= 0;
}

bool may_equal(const SymbolTable& symbols, const Size& a, const Size& b) {
  // Not by a + 1 <= b: arithmetic stops at 2^63 - 1, and a size there would be less than itself.
  const auto is_less = [&](const Size& x, const Size& y) { return (y - x).lower_bound(symbols).value_or(0) >= 1; };
  return !is_less(a, b) && !is_less(b, a);
}

std::optional<Size> quotient(const Size& a, const Size& b) {
  const Terms divisors = b.terms();
  if (divisors.size() != 1) return std::nullopt;
  const Size::Term& divisor = divisors.front();
  Terms terms = a.terms();
  for (Size::Term& term : terms) {
    std::vector<SymbolId> factors;
    std::ranges::set_difference(term.factors, divisor.factors, std::back_inserter(factors));
    const bool divides =
        term.coefficient % divisor.coefficient == 0 && factors.size() + divisor.factors.size() == term.factors.size();
    if (!divides) return std::nullopt;
    term = {term.coefficient / divisor.coefficient, std::move(factors)};
  }
  return Size::from_terms(terms);
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
