// Any bytes: lexing, parsing and formatting. A text that parses has a canonical form that is its own canonical form.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontend/format.h"
#include "frontend/parser.h"
#include "tests/fuzz/limits.h"

using namespace lac;

namespace {

std::optional<std::string> formatted(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  return frontend::format(sources.add("fuzz.la", text), sources, diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  const std::string text(reinterpret_cast<const char*>(data), size);
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = frontend::parse(sources.add("fuzz.la", text), sources, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.items()) render(diagnostic, sources);
  if (!program && !diagnostics.has_errors()) std::abort();
  const std::optional<std::string> once = formatted(text);
  if (program && !once) std::abort();
  if (!once) return 0;
  const std::optional<std::string> twice = formatted(*once);
  if (!twice || *twice != *once) {
    std::fprintf(stderr, "not idempotent:\n%s\n--- formatted again:\n%s\n", once->c_str(), twice ? twice->c_str() : "");
    std::abort();
  }
  return 0;
}
