#include "codegen/glsl/scalar/scalar_math.h"

#include <array>
#include <cctype>
#include <cmath>

#include "codegen/glsl/scalar/math_library.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

/// What the operands are converted to before `text` sees them.
enum class Domain : std::uint8_t {
  floating,  ///< float where that loses nothing (see is_single), else double
  truth,     ///< bool
  choice,    ///< bool, then two of the result's element
};

struct Row {
  ScalarOp op;
  Domain domain;
  std::string_view text;         ///< $1, $2, $3: the operands; $T: the suffix of our functions
  std::string_view driver = {};  ///< the same by GLSL's own function, where there is one (float only)
  std::string_view once = {};    ///< rounded once, where `text` may not be (float only)
};

using Op = ScalarOp;
constexpr Domain floating = Domain::floating, truth = Domain::truth;

constexpr std::array<Row, scalar_op_count> rows = {{
    {Op::add, floating, "($1 + $2)"},
    {Op::sub, floating, "($1 - $2)"},
    {Op::mul, floating, "($1 * $2)"},
    {Op::div, floating, "($1 / $2)", {}, "lac_quotient$T($1, $2)"},
    {Op::neg, floating, "(-$1)"},
    {Op::abs, floating, "abs($1)"},
    {Op::sign, floating, "lac_sign$T($1)"},
    {Op::min, floating, "lac_min$T($1, $2)"},
    {Op::max, floating, "lac_max$T($1, $2)"},
    {Op::mod, floating, "lac_mod$T($1, $2)"},
    {Op::rem, floating, "lac_rem$T($1, $2)"},
    {Op::floor, floating, "floor($1)"},
    {Op::ceil, floating, "ceil($1)"},
    {Op::round, floating, "lac_round$T($1)"},
    {Op::fix, floating, "lac_trunc$T($1)"},
    {Op::pow, floating, "lac_pow$T($1, $2)", "pow($1, $2)"},
    {Op::hypot, floating, "lac_hypot$T($1, $2)"},
    {Op::atan2, floating, "lac_atan2$T($1, $2)", "atan($1, $2)"},
    {Op::sqrt, floating, "sqrt($1)", {}, "lac_root$T($1)"},
    {Op::cbrt, floating, "lac_cbrt$T($1)"},
    {Op::exp, floating, "lac_exp$T($1)", "exp($1)"},
    {Op::expm1, floating, "lac_expm1$T($1)"},
    {Op::log, floating, "lac_log$T($1)", "log($1)"},
    {Op::log1p, floating, "lac_log1p$T($1)"},
    {Op::log2, floating, "lac_log2$T($1)", "log2($1)"},
    {Op::log10, floating, "lac_log10$T($1)"},
    {Op::sin, floating, "lac_sin$T($1)", "sin($1)"},
    {Op::cos, floating, "lac_cos$T($1)", "cos($1)"},
    {Op::tan, floating, "lac_tan$T($1)", "tan($1)"},
    {Op::asin, floating, "lac_asin$T($1)", "asin($1)"},
    {Op::acos, floating, "lac_acos$T($1)", "acos($1)"},
    {Op::atan, floating, "lac_atan$T($1)", "atan($1)"},
    {Op::sinh, floating, "lac_sinh$T($1)", "sinh($1)"},
    {Op::cosh, floating, "lac_cosh$T($1)", "cosh($1)"},
    {Op::tanh, floating, "lac_tanh$T($1)", "tanh($1)"},
    {Op::asinh, floating, "lac_asinh$T($1)", "asinh($1)"},
    {Op::acosh, floating, "lac_acosh$T($1)", "acosh($1)"},
    {Op::atanh, floating, "lac_atanh$T($1)", "atanh($1)"},
    {Op::erf, floating, "lac_erf$T($1)"},
    {Op::erfc, floating, "lac_erfc$T($1)"},
    {Op::gamma, floating, "lac_gamma$T($1)"},
    {Op::lgamma, floating, "lac_lgamma$T($1)"},
    {Op::eq, floating, "($1 == $2)"},
    {Op::ne, floating, "(!($1 == $2))"},
    {Op::lt, floating, "($1 < $2)"},
    {Op::le, floating, "($1 <= $2)"},
    {Op::gt, floating, "($1 > $2)"},
    {Op::ge, floating, "($1 >= $2)"},
    {Op::logical_and, truth, "($1 && $2)"},
    {Op::logical_or, truth, "($1 || $2)"},
    {Op::logical_xor, truth, "($1 != $2)"},
    {Op::logical_not, truth, "(!$1)"},
    {Op::bit_and, floating, "lac_bit_and$T($1, $2)"},
    {Op::bit_or, floating, "lac_bit_or$T($1, $2)"},
    {Op::bit_xor, floating, "lac_bit_xor$T($1, $2)"},
    {Op::is_nan, floating, "lac_is_nan$T($1)"},
    {Op::is_inf, floating, "lac_is_inf$T($1)"},
    {Op::is_finite, floating, "lac_is_finite$T($1)"},
    {Op::select, Domain::choice, "($1 ? $2 : $3)"},
}};

