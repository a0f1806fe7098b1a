#include "frontend/format.h"

#include "driver/core/report.h"
#include "driver/include/lac/lac.hpp"
#include "ir/support/printable.h"

namespace lac::api {

std::string printable(std::string_view text) { return lac::printable(text); }

Emitted format(const std::string& text, const std::string& name) {
  SourceManager sources;
  lac::Diagnostics diagnostics;
  Emitted result;
  std::optional<std::string> formatted = frontend::format(sources.add(name, text), sources, diagnostics);
  result.diagnostics = driver::to_api(diagnostics, sources);
  if (formatted) result.text = std::move(*formatted);
  else result.outcome = Outcome::failed;
  return result;
}

}  // namespace lac::api
