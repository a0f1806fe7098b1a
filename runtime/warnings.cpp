#include "runtime/warnings.h"

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
bool is_new(const RunWarning& warning, RunResult& result) {
  return warning.id != domain_warning || result.domain_warned.insert(warning.location.index).second;
}

}  // namespace

bool KeptWarnings::take(std::size_t text) {
  const auto size = static_cast<std::int64_t>(text);
  if (left_out > 0 || count == most || size > most_bytes - bytes) {
    ++left_out;
    return false;
  }
  ++count;
  bytes += size;
  return true;
}

void deliver_warning(RunWarning warning, const RunOptions& options, RunResult& result) {
  if (warning.id == switch_id) return switch_warnings(warning.message, result.warnings_off);
  if (warning.id == format_id) {
    result.digits = warning.message.ends_with("long") ? ShownDigits::many : ShownDigits::few;
    return;
  }
  if (result.warnings_off.off(warning.id)) return;
  if (!is_new(warning, result)) return;
  if (options.warn) options.warn(warning);
  if (result.kept.take(warning.message.size() + warning.id.size())) result.warnings.push_back(std::move(warning));
}

}  // namespace lac::runtime
