// What a document answers to the questions of an editor, as the protocol's JSON.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/lsp/document.h"

namespace lac::driver::lsp {

using Json = nlohmann::json;

/// What is asked: an analysis, and the last one before it whose text could be parsed (the same, or null when there was
/// none), for types while a statement is being written.
struct Asked {
  const Analysis& analysis;
  const Analysis* parsed;
};

Json range_of(const Positions& positions, std::size_t begin, std::size_t end);

/// Of parsing, usage and lowering. What is wrong in another file is shown at the call that led there.
Json diagnostics_of(const Analysis& analysis);
/// Markdown, or null.
Json hover(const Asked& asked, std::size_t offset);
/// A location or null. Files of the library are put into the cache folder to be looked at.
Json definition(const Asked& asked, const std::string& uri, std::size_t offset);
/// Parameters, variables of the file, functions with their variables.
Json symbols(const Analysis& analysis);
/// Names that begin with what stands before the offset.
Json completion(const Asked& asked, std::size_t offset);

}  // namespace lac::driver::lsp
