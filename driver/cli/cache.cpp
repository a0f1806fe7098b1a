#include <string>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

int cache_verb(const CommandLine& line) {
  const bool clears = line.file == "clear";
  if (!line.file.empty() && !clears)
    return usage_error("'" + line.file + "' is not clear, the only word that lac cache takes");
  const api::Cache cache = clears ? api::clear_cache() : api::cache();
  if (cache.folder.empty()) {
    err("lac: there is no cache: set LAC_CACHE_DIR, XDG_CACHE_HOME or HOME\n");
    return exit_failed;
  }
  if (!cache.problem.empty()) {
    say("lac: error: " + cache.folder + " cannot be used: " + cache.problem + "\n");
    return exit_failed;
  }
  if (!cache.ignored.empty() && !line.quiet) {
    const std::size_t others = cache.ignored.size() - 1;
    say("lac: warning: " + cache.ignored.front() +
        (others > 0 ? " (and " + std::to_string(others) + " more)" : std::string()) +
        " is ignored: it is not this user's, or everybody may write to it\n");
  }
  if (clears && cache.files > 0) {
    say("lac: " + std::to_string(cache.files) + " files of " + cache.folder + " cannot be removed\n");
    return exit_failed;
  }
  out("folder   " + api::printable(cache.folder) + "\nfiles    " + std::to_string(cache.files) + "\nbytes    " +
      std::to_string(cache.bytes) + "\n");
  return finish_output() ? exit_ok : exit_failed;
}

}  // namespace lac::cli
