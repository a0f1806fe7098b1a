#include "driver/cli/console.h"
#include "driver/cli/verb_table.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

std::string overview() {
  std::string text = "lac " + std::string(api::version()) +
                     ", a compiler for matrix programs\n\n"
                     "    lac [run] FILE.la|-|-e TEXT [NAME=VALUE...] [-o NAME=FILE...]\n"
                     "    lac FILE.la --help              its parameters and outputs\n\nverbs\n";
  for (const VerbEntry& entry : verbs()) {
    std::string left = "    " + std::string(entry.name);
    left.resize(14, ' ');
    text += left + std::string(entry.summary) + "\n";
  }
  return text + "\n`lac help VERB` lists the options of a verb.\n";
}

}  // namespace

int help_verb(const CommandLine& line) {
  if (line.file.empty()) {
    out(overview());
  } else if (const VerbEntry* entry = find_verb(line.file)) {
    out(usage(entry->verb));
  } else {
    return usage_error("there is no verb '" + line.file + "'");
  }
  return finish_output() ? exit_ok : exit_failed;
}

int passes_verb(const CommandLine&) {
  for (const api::Pass& pass : api::passes()) {
    std::string left = pass.name;
    left.resize(std::max<std::size_t>(left.size() + 2, 16), ' ');
    out(left + pass.summary + "\n");
  }
  return finish_output() ? exit_ok : exit_failed;
}

}  // namespace lac::cli
