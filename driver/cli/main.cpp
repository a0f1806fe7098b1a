// The program `lac`: picks the verb; everything else is in the verb's file.
#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/console.h"
#include "driver/cli/verb_table.h"
#include "driver/cli/verbs.h"

namespace {

using namespace lac::cli;

int perform(const VerbEntry& entry, const std::vector<std::string>& words) {
  ParsedLine parsed = parse_command_line(entry.verb, words);
  if (!parsed.ok()) {
    usage_error(parsed.error);
    err("`lac help " + std::string(entry.name) + "` tells more\n");
    return exit_usage;
  }
  CommandLine& line = parsed.line;
  if (!line.quiet)
    for (const std::string& warning : parsed.warnings) say("lac: warning: " + warning + "\n");
  if (line.version) {
    out("lac " + std::string(lac::api::version()) + "\n");
    return finish_output() ? exit_ok : exit_failed;
  }
  const bool about_program = entry.verb == Verb::run && (!line.file.empty() || line.expression);
  if (line.help && !about_program) {
    line.file = words.size() > 1 || entry.verb != Verb::run ? std::string(entry.name) : "";
    return help_verb(line);
  }
  return entry.action(line);
}

int run(std::vector<std::string> words) {
  if (words.empty()) {
    help_verb({});
    return exit_usage;
  }
  if (const VerbEntry* entry = find_verb(words.front())) {
    words.erase(words.begin());
    return perform(*entry, words);
  }
  if (is_planned_verb(words.front())) return usage_error("the verb '" + words.front() + "' is not there yet");
  const std::string& word = words.front();
  const bool bare = word.find_first_of("./-") == std::string::npos && !std::filesystem::exists(word);
  if (const VerbEntry* meant = bare ? meant_verb(word) : nullptr)
    return usage_error("'" + word + "' is neither a verb nor a file; did you mean '" + std::string(meant->name) + "'?");
  return perform(verbs().front(), words);
}

}  // namespace

int main(int argc, char** argv) {
  lac::api::end_process(guarded_main([&] { return run({argv + 1, argv + argc}); }));
}
