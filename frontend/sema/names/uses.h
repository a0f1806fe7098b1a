// What one scope (the file, or a function's body) does with names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"

namespace lac::frontend {

struct Uses {
  struct Assignment {
    Span first;                       ///< of the name, where it is first assigned
    bool quiet = true;                ///< no assignment shows the value
    bool number = false;              ///< a number is assigned somewhere
    bool indexed = false;             ///< elements are assigned somewhere
    bool counter = false;             ///< the variable of a loop
    std::vector<std::string> beside;  ///< the other targets where there are several
  };
  std::map<std::string, Assignment> assigned;
  std::set<std::string> read;                      ///< apart from updates of the variable itself (x += 1, x(2) = 1)
  std::map<std::string, std::vector<Span>> named;  ///< every mention in an expression
  std::map<std::string, Span> called;              ///< name(...): where first
  std::vector<Span> unreachable;                   ///< first statements behind a return, break or continue
  std::vector<Span> assigning_conditions;          ///< of `if (x = 1)`: the operators

  bool reads(const std::string& name) const { return read.count(name) != 0; }
};

Uses uses_of(const ast::Block& block);

}  // namespace lac::frontend
