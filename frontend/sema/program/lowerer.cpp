// Files: parameters, outputs, the list of variables; places and errors.
#include "frontend/sema/program/lowerer.h"

#include <algorithm>
#include <utility>

#include "ir/support/stack.h"

namespace lac::frontend {

Lowerer::Lowerer(SourceManager& source_manager, const LowerOptions& lower_options, Diagnostics& sink)
    : builder(graph), sources(source_manager), options(lower_options), diagnostics(sink) {
  graph.precision = options.precision;
}

void Lowerer::fail(Span span, std::string message, std::vector<Note> notes) {
  Diagnostic diagnostic{Severity::error, span, 0, std::move(message), std::move(notes)};
  if (operands_.op.valid() && operands_.whole == span) diagnostic.caret = operands_.op.begin;
  for (auto active = stack_.rbegin(); active != stack_.rend(); ++active)
    if ((*active)->call_span.valid() && (*active)->call_span != span)
      diagnostic.notes.push_back({(*active)->call_span, "in the call of '" + (*active)->name + "' here"});
  diagnostics.add(std::move(diagnostic));
  throw LowerError{};
}

LocationId Lowerer::locate(Span span) {
  Location location;
  location.span = span;
  if (frame) location = {span, frame->name, frame->caller, frame->loops};
  if (builder.location && graph.locations[builder.location] == location) return builder.location;
  return graph.locations.push(std::move(location));
}

std::string Lowerer::written(Span span) const {
  std::string text(sources.text(span));
  if (const auto newline = text.find('\n'); newline != std::string::npos) text = text.substr(0, newline) + "...";
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

// 3x4, n x 1, n x (n + 1); ? is an extent that only the run knows.
std::string Lowerer::shape_text(ValueId value) const {
  const Type& t = type(value);
  const auto now = [&](const Size& size) -> std::optional<std::int64_t> {  // what the session's variables make of it
    if (!options.session) return std::nullopt;
    bool known = true;
    const std::int64_t number = size.evaluate([&](SymbolId id) -> std::int64_t {
      const auto found = options.session->sizes.find(graph.symbol_name(id));
      known = known && found != options.session->sizes.end();
      return known ? found->second : 0;
    });
    return known ? std::optional(number) : std::nullopt;
  };
  const auto extent = [&](const Size& size) {
    if (const auto number = now(size)) return std::to_string(*number);
    const std::string text = graph.text(size);
    if (text.find('%') != std::string::npos) return std::string("?");
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  const bool numbers = (t.rows.is_constant() || now(t.rows)) && (t.cols.is_constant() || now(t.cols));
  return extent(t.rows) + (numbers ? "x" : " x ") + extent(t.cols);
}

Lowerer::Snapshot Lowerer::save() const {
  std::vector<BlockId> open = open_blocks;
  open.push_back(builder.block);
  return {Checkpoint(graph, open),
          facts,
          frame->env,
          builder.block,
          builder.location,
          open_blocks,
          diagnostics.items().size(),
          clamp_symbols_,
          frame->first_assignment,
          described_};
}

void Lowerer::restore(const Snapshot& snapshot) {
  snapshot.graph.restore(graph);
  intervals.keep_first(graph.values.size());
  facts = snapshot.facts;
  frame->env = snapshot.env;
  builder.block = snapshot.block;
  builder.location = snapshot.location;
  open_blocks = snapshot.open_blocks;
  diagnostics.truncate(snapshot.diagnostics);
  clamp_symbols_ = snapshot.clamp_symbols;
  frame->first_assignment = snapshot.first_assignment;
  described_ = snapshot.described;
}

void Lowerer::inside(BlockId block, const std::function<void()>& body) {
  const BlockId outer = builder.block;
  const std::size_t depth = open_blocks.size();
  open_blocks.push_back(outer);
  builder.block = block;
  body();
  builder.block = outer;
  open_blocks.resize(depth);
}

// A dimension of a parameter: a new symbol the first time a name is met, a size that must fit afterwards.
Size Lowerer::declared_size(const ast::Expr& dim, std::int64_t given, SymbolOrigin origin, std::uint32_t parameter) {
  const auto* identifier = std::get_if<ast::Identifier>(&dim.node);
  if (!identifier || frame->env.count(identifier->name) != 0) return to_size(lower_value(dim), dim.span, false);
  Size size = given;
  if (given >= 2) size = Size::symbol(graph.symbols.push({identifier->name, origin, parameter, {}, 2}));
  const ValueId value = builder.size(size);
  frame->env[identifier->name] = Binding::matrix(value);
  frame->first_assignment.emplace(identifier->name, dim.span);
  mention(identifier->name, dim.span);
  return size;
}

Size Lowerer::undeclared_size(const std::string& name, std::int64_t given, SymbolOrigin origin) {
  return given < 2 ? Size(given) : Size::symbol(graph.symbols.push({name, origin, bound_parameters_, {}, 2}));
}

// Integers of at least 2 are symbols, smaller ones constants; what else there is has its type already.
ValueId Lowerer::add_parameter(Parameter parameter, const ParameterSignature& signature) {
  using Kind = ParameterSignature::Kind;
  const std::uint32_t index = bound_parameters_++;
  if (signature.kind == Kind::logical_scalar) parameter.type = Type::scalar(Element::logical);
  const bool integer = signature.kind == Kind::integer_symbol || signature.kind == Kind::integer_constant;
  if (!integer) {
    graph.parameters.push_back(std::move(parameter));
    return builder.parameter(index);
  }
  parameter.type = Type::scalar(Element::integer);
  Size size = signature.value;
  if (signature.kind == Kind::integer_symbol)
    size = Size::symbol(graph.symbols.push({parameter.name, SymbolOrigin::parameter_value, index, {}, 2}));
  graph.parameters.push_back(std::move(parameter));
  return builder.size(size);
}

void Lowerer::lower_parameter(const ast::Param& node, const ParameterInfo& info, const ParameterSignature& signature) {
  using Kind = ParameterSignature::Kind;
  const std::string& name = node.name.text;
  builder.location = locate(node.name.span);
  if (signature.kind == Kind::unbound) {
    if (!node.default_value) fail(node.name.span, "param " + name + " has no value: pass " + name + "=VALUE");
    Binding value = lower_expr(*node.default_value);
    if (value.is_matrix() && node.dims) {
      for (std::size_t axis = 0; axis < node.dims->size() && axis < 2; ++axis) {
        const ast::Expr& dim = *(*node.dims)[axis];
        const Size actual = axis == 0 ? type(value.value).rows : type(value.value).cols;
        const auto* identifier = std::get_if<ast::Identifier>(&dim.node);
        if (identifier && frame->env.count(identifier->name) == 0) {
          frame->env[identifier->name] = Binding::matrix(builder.size(actual));
          continue;
        }
        const Size declared = to_size(lower_value(dim), dim.span, false);
        require_equal(actual, declared, dim.span,
                      "the default of param " + name + " is " + shape_text(value.value) + ", not as declared",
                      {actual, declared}, "the default of param " + name + " has a dimension %d, declared as %d");
      }
    }
    assign_name(name, value);
    mention(name, node.name.span);
    return;
  }
  Parameter parameter{name, Type::scalar(graph.precision), node.name.span};
  if (signature.kind == Kind::matrix) {
    Type& t = parameter.type;
    t.element = signature.logical ? Element::logical : graph.precision;
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

std::optional<Lowered> Lowerer::lower_program(const ast::Program& program,
                                              const std::vector<ParameterSignature>& signature) {
  const Interface interface = interface_of(program, sources, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  graph.name = sources.file(program.file).name;
  text_size_ = sources.file(program.file).text.size();
  interface_ = &interface;
  signature_ = &signature;
  for (const ast::Function& function : program.functions) functions_[function.name.text] = &function;
  Frame file;
  file.body = &program.statements;
  file.assigned = assigned_names(program.statements);
  for (const ast::Statement& statement : program.statements)
    if (const auto* output = std::get_if<ast::Output>(&statement.node))
      for (const ast::Name& name : output->names) {
        outputs_.emplace_back(name.text, name.span);
        file.read_at_end.insert(name.text);
      }
  frame = &file;
  stack_.push_back(frame);
  if (options.session) start_session(*options.session);
  const Environment before = file.env;
  bool goes_on = true;
  try {
    lower_list(program.statements);
  } catch (const TooLarge&) {
    return std::nullopt;
  } catch (const LowerError&) {
  } catch (const Unreachable&) {  // the program always stops before its end
    goes_on = false;
    stack_.resize(1);
    frame = &file;
    builder.block = graph.body;
    open_blocks.clear();
    outputs_.clear();
  }
  if (options.session && goes_on && !diagnostics.has_errors()) end_session(*options.session, before);
  for (const auto& [name, span] : outputs_) {
    try {
      builder.location = locate(span);
      const Binding value = lookup(name, span);
      if (!value.is_matrix()) fail(span, "output " + name + " is not a matrix");
      builder.output(name, value.value);
    } catch (const LowerError&) {
    }
  }
  if (options.describe) describe("");
  stack_.pop_back();
  frame = nullptr;
  if (diagnostics.has_errors()) return std::nullopt;
  return Lowered{std::move(graph), variables()};
}

std::optional<Graph> Lowerer::lower_constant(const ast::Expr& expression) {
  static const ast::Block nothing;
  Frame file;
  file.body = &nothing;
  frame = &file;
  stack_.push_back(frame);
  try {
    builder.location = locate(expression.span);
    builder.output("value", lower_value(expression));
  } catch (const TooLarge&) {
    return std::nullopt;
  } catch (const LowerError&) {
  } catch (const Unreachable&) {
    diagnostics.error(expression.span, "the value cannot be computed: its computation ends in an error");
    stack_.resize(1);
  }
  stack_.pop_back();
  frame = nullptr;
  if (diagnostics.has_errors()) return std::nullopt;
  return std::move(graph);
}

std::optional<Lowered> lower(const ast::Program& program, const std::vector<ParameterSignature>& signature,
                             SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics) {
  return with_deep_stack([&] { return Lowerer(sources, options, diagnostics).lower_program(program, signature); });
}

std::optional<Graph> lower_constant(const ast::Expr& expression, SourceManager& sources, const LowerOptions& options,
                                    Diagnostics& diagnostics) {
  return with_deep_stack([&] { return Lowerer(sources, options, diagnostics).lower_constant(expression); });
}

}  // namespace lac::frontend
