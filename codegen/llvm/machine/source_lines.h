// Source lines in a listing of LLVM IR: while LLVM works, instructions carry their places as debug locations, which its
// passes move and merge rightly; the listing has the lines of the program as comments instead.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>

#include "ir/plan/plan.h"
#include "ir/support/source.h"

namespace lac::codegen {

/// Gives `function` what the places of its instructions need.
void take_places(llvm::Function& function);
/// What `builder` makes from here on in a function that takes places stands at `place`.
void stand_at(llvm::IRBuilderBase& builder, LocationId place);

/// The module as text: before instructions that stand at a line of the program, and before the functions of a kernel,
/// the line as a comment. The places are taken out of the module.
std::string listing(llvm::Module& module, const Plan& plan, const SourceManager& sources);

}  // namespace lac::codegen
