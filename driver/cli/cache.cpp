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
  if (clears && cache.files > 0) {
    err("lac: " + std::to_string(cache.files) + " files of " + cache.folder + " cannot be removed\n");
    return exit_failed;
  }
  out("folder   " + cache.folder + "\nfiles    " + std::to_string(cache.files) + "\nbytes    " +
      std::to_string(cache.bytes) + "\n");
  return finish_output() ? exit_ok : exit_failed;
}

}  // namespace lac::cli
