// What several values are assigned to: [x, y] = f(...), [c{1:2}] = f(...), [b.x] = f(...).
#include <algorithm>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

// One step for each of the elements that a step picks; none where it is one, or the run says which.
std::vector<ast::Accessor> Lowerer::single_steps(const Binding& base, const std::string& name,
                                                 const ast::Accessor& step) {
  if (!base.is_aggregate() || base.is_array() || step.args.empty() || step.args.size() > 2) return {};
  const std::vector<ElementSubscript> subscripts = element_subscripts(*base.aggregate, name, step.args, step.span);
  std::size_t count = 1;
  for (const ElementSubscript& each : subscripts) {
    if (each.position) return {};
    if (each.several) refuse_several(name, step.span);
    count *= each.at.size();
  }
  if (count == 1) return {};
  if (base.aggregate->stacked && (base.is_cell() || subscripts.size() > 1)) refuse_several(name, step.span);
  const auto number = [&](std::int64_t at) {
    return std::make_shared<const ast::Expr>(ast::Expr{step.span, ast::Number{static_cast<double>(at + 1)}});
  };
  std::vector<ast::Accessor> steps(count, step);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t height = subscripts[0].at.size();
    steps[k].args = {number(subscripts[0].at[k % height])};
    if (subscripts.size() > 1) steps[k].args.push_back(number(subscripts[1].at[k / height]));
  }
  return steps;
}

// [c{1:2}], [b(1:2).x] and [b.x] of two structs are two targets.
std::vector<ast::LValue> Lowerer::each_target(const ast::LValue& target) {
  std::vector<ast::LValue> all;
  const std::size_t length = target.path.size();
  const bool is_there = frame_->env.count(target.name.text) != 0;
  const auto container = [&](std::size_t steps) {
    ast::LValue part = target;
    part.path.resize(steps);
    return is_there ? lower_expr(*expression_of(part)) : Binding::of(Binding::Kind::record, {0, 0, {}});
  };
  const auto is = [&](std::size_t from_end, ast::Accessor::Kind kind) {
    return length >= from_end && target.path[length - from_end].kind == kind;
  };
  for (std::size_t k = 0; is_there && k + 2 < length; ++k)
    if (target.path[k].kind == ast::Accessor::Kind::parens && target.path[k + 1].kind == ast::Accessor::Kind::field &&
        !single_steps(container(k), target.name.text, target.path[k]).empty())
      emit_.fail(target.path[k + 2].span, "a cs-list cannot be further indexed");
  std::vector<ast::Accessor> steps;
  std::size_t at = length - 1;
  if (is(1, ast::Accessor::Kind::braces)) {
    steps = single_steps(is_there ? container(length - 1) : cell_array(0, 0, {}), target.name.text, target.path[at]);
  } else if (is(1, ast::Accessor::Kind::field) && is(2, ast::Accessor::Kind::parens)) {
    at = length - 2;
    const Binding structs = container(at);
    if (structs.is_record() || is_nothing(&structs)) steps = single_steps(structs, target.name.text, target.path[at]);
  } else if (is(1, ast::Accessor::Kind::field) && is_there) {
    const Binding structs = length == 1 ? whole(frame_->env, target.name.text) : Binding{};
    if (structs.is_record() && !structs.aggregate->stacked && structs.aggregate->count() != 1) {
      const ast::Accessor every{ast::Accessor::Kind::parens,
                                {std::make_shared<const ast::Expr>(ast::Expr{target.span, ast::Colon{}})},
                                {},
                                nullptr,
                                target.span};
      steps = single_steps(structs, target.name.text, every);
      for (const ast::Accessor& step : steps) {
        ast::LValue one = target;
        one.path.insert(one.path.begin(), step);
        all.push_back(std::move(one));
      }
      return all;
    }
  }
  if (steps.empty()) all.push_back(target);
  for (ast::Accessor& step : steps) {
    ast::LValue one = target;
    one.path[at] = std::move(step);
    all.push_back(std::move(one));
  }
  return all;
}

