#include "ir/graph/attribute_text.h"

#include <type_traits>
#include <variant>

namespace lac {
namespace {

// -- writing ----------------------------------------------------------------------------------------------------------

constexpr std::string_view stream_names[] = {"out", "err"};
constexpr std::string_view distribution_names[] = {"uniform", "normal", "seed"};
constexpr std::string_view display_names[] = {
    "", "range", "text", "diagonal", "permutation", "complex", "complex_diagonal", "kept_complex", "integer"};
constexpr std::string_view loop_names[] = {"for_range", "while_true", "do_until"};

struct WriteVisitor {
  const AttributeWriter& writer;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(ScalarOp op) const { return std::string(name(op)); }
  std::string operator()(const Size& size) const { return writer.size(size); }
  std::string operator()(Axis axis) const { return std::string(name(axis)); }
  std::string operator()(const Reduction& r) const { return std::string(name(r.op)) + " " + std::string(name(r.axis)); }

  std::string operator()(const Subscript& s) const {
    switch (s.kind) {
      case SubscriptKind::all: return "all " + writer.size(s.count);
      case SubscriptKind::vector: return "vector " + writer.size(s.count);
      case SubscriptKind::range: break;
    }
    if (s.count.is(1) && s.step.is(1)) return "at " + writer.size(s.first);
    return "range " + writer.size(s.first) + (s.step.is(1) ? "" : " step " + writer.size(s.step)) + " count " +
           writer.size(s.count);
  }

  std::string operator()(const Subscripts& subscripts) const {
    std::string text = "[";
    for (std::size_t i = 0; i < subscripts.axes.size(); ++i) text += (i ? ", " : "") + (*this)(subscripts.axes[i]);
    return text + "]";
  }

  std::string operator()(const Transposes& t) const {
    if (!t.left && !t.right) return "";
    return std::string(t.left ? "t" : "n") + (t.right ? "t" : "n");
  }
  std::string operator()(LibraryFn fn) const { return std::string(name(fn)); }
  std::string operator()(Distribution d) const { return std::string(distribution_names[static_cast<int>(d)]); }

  std::string operator()(const Message& m) const {
    std::string text(stream_names[static_cast<int>(m.stream)]);
    if (!m.id.empty()) text += " id " + quoted(m.id);
    text += " " + quoted(m.format);
    if (m.arguments.empty()) return text;
    text += " (";
    for (std::size_t i = 0; i < m.arguments.size(); ++i)
      text += (i ? ", " : "") + (m.arguments[i] ? quoted(*m.arguments[i]) : std::string("_"));
    return text + ")";
  }

