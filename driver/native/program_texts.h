// The texts that a built program carries: each once, for all kinds of data that it has code for.
#pragma once

#include <vector>

#include "driver/core/module.h"
#include "ir/plan/manifest.h"

namespace lac::driver {

class ProgramTexts {
 public:
  /// The program's own text is the first.
  explicit ProgramTexts(const Module& module);

  /// Brings the texts of one compilation in and lets the manifest's places refer to `all()`.
  void share(const SourceManager& compilation, Manifest& manifest);

  /// Brings in the functions of other files that the texts name, and those that these name, whether or not a
  /// compilation has reached them: data of another kind may. lac's library, which every program has, is left out.
  void add_named_functions(const Module& module);

  const std::vector<SourceText>& all() const { return texts_; }

 private:
  FileId add(const std::string& name, const std::string& text);

  std::vector<SourceText> texts_;
};

}  // namespace lac::driver
