// try and catch. There is no unwinding in what runs: inside of a try every check is a branch whose other arm keeps the
// variables as they are and marks what went wrong, and what follows the check, to the end of the list of statements or
// of the arm, stands in its first arm. So an error is a value, and the handler a branch on it.
#include <algorithm>
#include <array>

#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/restored.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"
#include "ir/types/text.h"

namespace lac::frontend {
namespace {

constexpr const char *flag_name = error_marks[0], *code_name = error_marks[1];
/// Numbers in a message.
constexpr std::size_t most_numbers = std::size(error_marks) - 2;
std::string number_name(std::size_t i) { return error_marks[i + 2]; }

/// Errors that are certain while a program is compiled and are Octave's own, by what they say; all others are refusals
/// of the compiler, which nothing catches.
struct Known {
  std::string_view words, id;
};
constexpr Known known_errors[] = {
    {": nonconformant arguments (op1 is ", "Octave:nonconformant-args"},
    {": out of bound ", "Octave:index-out-of-bounds"},
    {": subscripts must be either integers 1 to (2^63)-1 or logicals", "Octave:invalid-index"},
    {"dimensions mismatch (", ""},
    {"reshape: can't reshape ", ""},
    {" not implemented for '", ""},
    {": must have matching operand types", ""},
    {": cannot combine ", ""},
    {"incompatible types found in range expression", ""},
    {"colon operator ", ""},
    {"called with too many inputs", "Octave:invalid-fun-call"},
    {"called with too many outputs", "Octave:invalid-fun-call"},
    {"containers.Map: ", ""},
    {"Invalid call to ", "Octave:invalid-fun-call"},
    {": A must be a square matrix", ""},
    {" cannot be indexed with ", ""},
    {"dot: sizes of X and Y must match", ""},
    {": size of X and Y must match, or one operand must be a scalar", ""},
    {"cell2mat: C must be a cell array", ""},
    {"circshift: N must be a scalar when DIM is also specified", ""},
    {"rot90: K must be a single real integer", ""},
    {"blanks: N must be a non-negative integer", ""},
    {": nonconformant cell arrays", ""},
    {"structure has no member '", "Octave:invalid-indexing"},
    {"cat: field names mismatch in ", ""},
    {"number of columns must match", ""},
    {"incompatible fields in struct assignment", ""},
    {"ASSERT errors for:  assert (", ""},
    {"assert (", ""},
    {" does not match any of\n", ""},
    {"reshape: SIZE is not divisible by ", ""},
    {"fieldnames: Invalid input argument", ""},
    {"cellfun: all values must be scalars when UniformOutput = true", ""},
    {"str2num: S must be a string or string array", ""},
    {"strtrim: S argument must be a string or cellstring", ""},
    {"linspace: START, END must be scalars or vectors", ""},
    {"cell2mat: wrong type elements or mixed cells, structs, and matrices", ""},
    {"struct: additional arguments must occur as ", ""},
    {"accumarray: dimension mismatch", ""},
    {"sort: only cell arrays of character strings may be sorted", ""},
    {"norm: unrecognized option: ", ""},
    {"ismember: A and B must be arrays or cell arrays of strings", ""},
    {"ismember: cell array of strings cannot be combined with a nonstring value", ""},
};

bool tells_undefined_name(const std::string& message) {
  return message.starts_with("'") && message.ends_with("' undefined");
}

std::optional<std::string> id_of(const std::string& message) {
  const bool of_the_run = message.find(" x ") != std::string::npos;  // shows sizes that the run brings
  if (of_the_run) return std::nullopt;
  if (tells_undefined_name(message)) return "Octave:undefined-function";
  for (const Known& each : known_errors)
    if (message.find(each.words) != std::string::npos) return std::string(each.id);
  return std::nullopt;
}

/// What Octave says of it: without what the compiler adds.
std::string in_octaves_words(const std::string& message) {
  constexpr std::string_view added[] = {", but is ", ".  Correct usage is with ",
                                        "; use the 'UniformOutput', false option"};
  std::string words = message;
  for (const std::string_view each : added) words.resize(std::min(words.find(each), words.size()));
  return words;
}

/// Writes sizes that are constants into the template: "nonconformant arguments (op1 is %dx3, op2 is %dx4)".
void write_constants(const Emitter& e, Message& message, std::vector<ValueId>& arguments) {
  std::string format;
  std::vector<std::optional<std::string>> left;
  std::vector<ValueId> numbers;
  std::size_t argument = 0, number = 0;
  for (std::size_t i = 0; i < message.format.size(); ++i) {
    const char c = message.format[i], conversion = i + 1 < message.format.size() ? message.format[i + 1] : ' ';
    format += c;
    if (c != '%') continue;
    ++i;
    format += conversion;
    if (conversion == '%' || argument == message.arguments.size()) continue;
    const std::optional<std::string>& known = message.arguments[argument++];
    const auto constant = !known && conversion == 'd' ? e.constant_of(arguments[number]) : std::nullopt;
    if (constant) {
      format.replace(format.size() - 2, 2, number_text(*constant));
    } else {
      left.push_back(known);
      if (!known) numbers.push_back(arguments[number]);
    }
    if (!known) ++number;
  }
  message.format = std::move(format);
  message.arguments = std::move(left);
  arguments = std::move(numbers);
}

}  // namespace

/// What an error has left among the variables; no flag: nothing went wrong.
struct Lowerer::Caught {
  ValueId flag, code;
  std::array<ValueId, most_numbers> numbers;
  ValueId text = {};  ///< the message, of an error that has one of the run

