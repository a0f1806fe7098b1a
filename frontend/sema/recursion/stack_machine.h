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
// it.
#pragma once

#include "frontend/sema/recursion/flow.h"

namespace lac::frontend {

/// Calls of functions in each other, as in Octave.
inline constexpr int most_recursion = 256;

struct StackMachine {
  ast::Function function;
  std::vector<std::string> stacks;  ///< variables that are cell arrays of no elements when the body begins
};

/// The first member of the cycle as such a function: its own parameters, results and name. Throws NoFlow.
StackMachine as_stack_machine(const Cycle& cycle);

}  // namespace lac::frontend
