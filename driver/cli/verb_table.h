// The verbs: those that exist, and those that are planned and say so.
#pragma once

#include <string_view>
#include <vector>

#include "driver/cli/command_line.h"

namespace lac::cli {

struct VerbEntry {
  std::string_view name;
  Verb verb;
  int (*action)(const CommandLine&);
  std::string_view summary;
};

const std::vector<VerbEntry>& verbs();
/// Null when there is no such verb.
const VerbEntry* find_verb(std::string_view name);
/// The verb that the name is one slip of the finger away from; null when there is none.
const VerbEntry* meant_verb(std::string_view name);
/// Verbs of later versions, refused by name.
bool is_planned_verb(std::string_view name);

}  // namespace lac::cli