  void mark(Environment& env) const {
    env[flag_name] = Binding::matrix(flag);
    env[code_name] = Binding::matrix(code);
    for (std::size_t i = 0; i < most_numbers; ++i) env[number_name(i)] = Binding::matrix(numbers[i]);
    if (text) env[error_text] = Binding::matrix(text);
  }
};

/// A list of statements, or an arm, in which errors are caught.
struct Lowerer::Catching {
  struct Guard {
    ValueId holds;
    BlockId inner;
    Emitter::Around around;
    Environment failed;  ///< the variables where it does not hold
  };
  Frame* frame;
  BlockId block;  ///< what is appended to now
  std::vector<Guard> guards = {};
};

/// The body of a try.
struct Lowerer::Tried {
  std::vector<std::size_t> codes = {};  ///< of the errors that may come
};

bool Lowerer::called_in_try() const { return !catching_.empty() && catching_.back()->frame != frame_; }

std::size_t Lowerer::guards_at_hand() const { return catching_.empty() ? 0 : catching_.back()->guards.size(); }

void Lowerer::forget_guards(std::size_t left) {
  if (catching_.empty()) return;
  Catching& here = *catching_.back();
  here.guards.erase(here.guards.begin() + static_cast<std::ptrdiff_t>(left), here.guards.end());
  here.block = emit_.builder.block;
}

void Lowerer::open_guard(ValueId holds, Environment failed) {
  Catching& here = *catching_.back();
  if (emit_.constant_of(holds) == 0.0) {
    here.frame->env = std::move(failed);
    throw Thrown{};
  }
  const BlockId inner = emit_.builder.new_block();
  here.guards.push_back({holds, inner, emit_.enter(inner), std::move(failed)});
  here.block = inner;
}

void Lowerer::close_guards(Catching& here, Span span) {
  while (!here.guards.empty()) {
    Catching::Guard guard = std::move(here.guards.back());
    here.guards.pop_back();
    emit_.leave(std::move(guard.around));
    emit_.at(span);
    const BlockId other = emit_.builder.new_block();
    std::array<Environment, 2> after{here.frame->env, guard.failed};
    stack_in_both(after, {guard.inner, other});
    widen_in_both(after, {guard.inner, other});
    here.frame->env = joined(guard.holds, {guard.inner, other}, guard.failed, after, span);
  }
}

void Lowerer::catching(const std::function<void()>& body, Span span) {
  if (tries_.empty()) return body();
  Catching here{frame_, emit_.builder.block};
  struct Entered {
    std::vector<Catching*>& all;
    ~Entered() { all.pop_back(); }
  };
  const std::size_t reported = emit_.diagnostics.items().size();
  {
    catching_.push_back(&here);
    const Entered entered{catching_};
    try {
      try {
        body();
      } catch (const LowerError&) {
        throw_reported(reported);
        throw;
      }
    } catch (const Thrown&) {
    } catch (const Unreachable&) {
      if (here.guards.empty()) throw;
    } catch (...) {
      for (auto guard = here.guards.rbegin(); guard != here.guards.rend(); ++guard) emit_.leave(guard->around);
      throw;
    }
  }
  close_guards(here, span);
}

// An error of the program that is known already is thrown by its run.
void Lowerer::throw_reported(std::size_t reported) {
  if (tries_.empty() || catching_.empty()) return;
  const auto& items = emit_.diagnostics.items();
  const auto first = std::find_if(items.begin() + static_cast<std::ptrdiff_t>(std::min(reported, items.size())),
                                  items.end(), [](const Diagnostic& item) { return item.severity == Severity::error; });
  if (first == items.end() || emit_.failed_in != catching_.back()->block) return;
  const auto id = id_of(first->message);
  if (!id) return;
  Message message;
  message.stream = Stream::err;
  message.id = *id;
  message.format = as_format(in_octaves_words(first->message));
  emit_.at(first->span);
  emit_.diagnostics.truncate(reported);
  check(emit_.builder.constant(0, Element::logical), message, {});
}

// What is certain with the types that one attempt at the loop of a recursion thinks of need not be so with those of the
// next one: the run says it.
void Lowerer::stop_in_recursion(std::size_t reported) {
  if (!frame_->machine || !tries_.empty() || !emit_.conditional() || emit_.failed_in != emit_.builder.block) return;
  const auto& items = emit_.diagnostics.items();
  const auto first = std::find_if(items.begin() + static_cast<std::ptrdiff_t>(std::min(reported, items.size())),
                                  items.end(), [](const Diagnostic& item) { return item.severity == Severity::error; });
  if (first == items.end()) return;
  const auto id = id_of(first->message);
  if (!id) return;
  const std::string words = as_format(in_octaves_words(first->message));
  emit_.at(first->span);
  emit_.diagnostics.truncate(reported);
  emit_.require(emit_.builder.constant(0, Element::logical), words, {}, *id);
  throw Unreachable{};
}

// The message with its arguments, as what certainly goes wrong here says. A text of the run is a whole message.
ValueId Lowerer::text_of(const Message& message, const std::vector<ValueId>& arguments) {
  std::vector<Binding> parts = {Binding::string(message.format, true)};
  std::size_t next = 0;
  for (const auto& known : message.arguments) {
    if (known) {
      parts.push_back(Binding::string(*known, true));
      continue;
    }
    const ValueId given = arguments[next++];
    const Type t = emit_.type(given);
    const bool is_text = message.format == "%s" && t.element == Element::integer && t.rows.is(1) && !t.is_scalar();
    parts.push_back(is_text ? Binding::computed_text(given, true) : Binding::matrix(given));
  }
  errors_have_text_ = true;
  return codes(emit_, call_by_name("sprintf", std::move(parts), 1, emit_.place()).front());
}

// In what computes a value by branches or loops of its own nothing can be left to the handler: the error ends the run.
void Lowerer::check_uncaught(ValueId holds, Message message, const std::vector<ValueId>& arguments,
                             const std::string& reason) {
  message.format += " (which a try does not catch here, " + reason + ")";
  emit_.builder.check(holds, std::move(message), arguments);
}

void Lowerer::check(ValueId holds, const Message& said, const std::vector<ValueId>& given) {
  Message message = said;
  std::vector<ValueId> arguments = given;
  if (arguments.size() > most_numbers) write_constants(emit_, message, arguments);
  if (message.id.empty() && message.format != "%s") message.id = id_of(message.format).value_or("");
  if (tells_undefined_name(message.format)) {
    const LineColumn at = emit_.sources.begin(emit_.place());
    message.format += " near line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
  }
  Catching& here = *catching_.back();
  if (here.block != emit_.builder.block)
    return check_uncaught(holds, std::move(message), arguments,
                          "as in a function that arrayfun calls: put the try into the function, or write the loop");
  const bool numbers = arguments.size() <= most_numbers &&
                       std::ranges::all_of(arguments, [&](ValueId each) { return emit_.type(each).is_scalar(); });
  ValueId text;
  if (!numbers) {
    const bool is_made = message.format == "%s" && arguments.size() == 1;  // the text of an error that is thrown again
    if (emit_.constant_of(holds) != 0.0 && !is_made)
      return check_uncaught(holds, std::move(message), arguments, "for its words are more than the run keeps");
    text = text_of(message, arguments);
    message.format = "%s";
    message.arguments = {std::nullopt};
  }
  const std::vector<ErrorPlace> places = !reads_stacks_ ? std::vector<ErrorPlace>{}
                                         : passed_on_   ? *passed_on_
                                                        : places_of_calls();
  const auto same = [&](const ThrownMessage& other) {
    return other.places == places && other.of_run == !numbers && other.message.id == message.id &&
           other.message.format == message.format && other.message.arguments == message.arguments;
  };
  const auto known = std::ranges::find_if(thrown_, same);
  const auto code = static_cast<std::size_t>(known - thrown_.begin());
  if (known == thrown_.end()) thrown_.push_back({message, !numbers, places});
  if (std::ranges::find(tries_.back()->codes, code) == tries_.back()->codes.end()) tries_.back()->codes.push_back(code);
  Caught error;
  error.flag = emit_.builder.constant(1, Element::logical);
  error.code = emit_.builder.constant(static_cast<double>(code), Element::integer);
  error.numbers.fill(emit_.builder.constant(0, emit_.graph.precision));
  error.text = text;
  if (numbers)
    std::ranges::transform(arguments, error.numbers.begin(),
                           [&](ValueId each) { return emit_.builder.convert(each, emit_.graph.precision); });
  Environment failed = here.frame->env;
  keep_shared(failed);
  error.mark(failed);
  open_guard(holds, std::move(failed));
}

// An error takes back nothing that functions which a try calls have assigned to shared variables.
void Lowerer::keep_shared(Environment& failed) const {
  if (!has_shared_ || !called_in_try()) return;
  copy_shared(frame_->env, failed);
  for (const auto& [local, name] : frame_->shared)
    if (frame_->env.count(local) != 0) put(failed, name, whole(frame_->env, local));
  for (const auto& [local, name] : catching_.back()->frame->shared) put(failed, local, whole(failed, name));
}

std::vector<std::string> Lowerer::identifiers_of_errors() const {
  std::vector<std::string> ids;
  for (const ThrownMessage& each : thrown_)
    if (std::ranges::find(ids, each.message.id) == ids.end()) ids.push_back(each.message.id);
  return ids;
}

Lowerer::Caught Lowerer::take_error() {
  Caught error;
  const auto take = [&](const std::string& name) {
    const auto found = frame_->env.find(name);
    const ValueId value = found == frame_->env.end() ? ValueId{} : found->second.value;
    frame_->env.erase(name);
    return value;
  };
  error.flag = take(flag_name);
  error.code = take(code_name);
  for (std::size_t i = 0; i < most_numbers; ++i) error.numbers[i] = take(number_name(i));
  error.text = take(error_text);
  return error;
}

// Behind a branch in which something may have gone wrong.
void Lowerer::pass_on_error() {
  if (tries_.empty() || catching_.empty() || frame_->env.count(flag_name) == 0) return;
  const Caught error = take_error();
  if (catching_.back()->block != emit_.builder.block) return throw_caught(error, *tries_.back());  // uncaught
  Environment failed = catching_.back()->frame->env;
  keep_shared(failed);
  error.mark(failed);
  open_guard(emit_.builder.map(ScalarOp::logical_not, error.flag), std::move(failed));
}

// The variable behind `catch`: which of the errors it was, and what that says.
Binding Lowerer::error_record(const Caught& caught, const Tried& tried) {
  std::vector<std::size_t> codes = tried.codes;
  if (const auto one = emit_.constant_of(caught.code)) codes = {static_cast<std::size_t>(*one)};
  const auto message_of = [&](const ThrownMessage& thrown) {
    const Message& message = thrown.message;
    if (thrown.of_run) return Binding::computed_text(caught.text, true);
    const bool plain = message.format == "%s" && message.arguments.front();
    const auto without_end = [](const std::string& text) {  // which says that no calls are to be listed
      return text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
    };
    if (plain) return Binding::string(without_end(*message.arguments.front()), true);
    const std::string format = without_end(message.format);
    if (format.find('%') == std::string::npos) return Binding::string(format, true);
    std::vector<Binding> parts = {Binding::string(format, true)};
    std::size_t next = 0;
    for (const auto& argument : message.arguments)
      parts.push_back(argument ? Binding::string(*argument, true) : Binding::matrix(caught.numbers[next++]));
    return call_by_name("sprintf", std::move(parts), 1, emit_.place()).front();
  };
  const auto id_text = [](const ThrownMessage& thrown) { return Binding::string(thrown.message.id, true); };
  const std::function<Binding(std::size_t, const std::function<Binding(const ThrownMessage&)>&)> text =
      [&](std::size_t from, const std::function<Binding(const ThrownMessage&)>& of) {
        if (from + 1 == codes.size()) return of(thrown_[codes[from]]);
        const ValueId code = emit_.builder.constant(static_cast<double>(codes[from]), Element::integer);
        return chosen(
            emit_.builder.map(ScalarOp::eq, caught.code, code), [&] { return of(thrown_[codes[from]]); },
            [&] { return text(from + 1, of); });
      };
  const Binding nothing = Binding::matrix(emit_.nothing());
  const Binding said = with_item(empty_record(), "message", 0, text(0, message_of), nothing);
  const Binding record = with_item(said, "identifier", 0, text(0, id_text), nothing);
  if (std::ranges::any_of(codes, [&](std::size_t code) { return thrown_[code].places.empty(); })) return record;
  return with_item(record, "stack", 0, text(0, [&](const ThrownMessage& each) { return stack_of(each.places); }),
                   nothing);
}

Lowerer::Caught Lowerer::lower_tried(const ast::Block& body, Tried& tried, Span span) {
  struct Entered {
    Lowerer& lowerer;
    Entered(Lowerer& all, Tried* one) : lowerer(all) {
      lowerer.tries_.push_back(one);
      lowerer.emit_.errors = &lowerer;
    }
    ~Entered() {
      lowerer.tries_.pop_back();
      if (lowerer.tries_.empty()) lowerer.emit_.errors = nullptr;
    }
  };
  {
    const Entered entered(*this, &tried);
    catching([&] { lower_list(body); }, span);
  }
  Caught error = take_error();
  if (tried.codes.empty()) error.flag = {};  // a loop carries the flag also where nothing raises it
  return error;
}

void Lowerer::lower_try(const ast::Try& node, Span span) {
  if (node.cleans_up) return lower_cleanup(node, span);
  Tried tried;
  const Caught error = lower_tried(node.body, tried, span);
  if (!error.flag) return;
  emit_.at(span);
  branch(
      error.flag,
      [&] {
        const bool asks = read_counts(node.handler).count("lasterr") != 0;
        std::optional<Binding> said;
        if (asks || !node.error.text.empty()) {
          const Binding record = error_record(error, tried);
          if (!node.error.text.empty()) assign_name(node.error.text, record);
          said = *item_of(record, "message");
        }
        struct Handling {
          std::vector<std::optional<Binding>>& all;
          ~Handling() { all.pop_back(); }
        } const handling{handled_};
        handled_.push_back(std::move(said));
        lower_list(node.handler);
      },
      [] {}, span);
  if (!handled_.empty()) handled_.back() = std::nullopt;  // the last error may be this one
}

// unwind_protect: what leaves the body, an error or a break, goes on behind the cleanup.
void Lowerer::lower_cleanup(const ast::Try& node, Span span) {
  Tried tried;
  const Caught error = lower_tried(node.body, tried, span);
  std::map<std::string, Binding> exits;
  for (const char* flag : exit_flags) {
    const auto found = frame_->env.find(flag);
    if (found == frame_->env.end()) continue;
    exits.emplace(flag, found->second);
    frame_->env.erase(flag);
  }
  lower_list(node.handler);
  for (const auto& [flag, raised] : exits) frame_->env[flag] = raised;
  emit_.at(span);
  if (error.flag) throw_caught(error, tried);
}

// The error as it was, to a try around this one or to the end of the run.
void Lowerer::throw_caught(const Caught& caught, const Tried& tried) {
  Builder& b = emit_.builder;
  for (const std::size_t code : tried.codes) {
    const auto [message, of_run, thrown_at] = thrown_[code];
    const ValueId number = b.constant(static_cast<double>(code), Element::integer);
    const ValueId raised = b.map(ScalarOp::logical_and, caught.flag, b.map(ScalarOp::eq, caught.code, number));
    if (emit_.constant_of(raised) == 0.0) continue;
    const auto given = std::ranges::count_if(message.arguments, [](const auto& known) { return !known; });
    std::vector<ValueId> values(caught.numbers.begin(), caught.numbers.begin() + given);
    if (of_run) values = {caught.text};
    const bool certain = emit_.constant_of(raised) == 1.0;
    const Restored passed_on(passed_on_);
    passed_on_ = &thrown_at;
    emit_.check(b.map(ScalarOp::logical_not, raised), message, values);
    if (certain) throw Unreachable{};
  }
}

}  // namespace lac::frontend
