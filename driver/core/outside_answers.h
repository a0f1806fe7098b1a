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
  /// LowerOptions::form_of_file.
  struct Form {
    std::string path;
    std::optional<FileForm> form;  ///< nothing: it could not be known
  };
  std::vector<Function> functions;
  std::vector<File> files;
  std::vector<Form> forms;
};

/// Notes in `answers` what the options are asked from here on; both outlive what lowers with them.
void record(frontend::LowerOptions& options, OutsideAnswers& answers);
/// Whether these options, which record nothing, would answer the same now.
bool still_hold(const OutsideAnswers& answers, const frontend::LowerOptions& options);

}  // namespace lac::driver