// The values that a list, or deal(v), has for so many targets, as cells; nothing for other expressions.
std::optional<Binding> Lowerer::values_for(const ast::Expr& written, const Size& count) {
  const ast::Expr& expr = ast::strip_parens(written);
  if (const auto list = stacked_list(expr)) return cells_of(*list);
  if (ast::is_list(expr)) {
    std::vector<Binding> items = lower_multi(expr, 1);
    const auto width = static_cast<std::int64_t>(items.size());
    return cell_array(1, width, std::move(items));
  }
  const auto* call = std::get_if<ast::Index>(&expr.node);
  const auto* callee = call ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
  if (!callee || callee->name != "deal" || call->args.size() != 1 || ast::is_list(*call->args[0])) return std::nullopt;
  const auto extent = [&](const Size& size) { return Binding::matrix(emit_.builder.size(size)); };
  const Binding one = cell_array(1, 1, {lower_expr(*call->args[0])});
  return call_by_name("repmat", {one, extent(1), extent(count)}, 1, expr.span).front();
}

// [s.f] = deal(v), [s.f] = c{:} of structs that the run counts.
bool Lowerer::lower_to_all_structs(const ast::Assign& node, Span span) {
  const ast::LValue& target = node.targets.front();
  const bool is_field = !target.path.empty() && target.path.back().kind == ast::Accessor::Kind::field;
  if (node.targets.size() != 1 || !is_field || frame_->env.count(target.name.text) == 0) return false;
  const ast::LValue structs = ast::without_last(target);
  const auto is_element = [](const ast::Accessor& step) { return step.kind != ast::Accessor::Kind::field; };
  if (std::ranges::any_of(structs.path, is_element) || !whole(frame_->env, target.name.text).is_record()) return false;
  const Binding all = structs.is_part() ? lower_expr(*ast::expression_of(structs)) : lookup(target.name.text, span);
  if (!all.is_record() || !all.aggregate->stacked) return false;
  const Size count = count_of(emit_, *all.aggregate);
  std::optional<Binding> values = values_for(*node.value, count);
  if (values) values = stacked(*values, Stacking::rows);
  if (!values) return false;
  emit_.at(span);
  const Size given = count_of(emit_, *values->aggregate);
  emit_.require(emit_.builder.map(ScalarOp::ge, emit_.builder.size(given), emit_.builder.size(count)),
                "some elements undefined in argument list", {});
  Slot field = slot_slice(emit_, values->aggregate->slots.front(), 0, count);
  field.name = field_name(target.path.back());
  Aggregate made = *all.aggregate;
  const auto own = std::ranges::find(made.slots, field.name, &Slot::name);
  if (own == made.slots.end()) made.slots.push_back(std::move(field));
  else *own = std::move(field);
  assign(structs, Binding::of(Binding::Kind::record, std::move(made)), node.print);
  return true;
}

// [x, y] = f(...)
void Lowerer::lower_several(const ast::Assign& node, Span span) {
  if (lower_to_all_structs(node, span)) return;
  std::vector<ast::LValue> targets;
  std::vector<bool> ignored, shows;  // [c{1:2}] = ... shows c once
  for (const ast::LValue& written : node.targets) {
    for (const ast::LValue& target : each_target(written)) {
      targets.push_back(target);
      ignored.push_back(target.ignored);
      shows.push_back(false);
    }
    if (!shows.empty()) shows.back() = node.print;
  }
  ignored_ = {node.value->span, std::move(ignored)};
  const std::vector<Binding> values = lower_multi(*node.value, static_cast<int>(targets.size()));
  emit_.at(span);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i >= values.size()) {
      if (targets[i].ignored) continue;
      if (i > 0 && (std::holds_alternative<ast::Number>(node.value->node) ||
                    std::holds_alternative<ast::String>(node.value->node)))
        emit_.fail(span, "invalid number of output arguments for constant expression");
      emit_.fail(targets[i].span, i == 0 ? "value on the right hand side of the assignment not defined"
                                         : "element number " + std::to_string(i + 1) + " undefined in return list");
    }
    if (values[i].kind == Binding::Kind::poisoned && !values[i].poison.empty() && !targets[i].ignored)
      emit_.fail(targets[i].span, values[i].poison);
    assign(targets[i], values[i], shows[i]);
  }
}

}  // namespace lac::frontend
