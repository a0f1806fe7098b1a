// What a file takes from outside: its param lines and the variables that a session hands over.
#include <algorithm>
#include <utility>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/messages.h"

namespace lac::frontend {

// A dimension of a parameter: a new symbol the first time a name is met, a size that must fit afterwards.
Size Lowerer::declared_size(const ast::Expr& dim, std::int64_t given, SymbolOrigin origin, std::uint32_t parameter) {
  const auto* identifier = std::get_if<ast::Identifier>(&dim.node);
  if (!identifier || frame_->env.count(identifier->name) != 0) return to_size(emit_, lower_value(dim), dim.span, false);
  Size size = given;
  if (given >= 2) size = Size::symbol(emit_.graph.symbols.push({identifier->name, origin, parameter, {}, 2}));
  const ValueId value = emit_.builder.size(size);
  frame_->env[identifier->name] = Binding::matrix(value);
  frame_->first_assignment.emplace(identifier->name, dim.span);
  mention(identifier->name, dim.span);
  return size;
}

Size Lowerer::undeclared_size(const std::string& name, std::int64_t given, SymbolOrigin origin) {
  return given < 2 ? Size(given) : Size::symbol(emit_.graph.symbols.push({name, origin, bound_parameters_, {}, 2}));
}

// Integers of at least 2 are symbols, smaller ones constants; what else there is has its type already.
ValueId Lowerer::add_parameter(Parameter parameter, const ParameterSignature& signature) {
  using Kind = ParameterSignature::Kind;
  const std::uint32_t index = bound_parameters_++;
  if (signature.kind == Kind::logical_scalar) parameter.type = Type::scalar(Element::logical);
  const bool integer = signature.kind == Kind::integer_symbol || signature.kind == Kind::integer_constant;
  if (!integer) {
    emit_.graph.parameters.push_back(std::move(parameter));
    return emit_.builder.parameter(index);
  }
  parameter.type = Type::scalar(Element::integer);
  Size size = signature.value;
  if (signature.kind == Kind::integer_symbol)
    size = Size::symbol(emit_.graph.symbols.push({parameter.name, SymbolOrigin::parameter_value, index, {}, 2}));
  emit_.graph.parameters.push_back(std::move(parameter));
  return emit_.builder.size(size);
}

// The default where nothing is given.
void Lowerer::lower_default(const ast::Param& node) {
  const std::string& name = node.name.text;
  if (!node.default_value) emit_.fail(node.name.span, "param " + name + " has no value: pass " + name + "=VALUE");
  const Binding value = lower_expr(*node.default_value);
  const std::size_t dims = value.is_matrix() && node.dims ? std::min<std::size_t>(node.dims->size(), 2) : 0;
  for (std::size_t axis = 0; axis < dims; ++axis) {
    const ast::Expr& dim = *(*node.dims)[axis];
    const Size actual = axis == 0 ? emit_.type(value.value).rows : emit_.type(value.value).cols;
    const auto* identifier = std::get_if<ast::Identifier>(&dim.node);
    if (identifier && frame_->env.count(identifier->name) == 0) {
      frame_->env[identifier->name] = Binding::matrix(emit_.builder.size(actual));
      continue;
    }
    const Size declared = to_size(emit_, lower_value(dim), dim.span, false);
    require_equal(emit_, actual, declared, dim.span,
                  "the default of param " + name + " is " + shape_text(emit_, value.value) + ", not as declared",
                  {actual, declared}, "the default of param " + name + " has a dimension %d, declared as %d");
  }
  assign_name(name, value);
  mention(name, node.name.span);
}

void Lowerer::lower_parameter(const ast::Param& node, const ParameterInfo& info, const ParameterSignature& signature) {
  using Kind = ParameterSignature::Kind;
  const std::string& name = node.name.text;
  emit_.at(node.name.span);
  if (signature.kind == Kind::unbound) return lower_default(node);
  Parameter parameter{name, Type::scalar(emit_.graph.precision), node.name.span};
  if (signature.kind == Kind::matrix) {
    Type& t = parameter.type;
    t.element = signature.logical ? Element::logical : emit_.graph.precision;
    t.storage = signature.storage;
    if (node.dims) {
      t.rows = declared_size(*node.dims->front(), signature.rows, SymbolOrigin::parameter_rows, bound_parameters_);
      t.cols = node.dims->size() > 1
                   ? declared_size(*(*node.dims)[1], signature.cols, SymbolOrigin::parameter_cols, bound_parameters_)
                   : Size(1);
    } else {
      t.rows = undeclared_size(name + ".rows", signature.rows, SymbolOrigin::parameter_rows);
      t.cols = undeclared_size(name + ".cols", signature.cols, SymbolOrigin::parameter_cols);
    }
    t.properties = info.claims;
    for (std::int64_t offset : signature.offsets) t.offsets.emplace_back(offset);
  }
  assign_name(name, Binding::matrix(add_parameter(std::move(parameter), signature)));
  mention(name, node.name.span);
}

}  // namespace lac::frontend
