// From given arguments to a signature and the tensors of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/core/module.h"
#include "driver/core/values.h"
#include "driver/include/lac/lac.hpp"

namespace lac::driver {

class HostRun;

struct BindOptions {
  Element precision = Element::real;
  bool detect_storage = true;
  /// Parameters without a value and without a default are assumed instead of being an error (check, emit, build); their
  /// tensors are then missing.
  bool assume_missing = false;
  bool files = false;  ///< defaults may read files
  /// Whose limits hold for the computation of constant defaults. Null: nobody runs the program; what takes more than 2
  /// s or 64 MB of matrices is then assumed as missing values are, with its tensor missing.
  HostRun* run = nullptr;
};

struct BoundParameter {
  std::string name;
  std::string origin = {};  ///< `read from "well.mtx"`; may be empty
  std::optional<runtime::Tensor> tensor =
      {};  ///< nothing: the default is computed by the program, or the value is assumed
};

struct Binding {
  std::vector<frontend::ParameterSignature> signature;  ///< one for each parameter of the interface, in order
  std::vector<BoundParameter> parameters;               ///< likewise
};

/// The signature with the integers of at least 2 that are given as constants; empty where there are none.
std::vector<frontend::ParameterSignature> signature_by_value(const Binding& binding);

struct BindResult {
  api::Outcome outcome = api::Outcome::ok;
  Binding binding;
};

/// What went wrong is added to `diagnostics`: usage for names that do not exist or are missing, failed for values that
/// cannot be read, do not fit the declared shapes, or disprove a claim.
/// The module does not change.
BindResult bind(const Module& module, const std::vector<GivenArgument>& arguments, const BindOptions& options,
                Diagnostics& diagnostics);

/// The tensors in the order of the graph's parameters, each of the type's element and storage.
std::vector<runtime::Tensor> tensors_for(const std::vector<Parameter>& parameters, const Binding& binding);

/// What the program computes in: what is asked for, else what the program says, else single on a GPU's targets and
/// double on the others.
Element precision_of(const frontend::Interface& interface, const api::Options& options);

/// Says that the target alone chose single, where neither the program nor the options ask for a precision.
std::optional<api::Diagnostic> natural_precision_warning(const frontend::Interface& interface,
                                                         const api::Options& options, Element precision);

}  // namespace lac::driver
