// One open file with all that is known of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/core/module.h"
#include "driver/include/lac/lac.hpp"
#include "driver/lsp/positions.h"
#include "frontend/lexer/token.h"

namespace lac::driver::lsp {

/// A text, parsed and lowered as `lac check` does it: parameters are assumed to be what their lines say.
struct Analysis {
  std::unique_ptr<Module> module;  ///< its first file is the text; its diagnostics are those of parsing and of usage
  frontend::TokenStream tokens;
  Diagnostics found;  ///< of lowering
  /// By the place of a mention, and by specialisation of the function that it is in ("" in the file).
  std::map<std::pair<std::uint32_t, std::string>, frontend::VariableInfo> mentions;

  const std::string& text() const { return module->sources.file(FileId{0}).text; }
  const frontend::ast::Program* program() const { return module->program ? &*module->program : nullptr; }
};

/// `others` are texts (path, text) that are known without a disk.
std::shared_ptr<const Analysis> analyse(const std::string& path, const std::string& text, const api::Options& options,
                                        std::vector<std::pair<std::string, std::string>> others);

/// The name that the offset is in or behind; null when there is none.
const frontend::Token* name_at(const Analysis& analysis, std::size_t offset);
/// The function of the file whose lines hold the offset; null at file level.
const frontend::ast::Function* function_at(const Analysis& analysis, std::size_t offset);

/// Every name that is a variable at the offset, as first_assignment decides it, found in one walk of the text.
std::set<std::string> variables_at(const Analysis& analysis, std::size_t offset);

/// Where the variable that is called `name` at the offset gets its first value; invalid when it is no variable there.
Span first_assignment(const Analysis& analysis, const std::string& name, std::size_t offset);

}  // namespace lac::driver::lsp
