// disp, printf, error, assert: what a program says and where it stops.
#include "frontend/sema/builtins/effect.h"

#include <cctype>
#include <cstdlib>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/builtins/warning_switch.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/strings.h"
#include "ir/graph/signals.h"
#include "ir/graph/warning_ids.h"
#include "ir/support/printf.h"

namespace lac::frontend {

void begin_capture(Emitter& e) { e.builder.library(LibraryFn::capture_begin, {}, {}); }

Binding end_capture(Emitter& e) { return text_step(e, LibraryFn::capture_end, LibraryFn::capture_length, {}, 1, true); }

namespace {

// The template at argument `at` and the arguments after it.
Message message_from(Call& call, std::size_t at, std::vector<ValueId>& operands) {
  Message message;
  bool known = true;
  for (std::size_t i = at; i < call.count(); ++i) known = known && (!call.is_text(i) || call.args[i].is_known_text());
  if (!known) {
    operands.push_back(formatted(call.emit, call.name, call.args, at).value);
    message.format = "%s";
    message.arguments.emplace_back(std::nullopt);
    return message;
  }
  message.format = with_escapes(call.args[at]);
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

ValueId length_of(Call& call, ValueId text) { return call.emit.builder.size(call.type(text).count()); }

std::vector<Binding> print_format(Call& call) {
  std::size_t at = 0;
  std::optional<Stream> stream = Stream::out;
  if (call.name == "fprintf" && !call.is_text(0)) {
    if (call.count() == 1) call.emit.fail(call.span, "Invalid call to fprintf");
    stream = stream_of(call, 0);
    at = 1;
  }
  if (at >= call.count() || !call.is_text(at)) call.fail("format TEMPLATE must be a string");
  if (!stream) {
    const ValueId text = codes(call.emit, formatted(call.emit, call.name, call.args, at));
    write_to_file(call, file_number(call, 0), text);
    return call.nargout > 0 ? one(length_of(call, text)) : std::vector<Binding>{};
  }
  std::vector<ValueId> operands;
  Message message = message_from(call, at, operands);
  message.stream = *stream;
  call.emit.builder.format(std::move(message), operands);
  return call.nargout > 0 ? one(length_of(call, codes(call.emit, formatted(call.emit, call.name, call.args, at))))
                          : std::vector<Binding>{};
}

std::vector<Binding> put_text(Call& call) {
  std::size_t at = 0;
  Message message;
  message.format = "%s";
  std::optional<Stream> stream = Stream::out;
  if (call.name == "fputs") {
    stream = stream_of(call, 0);
    at = 1;
  }
  std::vector<ValueId> operands;
  if (!call.is_text(at)) return one(call.emit.builder.constant(-1, Element::integer));  // nothing is put
  if (!stream) {
    write_to_file(call, file_number(call, 0), codes(call.emit, call.args[at]));
    return one(call.emit.builder.constant(0, Element::integer));
  }
  message.stream = *stream;
  if (call.args[at].is_known_text()) {
    message.arguments = {call.text(at)};
  } else {
    message.arguments.emplace_back(std::nullopt);
    operands = {call.args[at].value};
  }
  call.emit.builder.format(std::move(message), operands);
  return one(call.emit.builder.constant(0, Element::integer));  // the status
}

std::vector<Binding> stream_out(Call& call) { return one(call.emit.builder.constant(1, Element::integer)); }
std::vector<Binding> stream_err(Call& call) { return one(call.emit.builder.constant(2, Element::integer)); }

// What is printed goes out in order, and at once where a person reads: nothing is left to do.
std::vector<Binding> flush(Call& call) {
  if (!stream_of(call, 0)) call.emit.builder.library(LibraryFn::file_flush, {file_number(call, 0)}, {});
  return one(call.emit.builder.constant(0, Element::integer));  // the status
}

std::vector<Binding> disp(Call& call) {
  Emitter& e = call.emit;
  if (call.is_text(0) && !call.args[0].is_known_text()) {
    e.builder.print(call.args[0].value, Display{"", DisplayForm::text});
    return {};
  }
  if (call.is_text(0)) {
    Message message;
    message.format = "%s\n";
    message.arguments = {call.text(0)};
    e.builder.format(std::move(message), {});
    return {};
  }
  if (call.args[0].is_function() || call.args[0].is_integer()) {
    print_binding(e, "", call.args[0]);
    return {};
  }
  const ValueId value = call.matrix(0);
  show(e, value, "");
  return {};
}

// fdisp(stdout, x)
std::vector<Binding> fdisp(Call& call) {
  if (stream_of(call, 0) != Stream::out) call.fail("values are shown on stdout alone: fprintf(file, ...)");
  return call.walk.call_by_name("disp", {call.args[1]}, 0, call.span);
}

// evalc("statements") has become these statements with a call without arguments before them, and one behind them whose
// value is what they have shown (evaluated/evaluated.h).
std::vector<Binding> evalc(Call& call) {
  if (call.count() > 0)
    call.fail(
        "its texts stand in the program, and the call in an assignment or alone, evalc(\"x\"): of other texts write "
        "the "
        "statements themselves");
  if (call.nargout > 0) return {end_capture(call.emit)};
  begin_capture(call.emit);
  return {};
}

std::vector<Binding> display(Call& call) {
  const ast::Expr* argument = call.written && !call.written->empty() ? call.written->front().get() : nullptr;
  const auto* identifier = argument ? std::get_if<ast::Identifier>(&argument->node) : nullptr;
  if (!identifier) return disp(call);
  print_binding(call.emit, identifier->name, call.args[0]);
  return {};
}

bool looks_like_id(const std::string& text) {
  return text.find(':') != std::string::npos && text.find_first_of(" \t\n%") == std::string::npos;
}

// One argument is no template: it is shown as it is.
Said said_plainly(Call& call, std::size_t at) {
  Emitter& e = call.emit;
  const Binding& text = call.args[at];
  Said said;
  said.message.format = "%s";
  if (!text.is_known_text()) {
    said.message.arguments.emplace_back(std::nullopt);
    said.operands = {text.value};
    said.silent = e.equal_sizes(call.type(text.value).cols, 0);
    return said;
  }
  const bool only_id = looks_like_id(text.text) && text.text.back() != ':';
  said.message.arguments.emplace_back(
      only_id ? "call to " + call.name + " with message identifier '" + text.text + "' requires message" : text.text);
  said.silent = e.builder.constant(text.text.empty() ? 1 : 0, Element::logical);
  return said;
}

}  // namespace

Said said_by(Call& call, std::size_t at) {
  if (!call.is_text(at)) call.fail("the message must be a string");
  if (call.count() == at + 1) return said_plainly(call, at);
  const bool has_id = call.args[at].is_known_text() && looks_like_id(call.text(at));
  if (has_id && !call.is_text(at + 1)) call.fail("format TEMPLATE must be a string");
  Said said;
  const std::size_t format = has_id ? at + 1 : at;
  said.message = message_from(call, format, said.operands);
  if (has_id) said.message.id = call.text(at);
  const bool nothing = call.args[format].is_known_text() && call.args[format].text.empty();
  said.silent = call.emit.builder.constant(nothing ? 1 : 0, Element::logical);
  return said;
}

namespace {

// rethrow(err), error(err): what a catch has got, or a struct with the same fields.
std::vector<Binding> throw_again(Call& call) {
  const Binding& error = call.args[0];
  const Binding* text = error.is_record() ? item_of(error, "message") : nullptr;
  const Binding* id = error.is_record() ? item_of(error, "identifier") : nullptr;
  if (!text || !text->is_text() || !id || !id->is_text())
    call.fail("ERR must be a struct with the fields 'message' and 'identifier'");
  Message message;
  message.stream = Stream::err;
  message.format = "%s";
  if (id->is_known_text()) message.id = id->text;
  std::vector<ValueId> operands;
  if (text->is_known_text()) {
    message.arguments = {text->text};
  } else {
    message.arguments.emplace_back(std::nullopt);
    operands = {text->value};
  }
  if (!id->is_known_text())  // one of those that errors before it have
    for (const std::string& known : call.walk.identifiers_of_errors()) {
      if (known.empty()) continue;
      const Binding same = call.walk.call_by_name("strcmp", {*id, Binding::string(known, true)}, 1, call.span).front();
      message.id = known;
      call.emit.check(call.emit.builder.map(ScalarOp::logical_not, same.value), message, operands);
    }
  if (!id->is_known_text()) message.id.clear();
  call.emit.check(call.emit.builder.constant(0, Element::logical), message, operands);
  throw Unreachable{};
}

std::vector<Binding> stop(Call& call) {
  if (call.name == "error" && call.args[0].is_record()) return throw_again(call);
  if (call.name == "warning")
    if (const auto switched = warning_switch(call)) return *switched;
  Builder& b = call.emit.builder;
  Said said = said_by(call, 0);
  said.message.stream = Stream::err;
  if (call.emit.constant_of(said.silent) == 1.0) return {};
  if (call.name == "warning") {
    b.warn(said.silent, std::move(said.message), said.operands);
    return {};
  }
  call.emit.check(said.silent, said.message, said.operands);
  if (call.emit.constant_of(said.silent) == 0.0) throw Unreachable{};
  return {};
}

// Octave looks for the help text of the function in a file of its name, which most functions of a program have not.
std::vector<Binding> print_usage(Call& call) {
  const std::string name = call.walk.caller().name;
  const ValueId never = call.emit.builder.constant(0, Element::logical);
  const std::string file = "/" + call.emit.sources.file(call.span.file).name;
  const bool is_file = file.ends_with("/" + name + ".la");
  if (call.walk.defines(name) && !is_file) call.emit.require(never, "print_usage: '" + name + "' not found", {});
  else call.emit.require(never, "Invalid call to " + name, {}, "Octave:invalid-fun-call");
  throw Unreachable{};
}

std::vector<Binding> lasterr(Call& call) {
  const std::optional<Binding> said = call.walk.last_error();
  if (!said) call.fail("outside of a handler, and behind another try in one, it is outside the language: catch err");
  return {*said};
}

}  // namespace

std::span<const Builtin> effect_builtins() {
  static constexpr Builtin entries[] = {
      {"evalc", 0, 2, 1, evalc},
      {"printf", 1, -1, 1, print_format},
      {"fprintf", 1, -1, 1, print_format},
      {"puts", 1, 1, 1, put_text},
      {"fputs", 2, 2, 1, put_text},
      {"fflush", 1, 1, 1, flush},
      {"stdout", 0, 0, 1, stream_out},
      {"stderr", 0, 0, 1, stream_err},
      {"disp", 1, 1, 1, shown_or_kept<disp>},
      {"fdisp", 2, 2, 0, fdisp},
      {"display", 1, 1, 0, display},
      {"error", 1, -1, 1, stop},  // x || error(...): as a value that never comes
      {"warning", 1, -1, 1, stop},
      {"print_usage", 0, 0, 1, print_usage},
      {"rethrow", 1, 1, 0, throw_again},
      {"lasterr", 0, 0, 1, lasterr},
  };
  return entries;
}

}  // namespace lac::frontend
