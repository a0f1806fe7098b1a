// What went wrong, as the values of the public header.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "driver/core/binding.h"
#include "driver/include/lac/lac.hpp"
#include "ir/graph/graph.h"
#include "ir/support/diagnostics.h"
#include "runtime/run.h"

namespace lac::driver {

using Locations = IdVector<LocationId, Location>;

api::Diagnostic to_api(const Diagnostic& diagnostic, const SourceManager& sources);
std::vector<api::Diagnostic> to_api(const Diagnostics& diagnostics, const SourceManager& sources);
std::string rendered(const std::vector<api::Diagnostic>& diagnostics);

/// A message without a place: "error: ...".
api::Diagnostic plain_error(const std::string& message);
/// "warning: ...".
api::Diagnostic plain_warning(std::string id, const std::string& message);

/// What is said once for each place: inlining and peeled trips give one place of the source several locations.
class FirstOfPlace {
 public:
  bool operator()(const api::Diagnostic& diagnostic) {
    return seen_.emplace(diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message).second;
  }

 private:
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>> seen_;
};

/// A run that did not end well: the message with its place, the trips of the loops around it, and the calls that led
/// there. Interrupted runs say where they were.
/// Shapes that do not fit are explained by the parameters that the line names.
api::Diagnostic to_api(const runtime::RunStatus& status, const Locations& locations, const SourceManager& sources,
                       const std::vector<BoundParameter>& parameters = {});
/// As Octave shows it: the text alone; the place is in the fields.
api::Diagnostic to_api(const runtime::RunWarning& warning, const Locations& locations, const SourceManager& sources);

/// `ok` for a program that ended by `exit`.
api::Outcome outcome_of(const runtime::RunStatus& status);

/// Whether the program called `exit`, and with which status.
bool is_exit(const runtime::RunStatus& status);
int exit_status_of(const runtime::RunStatus& status);

}  // namespace lac::driver
