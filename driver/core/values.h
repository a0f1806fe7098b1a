// The value that a host or a command line gives to one parameter.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/lower.h"
#include "ir/support/diagnostics.h"
#include "ir/support/result.h"
#include "runtime/run.h"
#include "runtime/tensor/tensor.h"

namespace lac::driver {

/// A tensor with a word on where it came from, for messages: `read from "well.mtx"`.
struct GivenValue {
  runtime::Tensor tensor;
  std::string origin;
};

/// A given NAME and its value, or why there is no value.
struct GivenArgument {
  std::string name;
  Result<GivenValue> value;
};

class HostRun;

/// What stands after NAME= on a command line: a file by its extension, `@PATH`, `-` (standard input), else a constant
/// expression. The Failure of an expression holds its first diagnostic. The host's words: under its limits on time.
Result<GivenValue> value_of_text(const std::string& name, const std::string& text, HostRun& run);
Result<GivenValue> value_of_file(const std::string& path);

/// Everything that standard input holds.
Result<std::string> read_standard_input();

/// Whether the text is a file name for value_of_text rather than an expression.
bool names_a_file(const std::string& text);

using Compute = std::function<runtime::RunResult(const Graph&)>;

/// Evaluates an expression without names of the program; `compute` runs it. Diagnostics go to `diagnostics`.
Result<runtime::Tensor> evaluate_constant(const frontend::ast::Expr& expression, SourceManager& sources,
                                          const frontend::LowerOptions& options, const Compute& compute,
                                          Diagnostics& diagnostics);

}  // namespace lac::driver