  std::string operator()(const Display& d) const {
    const std::string_view form = display_names[static_cast<int>(d.form)];
    const std::string indent = d.indent ? " indent " + std::to_string(d.indent) : "";
    return quoted(d.name) + (form.empty() ? "" : " ") + std::string(form) + indent;
  }
  std::string operator()(const LoopInfo& info) const {
    return std::string(loop_names[static_cast<int>(info.kind)]) + " " + quoted(info.variable);
  }
  std::string operator()(const ParameterIndex& p) const {
    if (!writer.named) return std::to_string(p.index);
    return p.index < writer.graph.parameters.size() ? name_text(writer.graph.parameters[p.index].name)
                                                    : "?" + std::to_string(p.index);
  }
  std::string operator()(KernelId id) const { return writer.kernel(id); }
  std::string operator()(const Numbers& numbers) const {
    std::string text = "[";
    for (double number : *numbers.values) text += (text.size() > 1 ? ", " : "") + number_text(number);
    return text + "]";
  }
};

// -- reading ----------------------------------------------------------------------------------------------------------

using Reader = AttributeReader;

template <class Enum, std::size_t N>
Enum one_of(TextReader& in, const std::string_view (&names)[N]) {
  std::string all;
  for (std::size_t i = 0; i < N; ++i) {
    if (in.accept_word(names[i])) return static_cast<Enum>(i);
    all += (i ? ", " : "") + std::string(names[i]);
  }
  in.fail("expected one of " + all);
}

constexpr std::string_view axis_names[] = {"rows", "cols", "all"};
constexpr std::string_view reduce_names[] = {"sum", "prod", "min", "max", "any", "all"};
constexpr std::string_view library_names[] = {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) #name,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};

Attribute read_nothing(TextReader&, const Reader&) { return {}; }
Attribute read_number(TextReader& in, const Reader&) { return in.number(); }
Attribute read_numbers(TextReader& in, const Reader&) {
  std::vector<double> numbers;
  in.expect('[');
  while (!in.accept(']')) {
    if (!numbers.empty()) in.expect(',');
    numbers.push_back(in.number());
  }
  return Numbers{std::make_shared<std::vector<double>>(std::move(numbers))};
}
Attribute read_integer(TextReader& in, const Reader&) { return in.integer(); }
Attribute read_string(TextReader& in, const Reader&) { return in.quoted_string(); }
Attribute read_size(TextReader& in, const Reader& reader) { return in.size(reader.symbols); }
Attribute read_axis(TextReader& in, const Reader&) { return one_of<Axis>(in, axis_names); }
Attribute read_library(TextReader& in, const Reader&) { return one_of<LibraryFn>(in, library_names); }
Attribute read_distribution(TextReader& in, const Reader&) { return one_of<Distribution>(in, distribution_names); }

Attribute read_scalar_op(TextReader& in, const Reader&) {
  const std::string word = in.identifier();
  if (const std::optional<ScalarOp> op = scalar_op_named(word)) return *op;
  in.fail("there is no scalar function '" + word + "'");
}

Attribute read_reduction(TextReader& in, const Reader&) {
  Reduction reduction;
  reduction.op = one_of<ReduceOp>(in, reduce_names);
  reduction.axis = one_of<Axis>(in, axis_names);
  return reduction;
}

Subscript read_subscript(TextReader& in, const Reader& reader) {
  Subscript s;
  if (in.accept_word("at")) {
    s.kind = SubscriptKind::range;
    s.first = in.size(reader.symbols);
    s.count = 1;
    return s;
  }
  static constexpr std::string_view kinds[] = {"all", "range", "vector"};
  s.kind = one_of<SubscriptKind>(in, kinds);
  if (s.kind == SubscriptKind::range) {
    s.first = in.size(reader.symbols);
    if (in.accept_word("step")) s.step = in.size(reader.symbols);
    in.expect_word("count");
  }
  s.count = in.size(reader.symbols);
  return s;
}

Attribute read_subscripts(TextReader& in, const Reader& reader) {
  Subscripts subscripts;
  in.expect('[');
  do {
    subscripts.axes.push_back(read_subscript(in, reader));
  } while (in.accept(','));
  in.expect(']');
  return subscripts;
}

Attribute read_transposes(TextReader& in, const Reader&) {
  if (in.accept_word("tn")) return Transposes{true, false};
  if (in.accept_word("nt")) return Transposes{false, true};
  if (in.accept_word("tt")) return Transposes{true, true};
  return Transposes{};
}

Attribute read_message(TextReader& in, const Reader&) {
  Message message;
  message.stream = one_of<Stream>(in, stream_names);
  if (in.accept_word("id")) message.id = in.quoted_string();
  message.format = in.quoted_string();
  if (!in.accept('(')) return message;
  do {
    if (in.accept_word("_")) message.arguments.push_back(std::nullopt);
    else message.arguments.push_back(in.quoted_string());
  } while (in.accept(','));
  in.expect(')');
  return message;
}

Attribute read_display(TextReader& in, const Reader&) {
  Display display;
  display.name = in.quoted_string();
  for (std::size_t form = 1; form < std::size(display_names); ++form)
    if (in.accept_word(display_names[form])) display.form = static_cast<DisplayForm>(form);
  if (in.accept_word("indent")) display.indent = static_cast<std::uint32_t>(in.integer());
  return display;
}

Attribute read_loop(TextReader& in, const Reader&) {
  LoopInfo info;
  info.kind = one_of<LoopKind>(in, loop_names);
  info.variable = in.quoted_string();
  return info;
}

Attribute read_parameter(TextReader& in, const Reader& reader) {
  const std::string name = in.name();
  for (std::uint32_t i = 0; i < reader.graph.parameters.size(); ++i)
    if (reader.graph.parameters[i].name == name) return ParameterIndex{i};
  in.fail("there is no parameter '" + name + "'");
}

Attribute read_kernel_id(TextReader& in, const Reader& reader) { return reader.kernel(in.reference('k')); }

// -- the table --------------------------------------------------------------------------------------------------------

struct Form {
  OpKind kind;
  std::size_t alternative;
  Attribute (*read)(TextReader&, const Reader&);
};

template <class T, class... Alternatives>
constexpr std::size_t index_in(const std::variant<Alternatives...>*) {
  std::size_t index = 0;
  static_cast<void>(((std::is_same_v<T, Alternatives> ? true : (++index, false)) || ...));
  return index;
}
template <class T>
constexpr std::size_t alternative = index_in<T>(static_cast<const Attribute*>(nullptr));

constexpr Form forms[] = {
    {OpKind::parameter, alternative<ParameterIndex>, read_parameter},
    {OpKind::constant, alternative<double>, read_number},
    {OpKind::size, alternative<Size>, read_size},
    {OpKind::table, alternative<Numbers>, read_numbers},
    {OpKind::text, alternative<std::string>, read_string},
    {OpKind::iota, alternative<Axis>, read_axis},
    {OpKind::random, alternative<Distribution>, read_distribution},
    {OpKind::map, alternative<ScalarOp>, read_scalar_op},
    {OpKind::diagonal, alternative<std::int64_t>, read_integer},
    {OpKind::index, alternative<Subscripts>, read_subscripts},
    {OpKind::shift, alternative<Subscripts>, read_subscripts},
    {OpKind::update, alternative<Subscripts>, read_subscripts},
    {OpKind::concat, alternative<Axis>, read_axis},
    {OpKind::reduce, alternative<Reduction>, read_reduction},
    {OpKind::arg_reduce, alternative<Reduction>, read_reduction},
    {OpKind::scan, alternative<Reduction>, read_reduction},
    {OpKind::matmul, alternative<Transposes>, read_transposes},
    {OpKind::library, alternative<LibraryFn>, read_library},
    {OpKind::check, alternative<Message>, read_message},
    {OpKind::warn, alternative<Message>, read_message},
    {OpKind::print, alternative<Display>, read_display},
    {OpKind::format, alternative<Message>, read_message},
    {OpKind::output, alternative<std::string>, read_string},
    {OpKind::loop, alternative<LoopInfo>, read_loop},
    {OpKind::launch, alternative<KernelId>, read_kernel_id},
};

/// Ops that are not in the table carry nothing.
const Form& form_of(OpKind kind) {
  static const Form none = {kind, alternative<std::monostate>, read_nothing};
  for (const Form& form : forms)
    if (form.kind == kind) return form;
  return none;
}

}  // namespace

std::size_t attribute_alternative(OpKind kind) { return form_of(kind).alternative; }

std::string attribute_text(const Op& op, const AttributeWriter& writer) {
  return std::visit(WriteVisitor{writer}, op.attribute);
}

Attribute read_attribute(TextReader& in, OpKind kind, const AttributeReader& reader) {
  return form_of(kind).read(in, reader);
}

}  // namespace lac
