#include "frontend/sema/builtins/warning_switch.h"

#include <algorithm>
#include <array>

#include "frontend/sema/values/aggregate.h"
#include "ir/graph/signals.h"
#include "ir/graph/warning_ids.h"

namespace lac::frontend {
namespace {

constexpr std::string_view every = "all";

/// Those that Octave begins without.
constexpr std::array<std::string_view, 10> off_at_first = {
    "Octave:array-as-logical",    "Octave:array-to-scalar",   "Octave:array-to-vector", "Octave:imag-to-real",
    "Octave:language-extension",  "Octave:missing-semicolon", "Octave:neg-dim-as-zero", "Octave:separator-insert",
    "Octave:single-quote-string", "Octave:str-to-num"};

std::string asked_id(const Call& call) { return call.count() > 1 ? call.text(1) : std::string(every); }

bool is_word(const Call& call, std::initializer_list<std::string_view> words) {
  return call.count() > 0 && call.args[0].is_known_text() && std::ranges::find(words, call.args[0].text) != words.end();
}

bool is_on(const Emitter& e, const std::string& id) {
  for (const std::string& name : {id, std::string(every)})
    if (e.facts.warnings.count(name) != 0) return e.facts.warnings.at(name);
  return std::ranges::find(off_at_first, id) == off_at_first.end();
}

/// What a loop or a branch switches hangs on the run.
[[noreturn]] void refuse(const Call& call, const std::string& id) {
  call.fail("whether \"" + id + "\" is on hangs on the run: it is switched in a loop, a branch or a try, and asked");
}

bool hangs_on_run(const Emitter& e, const std::string& id) {
  return e.warnings_of_run.count(id) != 0 || e.warnings_of_run.count(std::string(every)) != 0;
}

Binding state_of(const Call& call, const std::string& id) {
  const Binding nothing = Binding::matrix(call.emit.nothing());
  Binding state = with_item(empty_record(), "identifier", 0, Binding::string(id, false), nothing);
  return with_item(state, "state", 0, Binding::string(is_on(call.emit, id) ? "on" : "off", false), nothing);
}

std::vector<Binding> query(Call& call) {
  const std::string id = asked_id(call);
  if (call.count() != 2 || id == every) call.fail("the states of all warnings at once are not supported: name one");
  if (hangs_on_run(call.emit, id)) refuse(call, id);
  if (call.emit.conditional()) call.emit.warnings_asked.insert(id);
  if (call.nargout > 0) return {state_of(call, id)};
  call.walk.call_by_name("printf",
                         {Binding::string("\"%s\" warning state is \"%s\"\n", true), Binding::string(id, false),
                          Binding::string(is_on(call.emit, id) ? "on" : "off", false)},
                         0, call.span);
  return {};
}

void note(Call& call, const std::string& id, bool on) {
  Emitter& e = call.emit;
  if (e.conditional()) {
    const bool asked = id == every ? !e.warnings_asked.empty() : e.warnings_asked.count(id) != 0;
    if (asked) refuse(call, id);
    e.warnings_of_run.insert(id);
  }
  if (id == every) e.facts.warnings = {};
  e.facts.warnings.insert_or_assign(id, on);
  if (id == array_as_logical && on) e.arrays_warn = true;
}

std::vector<Binding> switched(Call& call) {
  const std::string id = asked_id(call);
  if (call.count() == 3 && (call.text(2) != "local" || !call.walk.caller().name.empty()))
    call.fail("\"" + call.text(2) + "\" is not supported here: switch it back at the end");
  std::vector<Binding> before;
  if (call.nargout > 0) {
    if (id == every) call.fail("the states of all warnings at once are not supported: name one");
    before = query(call);
  }
  note(call, id, call.text(0) == "on");
  Message message;
  message.stream = Stream::err;
  message.id = std::string(switch_id);
  message.format = "%s %s";
  message.arguments = {call.text(0), id};
  call.emit.builder.warn(call.emit.builder.constant(0, Element::logical), std::move(message), {});
  return before;
}

}  // namespace

std::optional<std::vector<Binding>> warning_switch(Call& call) {
  for (std::size_t i = 0; i < call.count(); ++i)
    if (!call.args[i].is_known_text()) return std::nullopt;
  if (is_word(call, {"error"}) && call.count() == 1)
    call.fail("cannot specify \"all\" warning ID with state \"error\"");
  if (call.count() > 3) return std::nullopt;
  if (is_word(call, {"query"})) return query(call);
  return is_word(call, {"on", "off"}) ? std::optional(switched(call)) : std::nullopt;
}

}  // namespace lac::frontend
