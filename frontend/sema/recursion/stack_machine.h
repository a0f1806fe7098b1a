// Functions that call each other in a cycle as one function without calls of them: a loop over the blocks of their
// flow, with stacks for what a call leaves behind. This is what a processor does with calls, written in the language:
//
//     state = 1;                         function r = f(n)
//     while state > 0                      if n < 1
//       if state == 1                        r = 0;
//         if n < 1, state = 2; else ...    else
//       end                                  r = n + f(n - 1);
//       ...                                end
//
// A variable that the caller still needs waits in a cell array: saved_n{end + 1} = n before the call, and back behind
// it. Where all that wait are known to be single numbers, they do in rows with a place for each level: saved_n(depth) =
// n.
#pragma once

#include <map>
#include <string>

#include "frontend/sema/recursion/flow.h"

namespace lac::frontend {

/// Calls of functions in each other, as in Octave.
inline constexpr int most_recursion = 256;

/// By the variables that wait, the class of the single number that each is: "double", "logical", "int8".
using NumberClasses = std::map<std::string, std::string>;

struct StackMachine {
  ast::Function function;
  /// By the variables that wait, the cell arrays in which they do; these have no elements when the body begins.
  std::map<std::string, std::string> stacks;
  std::map<std::string, std::string> written;  ///< by the variables that have another name in the text: that name
};

/// The first member of the cycle as such a function: its own parameters, results and name. `numbers`: all variables
/// that wait, where they are known, or none. Throws NoFlow.
StackMachine as_stack_machine(const Cycle& cycle, const NumberClasses& numbers);

}  // namespace lac::frontend
