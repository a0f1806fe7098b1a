// Files: what is lowered from their first statement to their outputs.
#include "frontend/sema/program/lowerer.h"

#include <utility>

#include "ir/support/stack.h"

namespace lac::frontend {

Lowerer::Lowerer(SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics, VariableNames variants)
    : emit_(sources, options, diagnostics), variants_(std::move(variants)) {}

Lowerer::Snapshot Lowerer::save() const {
  return {emit_.save(), frame_->env, frame_->first_assignment, described_, guards_at_hand()};
}

void Lowerer::restore(const Snapshot& snapshot) {
  emit_.restore(snapshot.emitter);
  frame_->env = snapshot.env;
  frame_->first_assignment = snapshot.first_assignment;
  described_ = snapshot.described;
  forget_guards(snapshot.guards);
}

void Lowerer::activate(Frame* active) {
  frame_ = active;
  emit_.active = active;
}

void Lowerer::enter_file(const ast::Program& program, Frame& file) {
  emit_.graph.name = emit_.sources.file(program.file).name;
  text_size_ = emit_.sources.file(program.file).text.size();
  for (const ast::Function& function : program.functions) functions_[function.name.text] = &function;
  reads_stacks_ = reads_stacks_ || reads_stacks(program);
  file.body = &program.statements;
  file.assigned = assigned_names(program.statements);
  for (const ast::Statement& statement : program.statements)
    if (const auto* output = std::get_if<ast::Output>(&statement.node))
      for (const ast::Name& name : output->names) {
        outputs_.emplace_back(name.text, name.span);
        file.read_at_end.insert(name.text);
      }
  stack_.push_back(&file);
  activate(&file);
}

/// False where the program certainly stops before its end.
bool Lowerer::lower_statements(const ast::Program& program) {
  try {
    lower_list(program.statements);
  } catch (const LowerError&) {
  } catch (const Unreachable&) {
    return false;
  }
  return true;
}

void Lowerer::lower_outputs() {
  for (const auto& [name, span] : outputs_) {
    try {
      emit_.at(span);
      const Binding value = lookup(name, span);
      if (value.is_array())
        emit_.fail(span, "output " + name + " has more than two dimensions: give out a matrix, " + name + "(:, :)");
      if (!value.is_matrix()) emit_.fail(span, "output " + name + " is not a matrix");
      emit_.builder.output(name, value.value);
    } catch (const LowerError&) {  // reported; the other outputs are looked at as well
    }
  }
}

std::optional<Lowered> Lowerer::lower_program(const ast::Program& program,
                                              const std::vector<ParameterSignature>& signature) {
  const Interface interface = interface_of(program, emit_.sources, emit_.diagnostics);
  if (emit_.diagnostics.has_errors()) return std::nullopt;
  interface_ = &interface;
  signature_ = &signature;
  Frame file;
  enter_file(program, file);
  Session* session = emit_.options.session;
  if (session) start_session(*session);
  const Environment before = file.env;
  begin_shared("", program.statements);
  for (const ast::Function& function : program.functions) begin_shared(function.name.text, function.body);
  try {
    const bool goes_on = lower_statements(program);
    if (session && goes_on && !emit_.diagnostics.has_errors()) end_session(*session, before);
    if (goes_on) lower_outputs();
  } catch (const TooLarge&) {
    return std::nullopt;
  }
  if (emit_.options.describe) describe("");
  if (emit_.diagnostics.has_errors()) return std::nullopt;
  return Lowered{std::move(emit_.graph), variables(), signature, emit_.open_shapes};
}

std::optional<Graph> Lowerer::lower_constant(const ast::Expr& expression) {
  static const ast::Block nothing;
  Frame file;
  file.body = &nothing;
  stack_.push_back(&file);
  activate(&file);
  try {
    emit_.at(expression.span);
    emit_.builder.output("value", lower_value(expression));
  } catch (const TooLarge&) {
    return std::nullopt;
  } catch (const LowerError&) {
  } catch (const Unreachable&) {
    emit_.diagnostics.error(expression.span, "the value cannot be computed: its computation ends in an error");
  }
  if (emit_.diagnostics.has_errors()) return std::nullopt;
  return std::move(emit_.graph);
}

std::optional<Lowered> lower(const ast::Program& program, const std::vector<ParameterSignature>& signature,
                             SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics) {
  return with_deep_stack([&] {
    const std::size_t reported = diagnostics.items().size();
    Lowerer::VariableNames variants;
    while (true) {
      Lowerer lowerer(sources, options, diagnostics, variants);
      std::optional<Lowered> lowered = lowerer.lower_program(program, signature);
      const std::size_t known = variants.size();
      variants.insert(lowerer.wanted_variants().begin(), lowerer.wanted_variants().end());
      if (lowered || variants.size() == known) return lowered;
      diagnostics.truncate(reported);
    }
  });
}

std::optional<Graph> lower_constant(const ast::Expr& expression, SourceManager& sources, const LowerOptions& options,
                                    Diagnostics& diagnostics) {
  return with_deep_stack([&] { return Lowerer(sources, options, diagnostics).lower_constant(expression); });
}

}  // namespace lac::frontend
