// clear, format, and words about the terminal and packages: what programs say to a session of Octave.
#include "frontend/sema/builtins/session.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/names/patterns.h"
#include "frontend/sema/values/strings.h"
#include "ir/graph/signals.h"

namespace lac::frontend {
namespace {

std::vector<Binding> nothing(Call&) { return {}; }

/// Names of packages of Octave that programs load; another name is a mistake.
constexpr std::string_view packages =
    " arduino audio bim bsltl cgi communications control data-smoothing database dataframe dicom "
    "econometrics financial fits fpl fuzzy-logic-toolkit ga general generate_html geometry gsl image "
    "image-acquisition instrument-control interval io joystick linear-algebra lssa ltfat mapping matgeom "
    "matpower miscellaneous mpi msh mvn nan ncarray netcdf nurbs ocl octclip octproj odepkg optics optim "
    "optiminterp parallel pythonic quaternion queueing secs1d secs2d secs3d signal sockets sparsersb specfun "
    "splines statistics stk strings struct symbolic tisean tsa vibes video vrml windows zeromq ";

// There are no packages: a function is in the language or it is not.
std::vector<Binding> pkg(Call& call) {
  if (call.text(0) != "load" && call.text(0) != "unload")
    call.fail("'" + call.text(0) + "' is outside the language: there are no packages, and load does nothing");
  for (std::size_t i = 1; i < call.count(); ++i)
    if (call.text(0) == "load" && !call.text(i).starts_with("-") &&
        packages.find(" " + lower_case(call.text(i)) + " ") == std::string_view::npos)
      call.fail("package " + call.text(i) + " is not installed");
  return {};
}

struct Word {
  std::string_view name;
  int fewest, most;  ///< arguments
  std::string_view why;
  Handler handler = nothing;
};

constexpr Word without_effect[] = {
    {"clc", 0, 0, "there is no screen to clear"},
    {"more", 0, 1, "there is no pager"},
    {"pkg", 1, -1, "there are no packages: a function is in the language or it is not", pkg},
};

constexpr Builtin silent(const Word& word) { return {word.name, word.fewest, word.most, 0, word.handler}; }

// -- clear

constexpr std::string_view of_all[] = {"all", "-all", "-a", "variables", "-variables", "-v"};
constexpr std::string_view of_functions[] = {"functions", "-functions", "-f"};
constexpr std::string_view of_globals[] = {"global", "-global", "-g"};
constexpr std::string_view of_others[] = {"-exclusive", "-x", "-except"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_option(std::string_view word) {
  return contains(of_all, word) || contains(of_functions, word) || contains(of_others, word) ||
         contains(of_globals, word);
}

std::vector<Binding> clear(Call& call) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const std::string& word = call.text(i);
    if (word.starts_with("-") && (i > 0 || !is_option(word)))
      call.fail("the option '" + word + "' is outside the language: name the variables");
    if (word.find('[') != std::string::npos) call.fail("sets of letters are outside the language: use '?'");
    words.push_back(word);
  }
  const std::string_view first = words.empty() ? std::string_view() : words.front();
  const bool all = first == "all" || first == "-all" || first == "-a";
  const Walk::OfGlobals globals = contains(of_globals, first) ? Walk::OfGlobals::alone
                                  : all                       ? Walk::OfGlobals::values
                                                              : Walk::OfGlobals::names;
  call.walk.clear([&](const std::string& name) { return is_cleared(name, words); }, globals, call.span);
  return {};
}

// -- format

std::vector<Binding> format(Call& call) {
  std::string digits;
  for (std::size_t i = 0; i < call.count(); ++i) digits += (i > 0 ? " " : "") + call.text(i);
  digits = lower_case(std::move(digits));
  if (digits.empty()) digits = "short";
  if (digits != "short" && digits != "long")
    call.fail("'" + digits + "' is outside the language: 'short' and 'long' are the formats, others are for printf");
  Message message;
  message.stream = Stream::err;
  message.id = std::string(format_id);
  message.format = digits;
  call.emit.builder.warn(call.emit.builder.constant(0, Element::logical), std::move(message), {});
  return {};
}

}  // namespace

std::string_view why_without_effect(std::string_view name) {
  const auto* word = std::ranges::find(without_effect, name, &Word::name);
  return word == std::end(without_effect) ? std::string_view() : word->why;
}

bool is_cleared(const std::string& name, const std::vector<std::string>& words) {
  const std::string_view first = words.empty() ? std::string_view() : words.front();
  if (contains(of_functions, first)) return false;  // of which a program keeps no copies
  const std::span<const std::string> patterns = std::span(words).subspan(is_option(first) ? 1 : 0);
  if (patterns.empty()) return true;
  const auto fits = [&](const std::string& pattern) { return fits_pattern(pattern, name); };
  return std::ranges::any_of(patterns, fits) != contains(of_others, first);
}

std::span<const Builtin> session_builtins() {
  static constexpr auto entries = [] {
    std::array<Builtin, std::size(without_effect) + 3> all = {};
    std::ranges::transform(without_effect, all.begin(), silent);
    all[std::size(without_effect)] = {"clear", 0, -1, 0, clear};
    all[std::size(without_effect) + 1] = {"clearvars", 0, -1, 0, clear};
    all[std::size(without_effect) + 2] = {"format", 0, -1, 0, format};
    return all;
  }();
  return entries;
}

}  // namespace lac::frontend
