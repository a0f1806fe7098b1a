// Fuzzed texts as programs.
#pragma once

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lower.h"
#include "frontend/parser.h"

namespace lac::fuzz {

/// A function of the library, from the source tree.
inline std::optional<frontend::LowerOptions::Found> library_function(const std::string& name) {
  using Found = std::optional<frontend::LowerOptions::Found>;
  static std::map<std::string, Found> known;
  const auto [entry, is_new] = known.try_emplace(name);
  if (!is_new) return entry->second;
  for (const char* folder : {LAC_SOURCE_DIR "/library/", LAC_SOURCE_DIR "/solvers/"}) {
    std::ifstream file(folder + name + ".la");
    if (file) entry->second = Found({name + ".la", std::string(std::istreambuf_iterator<char>(file), {})});
  }
  return entry->second;
}

/// What `lac check` assumes where `assume` is set: parameters have the shapes that their lines declare. Else defaults.
inline std::vector<frontend::ParameterSignature> signature_of(const frontend::Interface& interface, bool assume) {
  using Signature = frontend::ParameterSignature;
  std::vector<Signature> result;
  for (const frontend::ParameterInfo& info : interface.parameters) {
    Signature signature;
    if (assume) signature.kind = info.is_matrix ? Signature::Kind::matrix : Signature::Kind::integer_symbol;
    if (assume && info.claims_sparse) signature.storage = Storage::csr;
    result.push_back(signature);
  }
  return result;
}

struct Program {
  SourceManager sources;
  Diagnostics diagnostics;
  std::optional<frontend::ast::Program> tree;
  std::optional<frontend::Lowered> lowered;

  Program(const std::string& text, bool assume) {
    tree = frontend::parse(sources.add("fuzz.la", text), sources, diagnostics);
    if (!tree) return;
    const frontend::Interface interface = frontend::interface_of(*tree, sources, diagnostics);
    if (diagnostics.has_errors()) return;
    frontend::LowerOptions options;
    options.find_function = library_function;
    options.precision = interface.precision.value_or(Element::real);
    options.describe = assume;
    lowered = frontend::lower(*tree, signature_of(interface, assume), sources, options, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.items()) render(diagnostic, sources);
  }
};

}  // namespace lac::fuzz
