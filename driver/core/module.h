// A parsed program with its sources, and where the functions come from that it does not define.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lower.h"
#include "ir/support/diagnostics.h"
#include "ir/support/source.h"

namespace lac::driver {

/// One text of the solver library, which is part of the binary.
struct LibraryText {
  std::string_view name;  ///< "cg"
  std::string_view path;  ///< "solvers/cg.la", for messages
  std::string_view text;
};
const std::vector<LibraryText>& solver_library();

/// Finds NAME.la in `extra`, then in `directories` in order, then in the solver library. No folder is looked at that is
/// not listed: not that of the process either.
struct FunctionFinder {
  std::vector<std::string> directories;
  std::vector<std::pair<std::string, std::string>> extra;  ///< (path, text) of files known without a disk
  std::string program;  ///< the path of the running program, which is never a function of its own

  std::optional<frontend::LowerOptions::Found> find(const std::string& name) const;
};

/// Not copyable: spans and views refer to its sources.
struct Module {
  SourceManager sources;
  std::optional<frontend::ast::Program> program;  ///< nothing when parsing failed
  frontend::Interface interface;
  Diagnostics diagnostics;  ///< of parsing and of the interface
  FunctionFinder finder;
  double parse_ms = 0;

  bool ok() const { return program.has_value() && !diagnostics.has_errors(); }
};

std::unique_ptr<Module> parse_module(std::string name, std::string text, FunctionFinder finder);

/// The dimensions of a `param` line; null for a scalar parameter or an unknown name.
const std::vector<frontend::ast::ExprPtr>* dimensions_of(const Module& module, std::string_view parameter);

/// Options for lowering with the module's functions. `files`: the texts may name files that are looked at now, to see
/// how their matrices are stored. What a file of variables holds may take so many bytes then as the run may, if it has
/// a limit, and no more than compiling has room for.
frontend::LowerOptions lower_options(const Module& module, Element precision, bool files,
                                     std::int64_t memory_limit = 0);

/// "lib/a.la" -> "lib", "a.la" -> ".".
std::string directory_of(const std::string& path);

/// Milliseconds since some fixed moment.
double now_ms();

}  // namespace lac::driver
