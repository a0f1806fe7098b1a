// How programs name and use maps: containers.Map(...), m(key), m(key) = v, m.Count, m.keys(), isKey(m, key).
#include <algorithm>

#include "frontend/sema/program/maps.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/stacks/stack_form.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/integer_class.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

bool is_option(const Binding& arg, std::string_view word) {
  return arg.is_known_text() && lower_case(arg.text) == word;
}

/// containers.Map
bool is_map_class(const ast::Expr& expr) {
  const auto* field = std::get_if<ast::Field>(&expr.node);
  const auto* base = field ? std::get_if<ast::Identifier>(&field->base->node) : nullptr;
  return base && base->name == "containers" && !field->dynamic && field->name.text == "Map";
}

/// Whether what the value names, or holds, or has captured, is the map.
bool refers_to(const Binding& value, const std::string& contents) {
  if (value.is_map()) return value.text == contents;
  bool found = false;
  if (value.is_function() && value.function)
    value.function->captured.for_each(
        [&](const std::string&, const Binding& captured) { found = found || refers_to(captured, contents); });
  return found;
}

struct Keys {
  std::string type;
  std::vector<Binding> items;
};

}  // namespace

// Whether another variable than this one, or a function, has the map too.
bool Lowerer::is_held_elsewhere(const Binding& map, const std::string& name) const {
  const auto own = frame_->shared.find(name);
  const std::string twin = own == frame_->shared.end() ? "" : own->second;
  bool held = false;
  for (const Frame* frame : stack_)
    frame->env.for_each([&](const std::string& other, const Binding& value) {
      const auto copy = frame->shared.find(other);
      const bool same = (frame == frame_ && other == name) ||
                        (!twin.empty() && (other == twin || (copy != frame->shared.end() && copy->second == twin)));
      held = held || (!same && refers_to(value, map.text));
    });
  return held;
}

// m = containers.Map(...) where m alone has a map: that one anew, so that a loop or a branch goes on with one map.
std::optional<Binding> Lowerer::reconstructed_map(const ast::Assign& node) {
  const ast::LValue& target = node.targets.front();
  const auto* call = std::get_if<ast::Index>(&node.value->node);
  if (!(call ? is_map_class(*call->callee) : is_map_class(*node.value)) || target.is_part() || target.ignored ||
      frame_->env.count("containers") != 0)
    return std::nullopt;
  const auto found = frame_->env.find(target.name.text);
  const bool reuses =
      found != frame_->env.end() && found->second.is_map() && !is_held_elsewhere(found->second, target.name.text);
  const Binding old = reuses ? found->second : Binding{};
  std::vector<Binding> args = call ? lower_arguments(call->args) : std::vector<Binding>{};
  emit_.at(node.value->span);
  return construct_map(std::move(args), reuses ? &old : nullptr, node.value->span);
}

// The elements of a matrix in cells; those that are known stay so.
Binding Lowerer::cells_of_elements(const Binding& matrix, Span span) {
  const Binding cells = call_by_name("num2cell", {matrix}, 1, span).front();
  const auto numbers = numbers_of(emit_, matrix.value);
  if (!numbers) return cells;
  std::vector<Binding> items;
  for (const double number : *numbers) {
    items.push_back(matrix);
    items.back().value = emit_.builder.constant(number, emit_.type(matrix.value).element);
  }
  return cell_array(cells.aggregate->rows, cells.aggregate->cols, std::move(items));
}

Binding Lowerer::empty_map(MapKind kind, const Binding* old, Span span) {
  const auto stop_with = [&](const char* words) { stop(span, std::string("containers.Map: ") + words); };
  static const std::set<std::string_view> key_types = {"char",   "double", "single", "int32",
                                                       "uint32", "int64",  "uint64"};
  static const std::set<std::string_view> value_types = {"any",    "char",  "logical", "double", "single",
                                                         "int8",   "uint8", "int16",   "uint16", "int32",
                                                         "uint32", "int64", "uint64"};
  if (key_types.count(kind.key_type) == 0) stop_with("unsupported KeyType");
  if (value_types.count(kind.value_type) == 0) stop_with("unsupported ValueType");
  has_shared_ = true;
  const bool reuses = old && map_kinds_.at(old->text).key_type == kind.key_type &&
                      map_kinds_.at(old->text).value_type == kind.value_type;
  const Binding map = reuses ? *old : Binding::map(map_contents_name(map_kinds_.size() + 1));
  map_kinds_[map.text] = kind;
  put(frame_->env, map.text, empty_record());
  return map;
}

