// The values that a session keeps between its inputs.
#pragma once

#include <map>
#include <string>

#include "driver/include/lac/lac.hpp"
#include "frontend/lower.h"
#include "runtime/run.h"

namespace lac::driver {

/// A variable with the tensors of the parameters that stand for it: none for a string or a handle without captured
/// matrices, one for a matrix, several for a handle.
struct SessionValue {
  frontend::SessionVariable variable;
  std::map<std::string, runtime::Tensor> tensors;  ///< by SessionVariable::parameter
};

/// What a run left of a variable; false when it gave it no value.
bool take_value(const frontend::SessionVariable& kept, const std::vector<runtime::NamedTensor>& outputs,
                SessionValue& value);

/// A value from a number.
SessionValue scalar_value(const std::string& name, double number);

/// In words, as `lac check` shows variables.
api::Variable describe(const SessionValue& value);

}  // namespace lac::driver
