// What compiles and runs a specialisation. One implementation is linked beside the interpreter: the JIT in the library,
// the compiled-in object in a built program.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/core/binding.h"
#include "driver/core/module.h"
#include "driver/core/report.h"
#include "driver/include/lac/lac.hpp"
#include "runtime/run.h"

namespace lac::driver {

/// A program compiled for one signature. Immutable once made: any number of threads may call `run` at the same time.
struct Specialisation {
  std::vector<frontend::ParameterSignature> signature;
  std::vector<Parameter> parameters;  ///< in the order in which `run` takes tensors
  Locations locations;
  api::CompileTimes times;
  bool interpreted = false;  ///< the interpreter runs it, whatever the target
  std::function<runtime::RunResult(const std::vector<runtime::Tensor>&, const runtime::RunOptions&)> run;
  std::function<void()> warm;  ///< does ahead what the first run would have to; may be empty
};

struct OutsideAnswers;

/// What compiling needs besides the module.
struct CompileRequest {
  std::vector<frontend::ParameterSignature> signature;
  /// The same with the integers of the run at hand as constants: compiled for where that leaves fewer shapes open.
  /// Empty where what is made is to serve other values too.
  std::vector<frontend::ParameterSignature> by_value;
  Element precision = Element::real;
  const api::Options* options = nullptr;
  /// What spans of this compilation refer to: the module's texts, which it begins with, and those of the functions that
  /// are found while compiling. The module itself does not change.
  SourceManager* sources = nullptr;
  std::int64_t memory_limit = 0;         ///< that of the run which is compiled for; 0: none
  bool describe = false;                 ///< the variables of functions are wanted too
  frontend::Session* session = nullptr;  ///< the program is an input of it
  OutsideAnswers* answers = nullptr;     ///< where to note what lowering asks of files (driver/core/outside_answers.h)
};

/// A stage of compilation, to look at.
struct Shown {
  std::string text;
  std::vector<api::EmittedFile> files = {};
};

/// Not thread-safe: one call at a time. What `compile` has made does not need it any more.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Called once, before the module is shared: a place for texts that the backend brings along.
  virtual void adopt(Module&) {}
  /// Null when errors were reported. Remarks and warnings are added too.
  virtual std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                        Diagnostics& diagnostics) = 0;
  /// One of `api::stages()`; a Failure is a usage error.
  virtual Result<Shown> emit(std::string_view what, const Module& module, const CompileRequest& request,
                             Diagnostics& diagnostics) = 0;
  /// Writes an executable or an object.
  virtual Result<std::string> build(const std::string& path, api::BuildKind kind, const Module& module,
                                    const CompileRequest& request, Diagnostics& diagnostics) = 0;
};

/// The backend of a target, chosen here and nowhere else. Implemented by what is linked: driver/native or
/// driver/program.
std::unique_ptr<Backend> make_backend(api::Target target);

std::string_view name(api::Target target);

/// The oracle: lowers, and runs the graph as lowered.
std::shared_ptr<const Specialisation> compile_for_interpreter(const Module& module, const CompileRequest& request,
                                                              Diagnostics& diagnostics);

/// Lowers for the request, by its values where that decides shapes; nothing when errors were reported. `lower_ms` gets
/// the time.
std::optional<frontend::Lowered> lower_module(const Module& module, const CompileRequest& request, double& lower_ms,
                                              Diagnostics& diagnostics);

}  // namespace lac::driver