namespace {

/// Of keys of this class.
std::string class_of_keys(const std::string& name) {
  static const std::set<std::string_view> as_double = {"logical", "int8", "uint8", "int16", "uint16"};
  return as_double.count(name) != 0 ? "double" : name;
}

/// Whether the run finds how many keys or values these are. One string is one of them.
bool is_list_of_run(const Emitter& e, const Binding& given) {
  if (given.is_aggregate()) return is_row_of_run(given);
  if (!given.is_matrix() && !given.is_integer()) return false;
  const Type t = e.type(given.value);
  return !t.rows.is_constant() || !t.cols.is_constant();
}

/// "char", "double", ...; empty: of several, or no scalars.
std::string class_of_items(const SlotForm& form) {
  if (form.row.kind == Binding::Kind::text) return "char";
  if (form.ragged || form.rows * form.cols != 1) return "";
  if (form.row.kind == Binding::Kind::integer) return std::string(info(form.row.integer_class).name);
  if (form.row.kind != Binding::Kind::matrix) return "";
  return std::string(class_name(form.row.element));
}

}  // namespace

// containers.Map(keys, values) where the run finds how many there are.
Binding Lowerer::map_by_pairs(std::vector<Binding> args, const Binding* old, Span span) {
  std::string classes[2];
  for (const std::size_t i : {0, 1}) {
    if (!args[i].is_cell()) args[i] = call_by_name("num2cell", {args[i]}, 1, span).front();
    const auto form = args[i].aggregate->stacked ? row_form(emit_, args[i]) : elements_form(emit_, args[i]);
    if (form && !form->slots.empty()) classes[i] = class_of_items(form->slots.front());
  }
  if (classes[0].empty()) stop(span, "containers.Map: keys must be real scalars or char vectors");
  const Binding map = empty_map({class_of_keys(classes[0]), classes[1].empty() ? "any" : classes[1]}, old, span);
  call_by_name("map_by_pairs", {map, args[0], args[1]}, 0, span);
  return map;
}

Binding Lowerer::construct_map(std::vector<Binding> args, const Binding* old, Span span) {
  const auto stop_with = [&](const char* words) { stop(span, std::string("containers.Map: ") + words); };
  const auto class_of = [&](const Binding& value) { return call_by_name("class", {value}, 1, span).front().text; };
  const bool of_types = args.size() == 4 && !is_option(args[2], "uniformvalues");
  MapKind kind{"char", "any"};
  std::vector<Binding> keys, values;
  const auto each_of = [&](const Binding& given, bool each) -> std::vector<Binding> {
    if (given.is_cell()) return items_of(given);
    if (!each || (!given.is_matrix() && !given.is_integer())) return {given};
    return items_of(cells_of_elements(given, span));
  };
  if (of_types) {
    for (const std::size_t i : {0, 2}) {
      if (is_option(args[i], "keytype")) kind.key_type = args[i + 1].text;
      else if (is_option(args[i], "valuetype")) kind.value_type = args[i + 1].text;
      else stop_with("missing parameter name 'KeyType' or 'ValueType'");
    }
  } else if ((args.size() == 2 || args.size() == 4) &&
             (is_list_of_run(emit_, args[0]) || is_list_of_run(emit_, args[1]))) {
    return map_by_pairs(std::move(args), old, span);
  } else if (args.size() == 2 || args.size() == 4) {
    keys = each_of(args[0], true);
    if (keys.empty() || is_nothing(&args[0])) stop_with("empty keys are not allowed");
    values = each_of(args[1], keys.size() != 1);
    if (keys.size() != values.size()) stop_with("the number of keys and values must match");
    kind.key_type = class_of(keys.front());
    for (const Binding& key : keys)
      if (class_of(key) != kind.key_type) {
        if (key.is_text() || keys.front().is_text())
          stop_with("when using multiple key types, all types must be numeric");
        kind.key_type = "double";
      }
    kind.key_type = class_of_keys(kind.key_type);
    const bool uniform =
        args.size() == 2 || emit_.constant_of(args[3].is_matrix() ? args[3].value : ValueId{}).value_or(1) != 0;
    const std::string first = class_of(values.front());
    const bool scalars = std::ranges::all_of(values, [&](const Binding& value) {
      return (value.is_matrix() && emit_.type(value.value).is_scalar()) || value.is_text();
    });
    const bool alike = std::ranges::all_of(values, [&](const Binding& value) { return class_of(value) == first; });
    kind.value_type = uniform && alike && scalars ? first : "any";
  } else if (!args.empty()) {
    stop_with("incorrect number of inputs specified");
  }
  const Binding map = empty_map(std::move(kind), old, span);
  MapView view(*this, map, span);
  for (std::size_t i = 0; i < keys.size(); ++i) view.store(keys[i], values[i]);
  return map;
}

