#include "driver/repl/values.h"

#include <algorithm>

#include "driver/core/signature.h"
#include "ir/support/character.h"
#include "runtime/tensor/convert.h"

namespace lac::driver {

namespace {

using frontend::SessionVariable;
using Kind = SessionVariable::Kind;

const runtime::Tensor* find(const std::vector<runtime::NamedTensor>& outputs, const std::string& name) {
  const auto found = std::ranges::find(outputs, name, &runtime::NamedTensor::first);
  return found == outputs.end() ? nullptr : &found->second;
}

/// The signature under which the next input gets the tensor.
void describe_parameter(const runtime::Tensor& tensor, SessionVariable& variable) {
  frontend::ParameterInfo info;
  info.name = variable.parameter;
  const bool dense = tensor.storage() == Storage::dense;
  info.is_matrix = !dense || !tensor.is_scalar() || variable.kind == Kind::text || tensor.element() == Element::single;
  variable.signature = signature_of(info, tensor);
  variable.signature.single = tensor.element() == Element::single;
}

std::string text_of(const runtime::Tensor& codes) {
  const runtime::Tensor dense = runtime::to_element(runtime::to_dense(codes), Element::real);
  std::string text;
  for (std::int64_t k = 0; k < dense.count(); ++k) text += character_of(dense.values<double>()[k]);
  return text;
}

/// A string of one line becomes text that is known; every other tensor goes with its parameter.
void take_tensor(SessionVariable& variable, const runtime::Tensor& tensor, SessionValue& value) {
  if (variable.kind == Kind::text && tensor.rows() <= 1) {
    variable.text = text_of(tensor);
    variable.parameter.clear();
    return;
  }
  describe_parameter(tensor, variable);
  value.tensors.insert_or_assign(variable.parameter, tensor);
}

bool take(SessionVariable& variable, const std::vector<runtime::NamedTensor>& outputs, SessionValue& value) {
  if (!variable.condition.empty()) {
    const runtime::Tensor* defined = find(outputs, variable.condition);
    if (!defined || defined->as_scalar() == 0) return false;
    variable.condition.clear();
  }
  if (!variable.parameter.empty()) {
    const runtime::Tensor* tensor = find(outputs, variable.parameter);
    if (!tensor) return false;
    take_tensor(variable, *tensor, value);
  }
  std::erase_if(variable.captured, [&](SessionVariable& inner) { return !take(inner, outputs, value); });
  return true;
}

}  // namespace

bool take_value(const SessionVariable& kept, const std::vector<runtime::NamedTensor>& outputs, SessionValue& value) {
  value.variable = kept;
  return take(value.variable, outputs, value);
}

SessionValue scalar_value(const std::string& name, double number) {
  SessionValue value;
  value.variable.name = value.variable.parameter = name;
  take_tensor(value.variable, runtime::Tensor::scalar(number), value);
  return value;
}

api::Variable describe(const SessionValue& value) {
  constexpr const char* words[] = {"logical", "integer", "single", "real"};
  api::Variable result;
  result.name = value.variable.name;
  if (value.variable.kind != Kind::matrix) {
    const bool is_cell = value.variable.is_cell;
    result.type = result.element = value.variable.kind == Kind::text        ? "string"
                                   : value.variable.kind == Kind::aggregate ? (is_cell ? "cell" : "struct")
                                                                            : "function";
    return result;
  }
  const runtime::Tensor& tensor = value.tensors.at(value.variable.parameter);
  result.element = words[static_cast<int>(tensor.element())];
  result.storage = std::string(name(tensor.storage()));
  result.shape = tensor.is_scalar() ? "scalar" : std::to_string(tensor.rows()) + " x " + std::to_string(tensor.cols());
  result.type = result.element + " " + result.shape;
  return result;
}

}  // namespace lac::driver
