#include "runtime/warnings.h"

#include <algorithm>
#include <utility>

#include "ir/graph/signals.h"
#include "ir/graph/warning_ids.h"

namespace lac::runtime {
namespace {

constexpr std::string_view every = "all";

// "warning: off some:id"
void switch_warnings(std::string_view text, WarningSwitches& switches) {
  const std::size_t id_at = text.rfind(' ') + 1;
  const std::string id(text.substr(id_at));
  const bool off = text.substr(0, id_at).ends_with(" off ");
  if (id == every) switches = {off, {}};
  else if (off == switches.all) switches.except.erase(id);
  else switches.except.insert(id);
}

// False for what is said once for each place and has been said there.
bool is_new(const RunWarning& warning, const std::vector<RunWarning>& earlier) {
  if (warning.id != domain_warning) return true;
  return std::ranges::none_of(earlier, [&](const RunWarning& other) {
    return other.id == domain_warning && other.location == warning.location;
  });
}

}  // namespace

void deliver_warning(RunWarning warning, const RunOptions& options, RunResult& result) {
  if (warning.id == switch_id) return switch_warnings(warning.message, result.warnings_off);
  if (result.warnings_off.off(warning.id)) return;
  if (!is_new(warning, result.warnings)) return;
  if (options.warn) options.warn(warning);
  result.warnings.push_back(std::move(warning));
}

}  // namespace lac::runtime