namespace {

/// Functions that take any value, whatever it is.
bool takes_any_value(std::string_view name) {
  static const std::set<std::string_view> names = {"struct", "setfield", "deal", "feval", "cellfun", "arrayfun"};
  return names.count(name) != 0;
}

bool is_false_of_maps(std::string_view name) {
  static const std::set<std::string_view> names = {"isstruct",  "iscell",    "isnumeric", "ischar",
                                                   "islogical", "iscellstr", "isreal",    "is_function_handle"};
  return names.count(name) != 0;
}

}  // namespace

// What functions are of a map; nothing where they take any value.
std::optional<std::vector<Binding>> Lowerer::call_of_map(const std::string& name, const std::vector<Binding>& args,
                                                         int nargout, Span span) {
  if (takes_any_value(name)) return std::nullopt;
  const auto number = [&](double value) { return Binding::matrix(emit_.builder.constant(value, Element::integer)); };
  const auto truth = [&](bool value) {
    return std::vector<Binding>{Binding::matrix(emit_.builder.constant(value ? 1 : 0, Element::logical))};
  };
  if (is_false_of_maps(name)) return truth(false);
  if (name == "isequal" && args.size() == 2) {
    if (args[0].is_map() && args[1].is_map() && args[0].text == args[1].text) return truth(true);
    emit_.fail(span, "isequal compares no containers.Map with another: compare keys(m) and values(m)");
  }
  if (!args.front().is_map()) emit_.fail(span, name + ": " + std::string(map_remedy));
  if (name == "isobject") return truth(true);
  if (name == "class") return {{Binding::string("containers.Map", false)}};
  if (name == "isa") return truth(args.at(1).text == "containers.Map" || args.at(1).text == "handle");
  if (name == "numel" || name == "columns") return {{number(1)}};
  MapView view(*this, args.front(), span);
  if (args.size() == 1) {
    if (name == "keys") return {{view.keys()}};
    if (name == "values") return {{view.values()}};
    if (name == "length" || name == "Count" || name == "rows") return {{view.count()}};
    if (name == "isempty") return call_by_name("eq", {view.count(), number(0)}, 1, span);
    if (name == "KeyType" || name == "ValueType") return {{view.types(name)}};
    if (name == "size" && nargout < 2) return call_by_name("horzcat", {view.count(), number(1)}, 1, span);
    if (name == "size") return {{view.count(), number(1)}};
    if (name == "disp" || name == "display") {
      view.show("");
      return std::vector<Binding>{};
    }
  }
  if (args.size() == 2) {
    if (name == "isKey") return {{view.is_key(args[1])}};
    if (name == "values") return {{view.values_of(args[1])}};
    if (name == "remove") {
      view.remove(args[1]);
      return {{args.front()}};
    }
  }
  emit_.fail(span, name + ": " + std::string(map_remedy));
}

