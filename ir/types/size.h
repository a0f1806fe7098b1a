// Sizes: polynomials with integer coefficients over size symbols, kept in one normal form.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/support/id.h"

namespace lac {

using ValueId = Id<struct ValueTag>;
using SymbolId = Id<struct SymbolTag>;

/// Where a symbol gets its number from.
enum class SymbolOrigin : std::uint8_t {
  parameter_rows,   ///< the row count of a matrix parameter
  parameter_cols,   ///< its column count
  parameter_value,  ///< the value of an integer scalar parameter
  value,            ///< an integer scalar of the graph: a runtime size
};

/// An unknown integer. Parameter symbols stand for at least 2 (sizes 0 and 1 select another specialisation).
struct SizeSymbol {
  std::string name;  ///< as the user wrote it; empty for runtime sizes
  SymbolOrigin origin = SymbolOrigin::value;
  std::uint32_t parameter = 0;  ///< for the parameter origins
  ValueId value = {};           ///< for origin `value`: the integer scalar that defines it
  std::int64_t lower = 0;       ///< a proven lower bound, or `unbounded`

  static constexpr std::int64_t unbounded = INT64_MIN;
};

using SymbolTable = IdVector<SymbolId, SizeSymbol>;

/// sum of coefficient * product(factors). Terms are sorted by factors, coefficients are non-zero, so equality is
/// structural. The normal form decides equality of sizes; what it cannot decide is checked at run time. Arithmetic
/// stops at +-(2^63 - 1): no memory holds that many elements, so what needs such a size fails for want of memory.
class Size {
 public:
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<SymbolId> factors;  ///< sorted, with repetition; empty for the constant term
    friend bool operator==(const Term&, const Term&) = default;
  };

  Size() = default;             ///< zero
  Size(std::int64_t constant);  // NOLINT: sizes and integers mix freely
  static Size symbol(SymbolId id);
  static Size from_terms(const std::vector<Term>& terms);  ///< their sum

  bool is_constant() const { return !symbol_ && !rest_; }
  bool is(std::int64_t value) const { return is_constant() && constant_ == value; }
  /// The constant term.
  std::int64_t constant() const { return constant_; }
  std::vector<Term> terms() const;
  /// visit(coefficient, factors) of each term. Takes no memory.
  template <class Visit>
  void for_each_term(const Visit& visit) const {
    if (constant_ != 0) visit(constant_, std::span<const SymbolId>());
    if (symbol_) visit(std::int64_t{1}, std::span(&symbol_, 1));
    if (!rest_) return;
    for (const Term& term : *rest_) visit(term.coefficient, std::span(term.factors));
  }
  /// The symbol if the size is exactly one symbol.
  std::optional<SymbolId> as_symbol() const;
  void for_each_symbol(const std::function<void(SymbolId)>& visit) const;

  std::int64_t evaluate(const std::function<std::int64_t(SymbolId)>& value_of) const;
  /// A lower bound from the symbols' lower bounds, if one can be given.
  std::optional<std::int64_t> lower_bound(const SymbolTable& symbols) const;
  /// Replaces symbols; symbols without an image stay.
  Size substitute(const std::function<std::optional<Size>(SymbolId)>& image) const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  friend bool operator==(const Size& a, const Size& b) {
    return a.constant_ == b.constant_ && a.symbol_ == b.symbol_ && (a.rest_ == b.rest_ || a.same_rest(b));
  }

 private:
  /// The terms but the constant one, in order.
  static Size made_of(std::int64_t constant, std::vector<Term> terms);
  bool same_rest(const Size& other) const;

  // Most sizes are a number or a symbol with a number, and programs hold tens of thousands of them: those need no
  // memory of their own.
  std::int64_t constant_ = 0;
  SymbolId symbol_ = {};                           ///< where the other terms are this one, once
  std::shared_ptr<const std::vector<Term>> rest_;  ///< where they are anything else
};

/// a <= b is proven by the lower bounds of the symbols.
bool at_most(const SymbolTable& symbols, const Size& a, const Size& b);
/// False where the two sizes are provably different. What is left open is checked at run time (by lowering's `check`).
bool may_equal(const SymbolTable& symbols, const Size& a, const Size& b);

/// a / b where b is one term that divides every term of a.
std::optional<Size> quotient(const Size& a, const Size& b);

/// "n^2 - 1", with `name_of` giving each symbol's text.
std::string to_string(const Size& size, const std::function<std::string(SymbolId)>& name_of);

}  // namespace lac
