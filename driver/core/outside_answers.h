// What a compilation asked of the world outside the texts at hand, with the answers: what it made holds for as long as
// the answers are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/core/module.h"

namespace lac::driver {

struct OutsideAnswers {
  /// LowerOptions::find_function.
  struct Function {
    std::string name;
    std::optional<frontend::LowerOptions::Found> answer;
  };
  /// LowerOptions::storage_of_file.
  struct File {
    std::string path;
    std::optional<Storage> storage;
  };
  std::vector<Function> functions;
  std::vector<File> files;
};

/// Notes in `answers` what the options are asked from here on; both outlive what lowers with them.
void record(frontend::LowerOptions& options, OutsideAnswers& answers);
/// Whether these options, which record nothing, would answer the same now.
bool still_hold(const OutsideAnswers& answers, const frontend::LowerOptions& options);

}  // namespace lac::driver
