#include "frontend/sema/builtins/integer_functions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

using Bindings = std::vector<Binding>;

struct IntegerCall {
  Emitter& e;
  Walk& walk;
  const std::string& name;
  Bindings args;
  int nargout;
  Span span;

  [[noreturn]] void fail(const std::string& message) const { e.fail(span, name + ": " + message); }
  /// Whether numbers of the class may have more digits than what the program computes with.
  bool is_inexact(IntegerClass integer_class) const {
    return e.graph.precision == Element::single && info(integer_class).bits > 16;
  }
  [[noreturn]] void refuse_inexact(IntegerClass integer_class) const {
    fail("numbers of " + std::string(info(integer_class).name) +
         " are not exact here in a program of single precision: compute in double, or convert with single(x)");
  }
  IntegerClass first_class() const { return integer_class_of(args); }
  Bindings of_numbers(Bindings given) const {
    for (Binding& arg : given) arg = numbers_of(arg);
    return walk.call_by_name(name, std::move(given), nargout, span);
  }
};

using Rule = Bindings (*)(IntegerCall&);

// The function of the numbers.
Bindings plain(IntegerCall& call) { return call.of_numbers(call.args); }

Binding tagged(IntegerCall& call, IntegerClass integer_class, const Binding& made, bool saturates) {
  if (!made.is_matrix() && !made.is_array())
    call.fail("of " + std::string(info(integer_class).name) + " is outside the language here: convert with double(x)");
  const Binding& elements = made.is_array() ? made.aggregate->slots.front().items.front() : made;
  const Element element = call.e.type(elements.value).element;
  if (element == Element::single && call.is_inexact(integer_class)) call.refuse_inexact(integer_class);
  const bool whole = element == Element::integer;
  return whole && !saturates ? with_class(made, integer_class) : in_class(call.e, integer_class, made);
}

IntegerClass class_of_first(const IntegerCall& call) {
  return call.args.empty() ? IntegerClass::none : element_class(call.args[0]);
}

// It moves elements of its first argument, or picks some: the first result has its class.
Bindings kept(IntegerCall& call) {
  Bindings results = plain(call);
  const IntegerClass integer_class = class_of_first(call);
  if (integer_class != IntegerClass::none) results[0] = tagged(call, integer_class, results[0], false);
  return results;
}

// So have all results.
Bindings kept_in_all(IntegerCall& call) {
  Bindings results = plain(call);
  const IntegerClass integer_class = class_of_first(call);
  if (integer_class == IntegerClass::none) return results;
  for (Binding& result : results) result = tagged(call, integer_class, result, false);
  return results;
}

// Each cell has elements of the class.
Bindings in_cells(IntegerCall& call) {
  Binding cells = plain(call)[0];
  const IntegerClass integer_class = class_of_first(call);
  if (integer_class == IntegerClass::none) return {cells};
  Aggregate made = *cells.aggregate;
  Slot& slot = made.slots.front();
  if (made.stacked && slot.ragged) call.fail("how large the parts are is found by the run: convert with double(x)");
  if (made.stacked) slot.stack = with_class(slot.stack, integer_class);
  for (Binding& item : made.slots.front().items) item = with_class(item, integer_class);
  cells.aggregate = std::make_shared<const Aggregate>(std::move(made));
  return {cells};
}

// It computes in the class of its first argument.
Bindings computed(IntegerCall& call) {
  Bindings results = plain(call);
  const IntegerClass integer_class = class_of_first(call);
  if (integer_class != IntegerClass::none) results[0] = tagged(call, integer_class, results[0], true);
  return results;
}

IntegerClass one_class(IntegerCall& call) {
  const IntegerClass integer_class = call.first_class();
  for (const Binding& arg : call.args)
    if (const IntegerClass other = element_class(arg); other != IntegerClass::none && other != integer_class)
      call.fail("cannot combine " + std::string(info(integer_class).name) + " and " + std::string(info(other).name));
  return integer_class;
}