constexpr bool rows_follow_the_enum() {
  for (int n = 0; n < scalar_op_count; ++n)
    if (rows[n].op != static_cast<ScalarOp>(n)) return false;
  return true;
}
static_assert(rows_follow_the_enum());

/// Exact as a float: a single, a truth value, or a literal that a float holds.
bool is_single(const TypedText& operand) {
  if (operand.element == Element::single || operand.element == Element::logical) return true;
  const std::optional<double> value = literal_value(operand.text);
  return value && static_cast<double>(static_cast<float>(*value)) == *value;
}

Element common_element(const std::vector<TypedText>& operands) {
  bool single = false;
  for (const TypedText& operand : operands) {
    if (!is_single(operand)) return Element::real;
    single = single || operand.element == Element::single;
  }
  return single ? Element::single : Element::real;
}

Element operand_element(Domain domain, Element common, Element result, std::size_t index) {
  if (domain == Domain::truth || (domain == Domain::choice && index == 0)) return Element::logical;
  return domain == Domain::choice ? result : common;
}

// Small whole powers need no pow; they are at least as exact.
std::string_view power_text(const TypedText& exponent, bool rounds_quotients) {
  const std::optional<double> value = literal_value(exponent.text);
  if (!value) return {};
  if (*value == 2) return "($1 * $1)";
  if (*value == 3) return "($1 * $1 * $1)";
  if (*value == -1) return rounds_quotients ? "lac_quotient$T(PICK[1.0|1.0lf], $1)" : "(PICK[1.0|1.0lf] / $1)";
  return {};
}

// lavapipe takes x * 0, 0 / x and x / 0 for 0 where the zero is a literal, whatever x is. With the infinity of that
// zero's sign the results are the right ones, for x = 0, Inf and NaN too.
std::string_view zero_text(ScalarOp op, const std::vector<TypedText>& operands) {
  constexpr std::string_view with_zero[2][2][2] = {
      // by op (mul, div), by the zero's place, by its sign
      {{"($2 / lac_infinity$T())", "($2 / -lac_infinity$T())"},
       {"($1 / lac_infinity$T())", "($1 / -lac_infinity$T())"}},
      {{"(PICK[1.0|1.0lf] / ($2 * lac_infinity$T()))", "(PICK[1.0|1.0lf] / ($2 * -lac_infinity$T()))"},
       {"($1 * lac_infinity$T())", "($1 * -lac_infinity$T())"}}};
  if (op != ScalarOp::mul && op != ScalarOp::div) return {};
  for (int place = 1; place >= 0; --place)
    if (const std::optional<double> value = literal_value(operands[static_cast<std::size_t>(place)].text);
        value && *value == 0)
      return with_zero[op == ScalarOp::div][place][std::signbit(*value)];
  return {};
}

std::string_view text_of(const Row& row, Element common, const std::vector<TypedText>& operands,
                         const GlslOptions& options) {
  if (row.op == ScalarOp::pow)
    if (const std::string_view product = power_text(operands[1], options.rounds_quotients && common == Element::single);
        !product.empty())
      return product;
  if (const std::string_view text = zero_text(row.op, operands); !text.empty()) return text;
  if (common != Element::single) return row.text;
  if (options.rounds_quotients && !row.once.empty()) return row.once;
  return !options.own_math && !row.driver.empty() ? row.driver : row.text;
}

std::string with_operands(std::string_view text, const std::vector<std::string>& operands) {
  std::string result;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const bool operand = text[n] == '$' && n + 1 < text.size() && text[n + 1] >= '1' && text[n + 1] <= '3';
    if (operand) result += operands.at(static_cast<std::size_t>(text[++n] - '1'));
    else result += text[n];
  }
  return result;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls visit(name) for every name of ours in `text`.
