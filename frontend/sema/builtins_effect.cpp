// disp, printf, error, assert: what a program says and where it stops.
#include <cctype>
#include <cstdlib>

#include "frontend/sema/builtins.h"

namespace lac::frontend {

std::string process_escapes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    switch (c) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'a': out += '\a'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'v': out += '\v'; break;
      case '\\':
      case '\'':
      case '"': out += c; break;
      case 'x': {
        std::size_t digits = 0;
        while (digits < 2 && i + 1 + digits < text.size() &&
               std::isxdigit(static_cast<unsigned char>(text[i + 1 + digits])))
          ++digits;
        out += static_cast<char>(std::strtol(text.substr(i + 1, digits).c_str(), nullptr, 16));
        i += digits;
        break;
      }
      default:
        if (c >= '0' && c <= '7') {
          std::size_t digits = 1;
          while (digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7') ++digits;
          out += static_cast<char>(std::strtol(text.substr(i, digits).c_str(), nullptr, 8));
          i += digits - 1;
        } else {
          out += '\\';
          out += c;
        }
    }
  }
  return out;
}

namespace {

std::string format_text(const Binding& format) {
  return format.double_quoted ? format.text : process_escapes(format.text);
}

// The template at argument `at` and the arguments after it.
Message message_from(Call& call, std::size_t at, std::vector<ValueId>& operands) {
  Message message;
  bool known = true;
  for (std::size_t i = at; i < call.count(); ++i) known = known && (!call.is_text(i) || call.args[i].is_known_text());
  if (!known) {
    operands.push_back(call.lower.formatted(call.name, call.args, at).value);
    message.format = "%s";
    message.arguments.emplace_back(std::nullopt);
    return message;
  }
  message.format = format_text(call.args[at]);
  for (std::size_t i = at + 1; i < call.count(); ++i) {
    if (call.is_text(i)) {
      message.arguments.emplace_back(call.text(i));
    } else {
      operands.push_back(call.dense(i));
      message.arguments.emplace_back(std::nullopt);
    }
  }
  return message;
}

std::vector<Binding> print_format(Call& call) {
  std::size_t at = 0;
  Stream stream = Stream::out;
  if (call.name == "fprintf" && !call.is_text(0)) {
    const std::int64_t file = call.constant_integer(0, "the stream");
    if (file != 1 && file != 2) call.fail("only stdout (1) and stderr (2) can be written to");
    if (file == 2) stream = Stream::err;
    at = 1;
  }
  if (at >= call.count() || !call.is_text(at)) call.fail("format TEMPLATE must be a string");
  std::vector<ValueId> operands;
  Message message = message_from(call, at, operands);
  message.stream = stream;
  call.lower.builder.format(std::move(message), operands);
  return {};
}

std::vector<Binding> put_text(Call& call) {
  std::size_t at = 0;
  Message message;
  message.format = "%s";
  if (call.name == "fputs") {
    const std::int64_t file = call.constant_integer(0, "the stream");
    if (file == 2) message.stream = Stream::err;
    at = 1;
  }
  std::vector<ValueId> operands;
  if (!call.is_text(at)) call.fail("the argument must be a string");
  if (call.args[at].is_known_text()) {
    message.arguments = {call.text(at)};
  } else {
    message.arguments.emplace_back(std::nullopt);
    operands = {call.args[at].value};
  }
  call.lower.builder.format(std::move(message), operands);
  return one(call.lower.builder.constant(0, Element::integer));  // the status
}

std::vector<Binding> stream_out(Call& call) { return one(call.lower.builder.constant(1, Element::integer)); }
std::vector<Binding> stream_err(Call& call) { return one(call.lower.builder.constant(2, Element::integer)); }

std::vector<Binding> disp(Call& call) {
  Lowerer& l = call.lower;
  if (call.is_text(0) && !call.args[0].is_known_text()) {
    l.builder.print(call.args[0].value, Display{"", false, true});
    return {};
  }
  if (call.is_text(0)) {
    Message message;
    message.format = "%s\n";
    message.arguments = {call.text(0)};
    l.builder.format(std::move(message), {});
    return {};
  }
  const ValueId value = call.matrix(0);
  l.builder.print(value, Display{"", l.facts.ranges.count(value) != 0 && !call.type(value).is_scalar()});
  return {};
}

std::vector<Binding> display(Call& call) {
  const ast::Expr* argument = call.written && !call.written->empty() ? call.written->front().get() : nullptr;
  const auto* identifier = argument ? std::get_if<ast::Identifier>(&argument->node) : nullptr;
  if (!identifier) return disp(call);
  call.lower.print_binding(identifier->name, call.args[0]);
  return {};
}

bool looks_like_id(const std::string& text) {
  return text.find(':') != std::string::npos && text.find_first_of(" \t\n%") == std::string::npos;
}

// error(TEMPLATE, ...) and error(ID, TEMPLATE, ...); warning likewise.
std::vector<Binding> stop(Call& call) {
  Lowerer& l = call.lower;
  if (!call.is_text(0)) call.fail("the message must be a string");
  const bool has_id =
      call.count() > 1 && call.is_text(1) && call.args[0].is_known_text() && looks_like_id(call.text(0));
  if (call.name == "warning" && call.count() == 2 && call.args[0].is_known_text() &&
      (call.text(0) == "off" || call.text(0) == "on"))
    call.fail("switching warnings on and off is not supported");
  std::vector<ValueId> operands;
  Message message = message_from(call, has_id ? 1 : 0, operands);
  if (has_id) message.id = call.text(0);
  message.stream = Stream::err;
  const ValueId never = l.builder.constant(0, Element::logical);
  if (call.name == "warning") {
    l.builder.warn(never, std::move(message), operands);
    return {};
  }
  l.builder.check(never, std::move(message), operands);
  throw Unreachable{};
}

std::string written_arguments(Call& call) {
  std::string text;
  if (!call.written) return "cond";
  for (const ast::ExprPtr& arg : *call.written)
    text += (text.empty() ? "" : ",") + std::string(call.lower.sources.text(arg->span));
  return text;
}

std::string escape_percent(std::string text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) text.insert(at, "%");
  return text;
}