// All arguments are brought into the class first.
Bindings brought(IntegerCall& call) {
  const IntegerClass integer_class = one_class(call);
  for (Binding& arg : call.args)
    if (arg.is_matrix() || arg.is_array()) arg = in_class(call.e, integer_class, arg);
  Bindings results = plain(call);
  results[0] = tagged(call, integer_class, results[0], true);
  return results;
}

// Each result has the class of the argument at its place, the last one where there are fewer.
Bindings each(IntegerCall& call) {
  Bindings results = plain(call);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Binding& from = call.args[std::min(i, call.args.size() - 1)];
    if (from.is_array()) call.fail("arrays of more than two dimensions are outside the language here");
    if (from.is_integer()) results[i] = tagged(call, from.integer_class, results[i], false);
  }
  return results;
}

// diff(x), each difference in the class.
Bindings differences(IntegerCall& call) {
  if (call.args.size() > 1) call.fail("K and DIM of integer classes are outside the language: diff(x), diff(diff(x))");
  return computed(call);
}

// dot(a, b) of vectors: the products are in the class, their sum is not.
Bindings scalar_product(IntegerCall& call) {
  const auto is_vector = [&](const Binding& arg) {
    return (arg.is_integer() || arg.is_matrix()) && call.e.type(arg.value).is_vector();
  };
  if (call.args.size() != 2 || !std::ranges::all_of(call.args, is_vector))
    call.fail("of integer classes takes two vectors here");
  const auto column = [&](const Binding& arg) {
    const Binding numbers = arg.numbers();
    return with_class(call.walk
                          .call_by_name("reshape",
                                        {numbers, Binding::matrix(call.e.nothing()),
                                         Binding::matrix(call.e.builder.constant(1, Element::integer))},
                                        1, call.span)
                          .front(),
                      arg.integer_class);
  };
  const Binding products =
      integer_binary(call.e, ast::BinaryOp::times, column(call.args[0]), column(call.args[1]), call.span);
  return call.walk.call_by_name("sum", {products.numbers()}, 1, call.span);
}

// sum, prod and their kin compute in double, unless they are told otherwise.
Bindings in_double(IntegerCall& call) {
  for (const Binding& arg : call.args)
    if (arg.is_text() && arg.text == "native")
      call.fail("\"native\" of integer classes is outside the language: " + call.name + "(x) is computed in double");
  return plain(call);
}

Bindings places(IntegerCall& call) {
  if (call.nargout > 2) call.fail("values of an integer class are not given out: x(find(x)) has them");
  return plain(call);
}

// merge(condition, a, b), of one class.
Bindings merged(IntegerCall& call) {
  if (call.args.size() != 3 || !call.args[1].has_class_of(call.args[2]))
    call.fail("both values must be of one class here");
  Bindings results = plain(call);
  if (call.args[1].is_integer()) results[0] = tagged(call, call.args[1].integer_class, results[0], false);
  return results;
}

// The first class wins, as in [a, b].
Bindings joined(IntegerCall& call) {
  const IntegerClass integer_class = call.first_class();
  const bool of_others = std::ranges::any_of(
      call.args, [](const Binding& arg) { return !arg.is_matrix() && !arg.is_integer() && !arg.is_array(); });
  if (of_others) call.fail("integer classes beside what is no matrix are outside the language here: write [a, b]");
  const std::size_t first = call.name == "cat" ? 1 : 0;
  for (std::size_t i = first; i < call.args.size(); ++i) call.args[i] = in_class(call.e, integer_class, call.args[i]);
  Bindings results = plain(call);
  results[0] = tagged(call, integer_class, results[0], false);
  return results;
}