template <class Visit>
void for_each_function(std::string_view text, Visit visit) {
  for (std::size_t n = text.find("lac_"); n != std::string_view::npos; n = text.find("lac_", n)) {
    std::size_t end = n;
    while (end < text.size() && is_word(text[end])) ++end;
    visit(std::string(text.substr(n, end - n)));
    n = end;
  }
}

/// A definition for one element, and the names that using it needs.
struct Instance {
  std::string name;
  std::string text;
};

std::vector<Instance> all_instances() {
  std::vector<Instance> instances;
  for (const Element element : {Element::single, Element::real})
    for (const MathDefinition& definition : math_definitions())
      instances.push_back(
          {instantiate("lac_" + std::string(definition.name) + "$T", element), instantiate(definition.text, element)});
  return instances;
}

const std::vector<Instance>& instances() {
  static const std::vector<Instance> all = all_instances();
  return all;
}

}  // namespace

std::string_view register_type(Element element) {
  if (element == Element::logical) return "bool";
  return element == Element::single ? "float" : "double";
}

std::string_view memory_type(Element element) { return element == Element::logical ? "uint" : register_type(element); }

std::string convert_text(const TypedText& value, Element to) {
  if (register_type(value.element) == register_type(to)) return value.text;
  if (const std::optional<double> number = literal_value(value.text)) return literal_text(round_to(to, *number), to);
  if (to == Element::logical) return "(!(" + value.text + " == " + literal_text(0, value.element) + "))";
  return std::string(register_type(to)) + "(" + value.text + ")";
}

std::string apply_text(ScalarOp op, Element element, const std::vector<TypedText>& operands, const GlslOptions& options,
                       FunctionSet& functions) {
  const Row& row = rows[static_cast<int>(op)];
  const Element common = common_element(operands);
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < operands.size(); ++n)
    texts.push_back(convert_text(operands[n], operand_element(row.domain, common, element, n)));
  const std::string text = with_operands(instantiate(text_of(row, common, operands, options), common), texts);
  for_each_function(text, [&](std::string name) { functions.insert(std::move(name)); });
  const bool is_truth = info(op).result == ScalarResult::truth;
  const Element computed = is_truth ? Element::logical : row.domain == Domain::choice ? element : common;
  return convert_text({text, computed}, element);
}

std::string combine_text(ReduceOp op, Element element, const std::string& accumulator, const std::string& value,
                         FunctionSet& functions) {
  static constexpr ScalarOp steps[] = {ScalarOp::add, ScalarOp::mul,        ScalarOp::min,
                                       ScalarOp::max, ScalarOp::logical_or, ScalarOp::logical_and};
  return apply_text(steps[static_cast<int>(op)], element, {{accumulator, element}, {value, element}}, {}, functions);
}

/// More than the loops of any of our functions make: the reduction of large angles in double has 120.
constexpr std::int64_t most_library_turns = 128;

/// The functions that have a loop, or call one that has.
const FunctionSet& looping_functions() {
  static const FunctionSet all = [] {
    FunctionSet found;
    for (const Instance& instance : instances()) {  // callers come after what they call
      bool loops = instance.text.find("for (") != std::string::npos;
      for_each_function(instance.text, [&](const std::string& name) { loops = loops || found.contains(name); });
      if (loops) found.insert(instance.name);
    }
    return found;
  }();
  return all;
}

std::int64_t library_turns(std::string_view text) {
  std::int64_t turns = 0;
  for_each_function(text, [&](const std::string& name) {
    if (looping_functions().contains(name)) turns += most_library_turns;
  });
  return turns;
}

std::string library_text(const FunctionSet& functions) {
  FunctionSet needed = functions;
  const std::vector<Instance>& all = instances();
  std::vector<const Instance*> used;
  for (auto instance = all.rbegin(); instance != all.rend(); ++instance) {  // callers come after what they call
    if (!needed.contains(instance->name)) continue;
    used.push_back(&*instance);
    for_each_function(instance->text, [&](std::string name) { needed.insert(std::move(name)); });
  }
  std::string text;
  for (auto instance = used.rbegin(); instance != used.rend(); ++instance) text += (*instance)->text + "\n";
  return text;
}

}  // namespace lac::codegen::glsl
