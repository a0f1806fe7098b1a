// Inputs of a session: the variables that earlier inputs left, and those that this one leaves.
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

using Kind = SessionVariable::Kind;

using Structure = SessionVariable::Structure;

}  // namespace

// A symbol of a size is called as `size` and `rows` would say it: "A.rows".
Binding Lowerer::resume(const SessionVariable& variable) {
  if (variable.kind == Kind::function) {
    auto closure = std::make_shared<Closure>();
    closure->name = variable.text;
    closure->anonymous = variable.anonymous;
    closure->span = variable.span;
    for (const SessionVariable& inner : variable.captured) put(closure->captured, inner.name, resume(inner));
    return Binding::handle(std::move(closure));
  }
  if (variable.kind == Kind::aggregate) {
    Environment flat;
    const Binding::Kind kind = variable.is_complex           ? Binding::Kind::complex
                               : variable.is_cell            ? Binding::Kind::cell
                               : variable.form->lead.empty() ? Binding::Kind::record
                                                             : Binding::Kind::array;
    flat[variable.name] = Binding::of(kind, *variable.form);
    for (const SessionVariable& leaf : variable.captured) flat[leaf.name] = resume(leaf);
    return whole(flat, variable.name);
  }
  if (variable.kind == Kind::text && variable.parameter.empty())
    return Binding::string(variable.text, variable.double_quoted);
  const ParameterSignature& signature = variable.signature;
  Parameter parameter{variable.parameter, Type::scalar(emit_.graph.precision), {}};
  Type& t = parameter.type;
  if (signature.kind == ParameterSignature::Kind::matrix) {
    t.rows = undeclared_size(variable.parameter + ".rows", signature.rows, SymbolOrigin::parameter_rows);
    t.cols = undeclared_size(variable.parameter + ".cols", signature.cols, SymbolOrigin::parameter_cols);
    t.storage = signature.storage;
    for (const std::int64_t offset : signature.offsets) t.offsets.emplace_back(offset);
  }
  if (signature.single) t.element = Element::single;
  if (signature.logical) t.element = Element::logical;
  const IntegerClass integer_class =
      variable.kind == Kind::text ? IntegerClass::none : integer_class_named(variable.text);
  if (variable.kind == Kind::text || integer_class != IntegerClass::none) t.element = Element::integer;
  const ValueId value = add_parameter(std::move(parameter), signature);
  if (variable.kind == Kind::text) return Binding::computed_text(value, variable.double_quoted);
  if (integer_class != IntegerClass::none) return Binding::integer(integer_class, value);
  return Binding::matrix(with_structure(value, variable.structure));
}

// The same matrix, known as what it is from its elements.
ValueId Lowerer::with_structure(ValueId value, SessionVariable::Structure structure) {
  const Type t = emit_.type(value);
  if (structure == Structure::diagonal) {
    const Size n = emit_.minimum(t.rows, t.cols);
    const Subscripts main{{{SubscriptKind::range, 0, t.rows + 1, n}}};
    return diagonal_matrix(emit_, emit_.builder.index(value, main, {}, n, 1), t.rows, t.cols);
  }
  if (structure == Structure::permutation) {
    const ValueId places = emit_.builder.map(ScalarOp::add, emit_.builder.iota(Axis::rows, t.cols, 1),
                                             emit_.builder.constant(1, Element::integer));
    return permutation_matrix(emit_, emit_.builder.matmul(emit_.builder.convert(value, Element::integer), places),
                              t.element);
  }
  return value;
}

void Lowerer::start_session(Session& session) {
  emit_.at({});
  for (const SessionVariable& variable : session.variables) assign_name(variable.name, resume(variable));
  frame_->read_at_end = frame_->assigned;
  frame_->read_at_end.insert("ans");
}

SessionVariable Lowerer::keep(const std::string& name, const std::string& path, const Binding& binding, Span span) {
  SessionVariable kept;
  kept.name = name;
  kept.double_quoted = binding.double_quoted;
  if (binding.is_integer()) kept.text = info(binding.integer_class).name;
  if (binding.is_map())
    emit_.fail(span, "a containers.Map is not kept between the lines of a session: write the program in a file");
  if (binding.is_variant())
    emit_.fail(span, "the run decides of which kind '" + name +
                         "' is, which is not kept between the lines of a session: write the program in a file");
  if (binding.is_function()) {
    kept.kind = Kind::function;
    kept.text = binding.function->name;
    kept.anonymous = binding.function->anonymous;
    kept.span = binding.function->span;
    if (!kept.anonymous) return kept;
    binding.function->captured.for_each([&](const std::string& inner, const Binding& value) {
      if (value.kind == Binding::Kind::poisoned || is_leaf(inner)) return;
      kept.captured.push_back(keep(inner, path + "@" + inner, whole(binding.function->captured, inner), span));
    });
    return kept;
  }
  if (binding.is_array())
    for (const Size& extent : binding.aggregate->lead)
      if (!extent.is_constant())
        emit_.fail(span, "the extents of the array '" + name + "' but for the last must be constants in a session");
  if (binding.is_compound()) {
    kept.is_complex = binding.is_complex();
    kept.kind = Kind::aggregate;
    kept.form = binding.aggregate;
    kept.is_cell = binding.is_cell();
    for_each_leaf(binding, name, [&](const std::string& leaf, const Binding& value) {
      kept.captured.push_back(keep(leaf, path + leaf.substr(name.size()), value, span));
    });
    return kept;
  }
  if (binding.is_text()) kept.kind = Kind::text;
  if (binding.is_matrix() && diagonal_of(emit_, binding.value)) kept.structure = Structure::diagonal;
  if (binding.is_matrix() && emit_.facts.permutations.count(binding.value) != 0)
    kept.structure = Structure::permutation;
  if (binding.is_known_text()) {
    kept.text = binding.text;
  } else {
    kept.parameter = path;
    emit_.builder.output(path, binding.value);
  }
  if (binding.defined) {
    kept.condition = path + "?";
    emit_.builder.output(kept.condition, binding.defined);
  }
  return kept;
}

void Lowerer::end_session(Session& session, const Environment& before) {
  const Environment after = frame_->env;
  before.for_each([&](const std::string& name, const Binding&) {
    if (!is_leaf(name) && after.count(name) == 0) session.cleared.push_back(name);
  });
  after.for_each([&](const std::string& name, const Binding& form) {
    if (name.starts_with("#") || is_shared(name) || form.kind == Binding::Kind::poisoned || is_leaf(name)) return;
    const Binding binding = whole(after, name);
    if (before.count(name) != 0 && whole(before, name).same_as(binding)) return;
    const auto first = frame_->first_assignment.find(name);
    const Span span = first == frame_->first_assignment.end() ? Span{} : first->second;
    try {
      emit_.at(span);
      session.kept.push_back(keep(name, name, binding, span));
    } catch (const LowerError&) {
    }
  });
}

}  // namespace lac::frontend