// mat2str(x): [1 2;3 4], and int8([1 2;3 4]) with "class".
Bindings shown_as_text(IntegerCall& call) {
  const auto named = std::ranges::find_if(call.args, [](const Binding& arg) { return arg.is_text(); });
  if (named == call.args.end()) return plain(call);
  if (named->text != "class") call.fail("the option must be \"class\"");
  call.args.erase(named);
  const std::string name(info(call.args[0].integer_class).name);
  const Binding text = plain(call).front();
  return {join_strings(call.e, {Binding::string(name + "(", true), text, Binding::string(")", true)}, call.span)};
}

// plus(a, b, c) is (a + b) + c.
Bindings operation(IntegerCall& call) {
  const ast::BinaryOp op = ast::operator_named(call.name);
  if (call.args.size() < 2) call.e.fail(call.span, "Invalid call to " + call.name);
  Binding result = call.args[0];
  for (std::size_t i = 1; i < call.args.size(); ++i)
    result = integer_binary(call.e, op, result, call.args[i], call.span);
  return {result};
}

Bindings negated(IntegerCall& call) { return {integer_negate(call.e, call.args[0], call.span)}; }

// -- bits

ValueId number(IntegerCall& call, double value) { return call.e.builder.constant(value, Element::integer); }

ValueId map(IntegerCall& call, ScalarOp op, ValueId a, ValueId b) {
  return elementwise(call.e, op, {a, b}, call.span, call.name);
}

/// What a class with a sign makes of the lowest bits of a number.
ValueId with_sign(IntegerCall& call, const IntegerClassInfo& of, ValueId bits) {
  if (!of.is_signed) return bits;
  const ValueId over =
      call.e.builder.convert(map(call, ScalarOp::gt, bits, number(call, of.highest())), Element::integer);
  return map(call, ScalarOp::sub, bits, map(call, ScalarOp::mul, over, number(call, std::ldexp(1.0, of.bits))));
}

/// The value that has these bits, as many as the class has.
Binding made_of_bits(IntegerCall& call, IntegerClass integer_class, ValueId bits) {
  const IntegerClassInfo& of = info(integer_class);
  const ValueId numbers = with_sign(call, of, bits);
  if (of.is_wide()) return saturated(call.e, integer_class, numbers);  // beyond 2^53
  return Binding::integer(integer_class, call.e.builder.convert(numbers, Element::integer));
}

ValueId lowest_bits(IntegerCall& call, const IntegerClassInfo& of, ValueId value) {
  return map(call, ScalarOp::mod, value, number(call, std::ldexp(1.0, of.bits)));
}

/// Numbers of uint64 are below 2^53, where `saturated` does not stop the run, and have no sign.
const IntegerClassInfo& class_of_bits(IntegerCall& call, IntegerClass integer_class) {
  if (std::ranges::any_of(call.args, &Binding::is_array))
    call.fail("arrays of more than two dimensions are outside the language here: take a page, A(:, :, 1)");
  const IntegerClassInfo& of = info(integer_class);
  if (of.is_wide() && of.is_signed) call.fail("bits of int64 are outside the language: use uint64 or int32");
  return of;
}

// bitand, bitor, bitxor: of two's complement.
Bindings of_bits(IntegerCall& call) {
  const IntegerClass integer_class = call.first_class();
  const IntegerClassInfo& of = class_of_bits(call, integer_class);
  if (call.args.size() != 2) call.e.fail(call.span, "Invalid call to " + call.name);
  if (call.args[0].is_integer() && call.args[1].is_integer() && !call.args[0].has_class_of(call.args[1]))
    call.fail("must have matching operand types");
  Bindings bits;
  for (const Binding& arg : call.args)
    bits.push_back(Binding::matrix(of.is_signed ? lowest_bits(call, of, in_class(call.e, integer_class, arg).value)
                                                : in_class(call.e, integer_class, arg).value));
  if (call.e.graph.precision == Element::single)
    for (Binding& each : bits) each = Binding::matrix(exact(call.e, each.value));
  return {made_of_bits(call, integer_class, call.of_numbers(std::move(bits))[0].value)};
}

