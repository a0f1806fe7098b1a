#include "driver/core/binding.h"

#include <algorithm>

#include "driver/core/claims.h"
#include "driver/core/host_run.h"
#include "driver/core/report.h"
#include "driver/core/shapes.h"
#include "driver/core/signature.h"
#include "runtime/steps/library.h"
#include "runtime/tensor/convert.h"

namespace lac::driver {

namespace {

using frontend::ParameterInfo;
using frontend::ParameterSignature;

class Binder {
 public:
  Binder(const Module& module, const std::vector<GivenArgument>& arguments, const BindOptions& options, HostRun& host,
         Diagnostics& diagnostics)
      : module_(module), arguments_(arguments), options_(options), host_(host), diagnostics_(diagnostics) {}

  BindResult run() {
    check_names();
    if (result_.outcome != api::Outcome::ok) return std::move(result_);
    read_values();
    if (result_.outcome != api::Outcome::ok) return std::move(result_);
    for (std::size_t i = 0; i < parameters().size(); ++i) bind_parameter(i);
    return std::move(result_);
  }

 private:
  const std::vector<ParameterInfo>& parameters() const { return module_.interface.parameters; }

  void fail(api::Outcome outcome) {
    if (result_.outcome == api::Outcome::ok) result_.outcome = outcome;
  }

  const GivenArgument* given(const std::string& name) const {
    const auto found = std::find_if(arguments_.begin(), arguments_.end(),
                                    [&](const GivenArgument& argument) { return argument.name == name; });
    return found == arguments_.end() ? nullptr : &*found;
  }

  void check_names() {
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : parameters()) names.push_back(parameter.name);
    for (const GivenArgument& argument : arguments_) {
      if (std::find(names.begin(), names.end(), argument.name) != names.end()) continue;
      const std::string near = nearest_name(argument.name, names);
      std::string message = "the program has no parameter '" + argument.name + "'";
      if (!near.empty()) message += "; did you mean '" + near + "'?";
      diagnostics_.error({}, std::move(message));
      fail(api::Outcome::usage);
    }
    if (options_.assume_missing) return;
    for (const ParameterInfo& parameter : parameters()) {
      if (parameter.default_value || given(parameter.name)) continue;
      const std::string value = parameter.is_matrix ? "FILE" : "VALUE";
      diagnostics_.error(parameter.span, "parameter '" + parameter.name + "' has no value and no default: pass " +
                                             parameter.name + "=" + value);
      fail(api::Outcome::usage);
    }
  }

  /// The value given, or that of a constant default; scalars become known sizes. A default from a file that is not to
  /// be looked at is assumed as missing ones are, and so is one that takes too much where no run asks for it.
  void read_values() {
    values_.resize(parameters().size());
    for (std::size_t i = 0; i < parameters().size(); ++i) {
      const ParameterInfo& parameter = parameters()[i];
      if (const GivenArgument* argument = given(parameter.name)) {
        read_argument(parameter, *argument, values_[i]);
      } else if (parameter.constant_default) {
        read_default(parameter, values_[i]);
      }
      if (options_.run != nullptr && host_.was_ended()) return;  // so is the run, and the host knows why
      if (values_[i] && !parameter.is_matrix && values_[i]->tensor.is_scalar()) {
        sizes_.add_scalar(parameter, values_[i]->tensor.as_scalar());
      }
    }
  }

  void read_argument(const ParameterInfo& parameter, const GivenArgument& argument, std::optional<GivenValue>& value) {
    if (argument.value) {
      value = argument.value.value();
      return;
    }
    diagnostics_.error({}, argument.value.failure().message)
        .notes.push_back({parameter.span, "needed for " + parameter.name});
    fail(api::Outcome::failed);
  }

  void read_default(const ParameterInfo& parameter, std::optional<GivenValue>& value) {
    SourceManager sources = module_.sources;  // functions that the default calls come in here
    Diagnostics found;
    const auto compute = [&](const Graph& graph) {
      return host_.compute(graph, HostRun::Memory::counted, options_.files);
    };
    Result<runtime::Tensor> tensor = evaluate_constant(
        *parameter.default_value, sources, lower_options(module_, Element::real, options_.files), compute, found);
    if (tensor) {
      value = GivenValue{tensor.take(), "the default"};
      return;
    }
    if (options_.run == nullptr && host_.limit() != api::Limit::none) return;
    if (options_.assume_missing && tensor.failure().message.find(runtime::files_refused) != std::string::npos) return;
    report_default(parameter, found, tensor.failure().message);
    fail(api::Outcome::failed);
  }

  /// In the program's own text: the places of functions go with the texts that they are in.
  void report_default(const ParameterInfo& parameter, const Diagnostics& found, const std::string& otherwise) {
    for (const Diagnostic& each : found.items()) {
      Diagnostic& error = diagnostics_.error(each.span, each.message);
      if (each.span.valid() && each.span.file.index >= module_.sources.size())
        error.span = parameter.default_value->span;
      else error.caret = each.caret;
    }
    if (!diagnostics_.has_errors()) diagnostics_.error(parameter.default_value->span, otherwise);
  }

