#include "driver/cli/verb_table.h"

#include <algorithm>

#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

// One letter is too many, too few or another, or two neighbours have changed places.
bool one_slip(std::string_view typed, std::string_view meant) {
  const std::size_t same = static_cast<std::size_t>(
      std::mismatch(typed.begin(), typed.end(), meant.begin(), meant.end()).first - typed.begin());
  const std::string_view a = typed.substr(same), b = meant.substr(same);
  if (a.empty() || b.empty()) return a.size() + b.size() <= 1;
  const bool swapped = a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0] && a.substr(2) == b.substr(2);
  return swapped || a.substr(1) == b.substr(1) || a.substr(1) == b || a == b.substr(1);
}

}  // namespace

const std::vector<VerbEntry>& verbs() {
  static const std::vector<VerbEntry> table = {
      {"run", Verb::run, run_verb, "run a program (the default verb)"},
      {"check", Verb::check, check_verb, "types and shapes of every variable"},
      {"test", Verb::test, test_verb, "run the %! test blocks of files"},
      {"fmt", Verb::format, format_verb, "rewrite files in canonical form"},
      {"build", Verb::build, build_verb, "make an executable"},
      {"emit", Verb::emit, emit_verb, "show a stage of compilation"},
      {"explain", Verb::explain, explain_verb, "a page that shows where a program's time and bytes go"},
      {"repl", Verb::repl, repl_verb, "an interactive session"},
      {"lsp", Verb::lsp, lsp_verb, "a language server for editors"},
      {"devices", Verb::devices, devices_verb, "the Vulkan devices of this machine"},
      {"cache", Verb::cache, cache_verb, "what earlier runs left on disk; lac cache clear removes it"},
      {"passes", Verb::passes, passes_verb, "list the passes"},
      {"help", Verb::help, help_verb, "how to use lac, or one verb"},
  };
  return table;
}

const VerbEntry* find_verb(std::string_view name) {
  const auto found =
      std::find_if(verbs().begin(), verbs().end(), [&](const VerbEntry& entry) { return entry.name == name; });
  return found == verbs().end() ? nullptr : &*found;
}

const VerbEntry* meant_verb(std::string_view name) {
  const auto found = std::ranges::find_if(verbs(), [&](const VerbEntry& entry) { return one_slip(name, entry.name); });
  return found == verbs().end() ? nullptr : &*found;
}

bool is_planned_verb(std::string_view name) { return name == "bench"; }

}  // namespace lac::cli