/// x * 2^places, without what falls off at the right: of the integers themselves where nothing does.
ValueId shifted_by(IntegerCall& call, ValueId x, ValueId places) {
  Emitter& e = call.e;
  const auto known = e.constant_of(places);
  if (known && *known >= 0 && e.graph.precision != Element::single)
    return map(call, ScalarOp::mul, x, number(call, std::exp2(*known)));
  const ValueId two = e.builder.constant(2, Element::real);
  const ValueId factor = elementwise(e, ScalarOp::pow, {two, exact(e, places)}, call.span, call.name);
  const ValueId product = map(call, ScalarOp::mul, exact(e, x), factor);
  return elementwise(e, ScalarOp::floor, {product}, call.span, call.name);
}

// bitshift(a, n): what leaves the class at the left is lost, at the right the result is rounded down.
Bindings shifted(IntegerCall& call) {
  if (!call.args[0].is_integer()) return plain(call);
  if (call.args.size() != 2) call.fail("a MASK is outside the language: bitand(bitshift(a, n), mask)");
  const IntegerClass integer_class = call.args[0].integer_class;
  const IntegerClassInfo& of = class_of_bits(call, integer_class);
  Emitter& e = call.e;
  const Binding by = call.args[1].numbers();
  if (!by.is_matrix()) call.fail("N must be an integer");
  const int most = of.is_signed ? of.bits - 1 : of.bits;  // from here on nothing is left, says Octave
  const ValueId places =
      map(call, ScalarOp::max, map(call, ScalarOp::min, exact(e, dense(e, by.value)), number(call, most)),
          number(call, -of.bits));
  const ValueId moved = shifted_by(call, call.args[0].value, places);
  if (e.constant_of(places).value_or(1) <= 0)  // nothing leaves at the left
    return {Binding::integer(integer_class, e.builder.convert(moved, Element::integer))};
  const ValueId some = map(call, ScalarOp::lt, places, number(call, most));
  const ValueId kept = e.constant_of(some) == 1.0 ? moved : map(call, ScalarOp::mul, moved, exact(e, some));
  const ValueId left = lowest_bits(call, of, kept);
  return {made_of_bits(call, integer_class, left)};
}

// -- the table

struct Group {
  Rule rule;
  std::string_view names;  ///< between blanks
};

constexpr Group groups[] = {
    {plain,
     " size numel length ndims rows columns isempty isscalar isvector isrow iscolumn ismatrix issquare size_equal "
     "isreal iscomplex islogical isbool ischar iscell iscellstr isstruct is_function_handle issparse isfield "
     "any all xor and or not eq ne lt le gt ge nnz isequal isnan isinf isfinite "
     "double single logical char num2str int2str sprintf printf fprintf error warning assert "
     "sin cos tan sec csc cot asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log2 log10 log1p sqrt "
     "cbrt gamma lgamma gammaln erf erfc hypot atan2 mean std var cov sumsq "
     "zeros ones eye rand randn cell Inf NaN inf nan NA true false linspace blanks magic "
     "kron trace det inv polyfit accumarray histc conv filter trapz sub2ind ind2sub lookup nextpow2 "
     "factorial dec2bin isprime ismember issorted issymmetric ishermitian isdiag istril istriu isbanded "
     "blkdiag dec2base dec2hex bar plot stairs stem hist exit quit "},
    {kept,
     " sign floor ceil round fix real imag conj full squeeze sort unique fliplr flipud flip rot90 circshift reshape "
     "repmat transpose ctranspose permute diag tril triu cummax cummin nonzeros sortrows mode primes factor uplus vec "
     "postpad prepad resize "
     "repelem perms vech "},
    {kept_in_all, " bounds "},
    {in_cells, " num2cell mat2cell "},
    {computed, " abs median range "},
    {brought, " max min mod rem gcd lcm union intersect setdiff setxor toeplitz hankel "},
    {each, " meshgrid ndgrid "},
    {in_double, " sum prod cumsum cumprod "},
    {differences, " diff "},
    {scalar_product, " dot "},
    {places, " find "},
    {merged, " merge ifelse "},
    {joined, " cat horzcat vertcat "},
    {shown_as_text, " mat2str "},
    {operation, " plus minus times mtimes rdivide mrdivide ldivide mldivide power mpower "},
    {negated, " uminus "},
    {of_bits, " bitand bitor bitxor "},
    {shifted, " bitshift "},
};