  void bind_parameter(std::size_t i) {
    const ParameterInfo& parameter = parameters()[i];
    ParameterSignature signature;
    BoundParameter bound{parameter.name, values_[i] ? values_[i]->origin : std::string()};
    if (values_[i]) {
      bound.tensor = accept(parameter, *values_[i]);
      if (bound.tensor) signature = signature_of(parameter, *bound.tensor);
    } else if (!parameter.default_value || parameter.constant_default) {  // constant: it is in a file
      signature = assume(parameter);
    }
    result_.binding.signature.push_back(std::move(signature));
    result_.binding.parameters.push_back(std::move(bound));
  }

  /// The value in the storage that the program gets, if it fits shape and claims.
  std::optional<runtime::Tensor> accept(const ParameterInfo& parameter, const GivenValue& value) {
    if (!sizes_.check(module_, parameter, value, diagnostics_)) {
      fail(api::Outcome::failed);
      return std::nullopt;
    }
    if (const auto reason = disproved_claim(parameter, value.tensor)) {
      diagnostics_.error(parameter.span, *reason).notes.push_back({{}, shape_reason(parameter.name, value)});
      fail(api::Outcome::failed);
      return std::nullopt;
    }
    return choose_storage(parameter, value.tensor, options_.detect_storage);
  }

  ParameterSignature assume(const ParameterInfo& parameter) const {
    std::int64_t extents[2] = {2, 1};
    if (const auto* dimensions = dimensions_of(module_, parameter.name)) {
      for (std::size_t axis = 0; axis < dimensions->size() && axis < 2; ++axis) {
        extents[axis] = sizes_.evaluate(*(*dimensions)[axis]).value_or(2);
      }
    }
    return assumed_signature(parameter, extents[0], extents[1]);
  }

  const Module& module_;
  const std::vector<GivenArgument>& arguments_;
  const BindOptions& options_;
  HostRun& host_;
  Diagnostics& diagnostics_;
  SizeTable sizes_;
  std::vector<std::optional<GivenValue>> values_;
  BindResult result_;
};

/// What the defaults of a program may take that nobody runs: enough for those that people write, and too little to keep
/// an editor waiting.
api::RunOptions without_a_run() {
  api::RunOptions options;
  options.time_limit = 2;
  options.memory_limit = std::int64_t{64} << 20;
  return options;
}

}  // namespace

std::vector<frontend::ParameterSignature> signature_by_value(const Binding& binding) {
  std::vector<frontend::ParameterSignature> signature = binding.signature;
  bool differs = false;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (signature[i].kind != frontend::ParameterSignature::Kind::integer_symbol || !binding.parameters[i].tensor)
      continue;
    signature[i].kind = frontend::ParameterSignature::Kind::integer_constant;
    signature[i].value = static_cast<std::int64_t>(binding.parameters[i].tensor->as_scalar());
    differs = true;
  }
  return differs ? signature : std::vector<frontend::ParameterSignature>();
}

BindResult bind(const Module& module, const std::vector<GivenArgument>& arguments, const BindOptions& options,
                Diagnostics& diagnostics) {
  if (options.run != nullptr) return Binder(module, arguments, options, *options.run, diagnostics).run();
  const api::RunOptions limits = without_a_run();
  HostRun host(limits, options.files);
  return Binder(module, arguments, options, host, diagnostics).run();
}

std::vector<runtime::Tensor> tensors_for(const std::vector<Parameter>& parameters, const Binding& binding) {
  std::vector<runtime::Tensor> tensors;
  for (const Parameter& parameter : parameters) {
    const auto bound = std::find_if(binding.parameters.begin(), binding.parameters.end(),
                                    [&](const BoundParameter& entry) { return entry.name == parameter.name; });
    if (bound == binding.parameters.end() || !bound->tensor) {
      throw InternalError("the graph's parameter " + parameter.name + " has no value");
    }
    runtime::Tensor tensor = runtime::to_element(*bound->tensor, parameter.type.element);
    const bool fits = tensor.storage() == parameter.type.storage;
    tensors.push_back(fits ? std::move(tensor) : runtime::to_storage(tensor, parameter.type.storage));
  }
  return tensors;
}

Element precision_of(const frontend::Interface& interface, const api::Options& options) {
  if (options.precision == api::Precision::single) return Element::single;
  if (options.precision == api::Precision::real) return Element::real;
  const bool gpu = options.target == api::Target::vulkan || options.target == api::Target::vulkan_fragment;
  return interface.precision.value_or(gpu ? Element::single : Element::real);
}

std::optional<api::Diagnostic> natural_precision_warning(const frontend::Interface& interface,
                                                         const api::Options& options, Element precision) {
  const bool chosen = options.precision != api::Precision::natural || interface.precision.has_value();
  if (chosen || precision != Element::single) return std::nullopt;
  const bool has_double = options.target == api::Target::vulkan;
  const std::string message =
      has_double
          ? "vulkan computes this in single precision, the cpu in double: 'precision double' or --precision=double "
            "chooses double, 'precision single' or --precision=single says that single is meant"
          : "vulkan-fragment computes in single precision, the cpu in double: 'precision single' or "
            "--precision=single says that single is meant";
  return plain_warning("lac:natural-precision", message);
}

}  // namespace lac::driver