// Whether what a member is asked of is a map: containers.Map(...) itself, a variable, or a part of one that holds maps.
bool Lowerer::may_be_map(const ast::Expr& expr) {
  const auto* call = std::get_if<ast::Index>(&expr.node);
  if (is_map_class(call ? *call->callee : expr)) return frame_->env.count("containers") == 0;
  const auto target = ast::target_of(expr);
  if (map_kinds_.empty() || !target || frame_->env.count(target->name.text) == 0) return false;
  const Binding root = whole(frame_->env, target->name.text);
  if (!root.is_map() && (!root.is_aggregate() || !target->is_part())) return false;
  bool holds_map = root.is_map();
  for_each_leaf(root, "", [&](const std::string&, const Binding& leaf) { holds_map = holds_map || leaf.is_map(); });
  return holds_map;
}

// containers.Map, m.Count, m.isKey(key): nothing where the expression is none of these. `args`: of the call, if any.
std::optional<std::vector<Binding>> Lowerer::map_access(const ast::Expr& callee, const std::vector<ast::ExprPtr>* args,
                                                        Span span) {
  const auto access = ast::access_of(callee);
  if (!access || access->accessor.kind != ast::Accessor::Kind::field) return std::nullopt;
  if (is_map_class(callee) && frame_->env.count("containers") == 0) {
    std::vector<Binding> arguments = args ? lower_arguments(*args) : std::vector<Binding>{};
    emit_.at(span);
    return {{construct_map(std::move(arguments), nullptr, span)}};
  }
  if (!may_be_map(**access->base)) return std::nullopt;
  const Binding map = lower_expr(**access->base);
  if (!map.is_map()) return std::nullopt;
  const std::string method = field_name(access->accessor);
  static const std::set<std::string_view> members = {"keys",  "values",  "size",      "length", "isempty",
                                                     "Count", "KeyType", "ValueType", "isKey",  "remove"};
  if (members.count(method) == 0) stop(span, "containers.Map: unknown property '" + method + "'");
  std::vector<Binding> arguments = args ? lower_arguments(*args) : std::vector<Binding>{};
  emit_.at(span);
  if ((method == "isKey" || method == "remove") && arguments.size() != 1)
    stop(span, "containers.Map: input argument 'KeySet' is missing");
  const bool takes = method == "isKey" || method == "remove" || method == "values";
  if (!takes && !arguments.empty()) {  // m.keys()(2)
    const Binding made = call_of_map(method, {map}, 1, span)->front();
    return index_binding(made, method, *args, 1, span);
  }
  arguments.insert(arguments.begin(), map);
  return call_of_map(method, arguments, 1, span);
}

Binding Lowerer::read_map(const Binding& map, const std::vector<ast::ExprPtr>& args, Span span) {
  const std::vector<Binding> keys = lower_arguments(args);
  emit_.at(span);
  if (keys.empty()) stop(span, "containers.Map: no key specified");
  return MapView(*this, map, span).read(keys.front());
}

void Lowerer::store_map(const Binding& map, std::span<const ast::Accessor> path, const Binding& value) {
  const ast::Accessor& step = path.front();
  if (path.size() > 1) stop(step.span, "containers.Map: only one level of indexing is supported");
  if (step.kind == ast::Accessor::Kind::field) stop(step.span, "containers.Map: properties are read-only");
  if (step.kind == ast::Accessor::Kind::braces)
    stop(step.span, "containers.Map: only '()' indexing is supported for assigning values");
  const std::vector<Binding> keys = lower_arguments(step.args);
  emit_.at(step.span);
  if (keys.empty()) stop(step.span, "containers.Map: no key specified");
  MapView(*this, map, step.span).store(keys.front(), value);
}

// What a statement without a semicolon shows.
void Lowerer::show(const std::string& name, const Binding& value) {
  if (value.is_variant())
    return with_each_kind(value, name, emit_.place(), [&](const Binding& one) { show(name, one); });
  if (value.is_map()) return MapView(*this, value, emit_.place()).show(written_name(name));
  print_binding(emit_, written_name(name), value);
}

}  // namespace lac::frontend