/// These take the values as they are.
constexpr std::string_view takers =
    " class isa isinteger isnumeric isfloat int8 int16 int32 int64 uint8 uint16 uint32 uint64 intmax intmin cast "
    "idivide bitget bitset bitcmp imwrite struct setfield deal feval cellfun arrayfun bsxfun display func2str "
    "print_usage nthargout disp typecast swapbytes im2double gray2ind ind2gray ind2rgb rgb2ind im2frame rgb2gray "
    "rows_by_colours bessel_by_shapes besselj bessely besseli besselk isna ";

/// And these ask for the class alone.
constexpr std::string_view asks = " class isa isinteger isnumeric isfloat ";

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> all = [] {
    std::map<std::string_view, Rule> map;
    for (const Group& group : groups)
      for (std::size_t begin = 1; begin < group.names.size();) {
        const std::size_t end = group.names.find(' ', begin);
        map.emplace(group.names.substr(begin, end - begin), group.rule);
        begin = end + 1;
      }
    return map;
  }();
  return all;
}

/// zeros(m, n, "uint8"), zeros(m, n, "like", x)
std::optional<IntegerClass> asked_class(const std::string& name, Bindings& args) {
  const bool fills = name == "zeros" || name == "ones" || name == "eye";
  if (!fills || args.empty()) return std::nullopt;
  if (args.size() >= 2 && element_class(args.back()) != IntegerClass::none && args[args.size() - 2].is_text() &&
      args[args.size() - 2].text == "like") {
    const IntegerClass integer_class = element_class(args.back());
    args.resize(args.size() - 2);
    return integer_class;
  }
  if (!args.back().is_known_text()) return std::nullopt;
  const IntegerClass integer_class = integer_class_named(args.back().text);
  if (integer_class == IntegerClass::none) return std::nullopt;
  args.pop_back();
  return integer_class;
}

}  // namespace

std::optional<Bindings> integer_call(Emitter& e, Walk& walk, const std::string& name, const Bindings& args, int nargout,
                                     Span span, bool is_ours) {
  if (!is_ours) return std::nullopt;
  IntegerCall call{e, walk, name, args, nargout, span};
  if (const auto asked = asked_class(name, call.args)) return Bindings{in_class(e, *asked, plain(call)[0])};
  if (integer_class_of(args) == IntegerClass::none) return std::nullopt;
  if (asks.find(" " + name + " ") != std::string_view::npos && args[0].is_array()) {
    call.args[0] = Binding::integer(element_class(args[0]), e.builder.constant(0, Element::integer));
    return walk.call_by_name(name, std::move(call.args), nargout, span);
  }
  if (takers.find(" " + name + " ") != std::string_view::npos) return std::nullopt;
  const auto found = rules().find(name);
  if (found == rules().end()) call.fail("integer classes are outside this function here: convert with double(x)");
  if (std::ranges::any_of(args, [](const Binding& arg) { return arg.kind == Binding::Kind::poisoned; }))
    throw LowerError{};
  const auto& library = e.options.library_functions;
  const bool of_library =
      found->second != of_bits && found->second != shifted && std::ranges::find(library, name) != library.end();
  for (const Binding& arg : args)
    if (of_library && element_class(arg) != IntegerClass::none && call.is_inexact(element_class(arg)))
      call.refuse_inexact(element_class(arg));
  return found->second(call);
}

}  // namespace lac::frontend