ValueId all_of(Call& call, ValueId truth) {
  return call.type(truth).is_scalar() ? truth : call.lower.builder.reduce(truth, {ReduceOp::all, Axis::all});
}

// |observed - expected| <= tol, or <= |tol * expected| for a negative tol; equal infinities and NaNs agree.
ValueId within(Call& call, ValueId observed, ValueId expected, ValueId tolerance) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const auto apply = [&](ScalarOp op, std::vector<ValueId> operands) {
    return l.elementwise(op, std::move(operands), call.span, "assert");
  };
  const ValueId error = apply(ScalarOp::abs, {apply(ScalarOp::sub, {observed, expected})});
  const ValueId size = apply(ScalarOp::abs, {tolerance});
  const ValueId relative = apply(ScalarOp::mul, {size, apply(ScalarOp::abs, {expected})});
  const ValueId bound =
      apply(ScalarOp::select, {apply(ScalarOp::lt, {tolerance, b.constant(0, Element::integer)}), relative, size});
  const ValueId close = apply(ScalarOp::le, {error, bound});
  const ValueId same = apply(ScalarOp::eq, {observed, expected});
  const ValueId both_nan =
      apply(ScalarOp::logical_and, {apply(ScalarOp::is_nan, {observed}), apply(ScalarOp::is_nan, {expected})});
  return all_of(call, apply(ScalarOp::logical_or, {apply(ScalarOp::logical_or, {close, same}), both_nan}));
}

std::vector<Binding> assertion(Call& call) {
  Lowerer& l = call.lower;
  const std::string text = escape_percent(written_arguments(call));
  if (call.count() == 1 || call.is_text(1)) {
    const ValueId holds = l.truth(call.dense(0), call.span);
    if (call.count() == 1) {
      l.require(holds, "assert (" + text + ") failed", {});
      return {};
    }
    std::vector<ValueId> operands;
    Message message = message_from(call, 1, operands);
    message.stream = Stream::err;
    if (l.constant_of(holds).value_or(0) == 0) l.builder.check(holds, std::move(message), operands);
    return {};
  }
  const ValueId observed = call.dense(0), expected = call.dense(1);
  const Type to = call.type(observed), te = call.type(expected);
  const std::string failed = "ASSERT errors for:  assert (" + text + ")";
  if (!te.is_scalar() || call.count() == 2) {
    l.require_equal(to.rows, te.rows, call.span, failed + ": Dimensions don't match", {},
                    failed + ": Dimensions don't match");
    l.require_equal(to.cols, te.cols, call.span, failed + ": Dimensions don't match", {},
                    failed + ": Dimensions don't match");
  }
  const ValueId tolerance = call.count() > 2 ? call.scalar(2) : l.builder.constant(0, Element::integer);
  l.require(within(call, observed, expected, tolerance), failed, {});
  return {};
}

std::vector<Binding> print_usage(Call& call) {
  call.lower.require(call.lower.builder.constant(0, Element::logical), "Invalid call to " + call.lower.frame->name, {},
                     "Octave:invalid-fun-call");
  return {};
}

constexpr Builtin entries[] = {
    {"printf", 1, -1, 0, print_format},
    {"fprintf", 1, -1, 0, print_format},
    {"puts", 1, 1, 1, put_text},
    {"fputs", 2, 2, 1, put_text},
    {"stdout", 0, 0, 1, stream_out},
    {"stderr", 0, 0, 1, stream_err},
    {"disp", 1, 1, 0, disp},
    {"display", 1, 1, 0, display},
    {"error", 1, -1, 0, stop},
    {"warning", 1, -1, 0, stop},
    {"assert", 1, -1, 0, assertion},
    {"print_usage", 0, 0, 0, print_usage},
};

}  // namespace

std::span<const Builtin> effect_builtins() { return entries; }

}  // namespace lac::frontend
