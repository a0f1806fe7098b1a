#include "frontend/usage.h"

#include <algorithm>
#include <map>
#include <optional>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/session.h"
#include "frontend/sema/names/uses.h"

namespace lac::frontend {
namespace {

class Checker {
 public:
  Checker(const ast::Program& program, const SourceManager& sources, Diagnostics& diagnostics)
      : program_(program), sources_(sources), diagnostics_(diagnostics) {
    for (const ast::Function& function : program.functions) {
      functions_[function.name.text] = &function;
      uses_[function.name.text] = uses_of(function.body);
    }
    file_ = uses_of(program.statements);
  }

  void run() {
    parameters();
    unused(file_, {}, {});
    common(file_);
    order();
    for (const ast::Function& function : program_.functions) check(function, uses_[function.name.text]);
    without_effect();
  }

 private:
  static std::string quoted(const std::string& name) { return "'" + name + "'"; }

  void check(const ast::Function& function, const Uses& uses) {
    std::set<std::string> inputs, outputs;
    for (const ast::Name& out : function.outs) {
      outputs.insert(out.text);
      const bool passed_on = std::any_of(function.params.begin(), function.params.end(),
                                         [&](const ast::Parameter& p) { return p.name.text == out.text; });
      if (!passed_on && uses.assigned.count(out.text) == 0)
        diagnostics_.warning(out.span,
                             "the result " + quoted(out.text) + " of " + quoted(function.name.text) + " is never set");
    }
    for (const ast::Parameter& parameter : function.params) {
      if (parameter.ignored) continue;
      inputs.insert(parameter.name.text);
      if (changes_what_it_names(uses, parameter.name.text)) continue;
      if (!uses.reads(parameter.name.text) && outputs.count(parameter.name.text) == 0)
        diagnostics_.warning(parameter.name.span, "the argument " + quoted(parameter.name.text) + " of " +
                                                      quoted(function.name.text) + " is never used: write ~ for it");
    }
    unused(uses, inputs, outputs);
    common(uses);
  }

  /// In m(key) = v the variable may name a containers.Map of the caller.
  bool changes_what_it_names(const Uses& uses, const std::string& name) const {
    const auto entry = uses.assigned.find(name);
    if (entry == uses.assigned.end() || !entry->second.indexed) return false;
    return file_.reads("containers") ||
           std::ranges::any_of(uses_, [](const auto& function) { return function.second.reads("containers"); });
  }

  // A name that several results of one call go to is not reported when another of them is used.
  void unused(const Uses& uses, const std::set<std::string>& inputs, const std::set<std::string>& outputs) {
    for (const char* reader : {"save", "str2func", "str2num"})  // whose strings may name any of them
      if (uses.reads(reader)) return;
    for (const auto& [name, entry] : uses.assigned) {
      if (uses.reads(name) || outputs.count(name) != 0 || inputs.count(name) != 0 || !entry.quiet || entry.counter ||
          name == "ans")
        continue;
      if (changes_what_it_names(uses, name)) continue;
      const auto used = [&](const std::string& other) { return uses.reads(other) || outputs.count(other) != 0; };
      if (std::any_of(entry.beside.begin(), entry.beside.end(), used)) continue;
      diagnostics_.warning(entry.first, quoted(name) + " is assigned, but never used");
    }
  }

  void common(const Uses& uses) {
    for (const Span& span : uses.unreachable) diagnostics_.warning(span, "this is never reached");
    for (const Span& span : uses.assigning_conditions)
      diagnostics_.warning(span,
                           "an assignment stands for a condition: to compare, write '=='; if it is meant, put "
                           "it in a second pair of parentheses");
    for (const auto& [name, entry] : uses.assigned) {
      const auto call = uses.called.find(name);
      if (call == uses.called.end() || !entry.number || entry.indexed) continue;
      const Builtin* builtin = find_builtin(name);
      if (functions_.count(name) == 0 && !(builtin && builtin->fewest > 0)) continue;
      diagnostics_
          .warning(call->second, "the variable " + quoted(name) + " hides the function of that name: this is " +
                                     "an index, not a call")
          .notes.push_back({entry.first, quoted(name) + " is assigned here"});
    }
  }

  void parameters() {
    std::set<std::string> sizes;
    for (const ast::Statement& statement : program_.statements) {
      const auto* param = std::get_if<ast::Param>(&statement.node);
      if (!param || file_.reads(param->name.text)) continue;
      bool sized = used_as_size(param->name.text);
      if (param->dims)
        for (const ast::ExprPtr& dim : *param->dims) {
          const auto* name = std::get_if<ast::Identifier>(&dim->node);
          sized = sized || !name || file_.reads(name->name) || used_as_size(name->name, param);
        }
      if (!sized) diagnostics_.warning(param->name.span, "param " + param->name.text + " is never used");
    }
  }

  /// Whether another param's dimensions mention the name.
  bool used_as_size(const std::string& name, const ast::Param* except = nullptr) const {
    for (const ast::Statement& statement : program_.statements) {
      const auto* param = std::get_if<ast::Param>(&statement.node);
      if (!param || param == except || !param->dims) continue;
      for (const ast::ExprPtr& dim : *param->dims) {
        const std::string_view text = sources_.text(dim->span);
        if (text.find(name) != std::string_view::npos) return true;
      }
    }
    return false;
  }

  /// What runs when a function does: itself and everything it may call.
  void reach(const std::string& name, std::set<std::string>& reached) const {
    if (functions_.count(name) == 0 || !reached.insert(name).second) return;
    const auto is_parameter = [&](const std::string& mentioned) {
      return std::ranges::any_of(functions_.at(name)->params,
                                 [&](const ast::Parameter& p) { return p.name.text == mentioned; });
    };
    for (const auto& mention : uses_.at(name).named)
      if (uses_.at(name).assigned.count(mention.first) == 0 && !is_parameter(mention.first))
        reach(mention.first, reached);
  }

  /// Whether the place stands in a function handle that a statement of the file makes and nothing more: f = @(x) g(x).
  bool is_in_handle_made(const Span& place) const {
    return std::ranges::any_of(program_.statements, [&](const ast::Statement& statement) {
      const auto* assign = std::get_if<ast::Assign>(&statement.node);
      const ast::Expr* value = assign && !assign->op ? assign->value.get() : nullptr;
      return value && std::holds_alternative<ast::AnonymousFunction>(value->node) && place.begin >= value->span.begin &&
             place.begin < value->span.end;
    });
  }

  void order() {
    std::map<std::string, Span> early;
    for (const auto& [name, places] : file_.named) {
      if (file_.assigned.count(name) != 0) continue;
      std::set<std::string> reached;
      reach(name, reached);
      for (const std::string& function : reached)
        for (const Span& place : places) {
          if (place.begin >= functions_.at(function)->span.begin || is_in_handle_made(place)) continue;
          const auto [entry, added] = early.emplace(function, place);
          if (!added && place.begin < entry->second.begin) entry->second = place;
        }
    }
    for (const auto& [name, place] : early)
      diagnostics_.warning(place, "the function " + quoted(name) + " runs here before its definition at line " +
                                      std::to_string(sources_.begin(functions_.at(name)->span).line) +
                                      ", which Octave does not accept");
  }

  /// Calls that mean nothing in a program that runs by itself, in one remark.
  void without_effect() {
    std::map<std::uint32_t, Span> places;  // by where they begin
    std::map<std::string_view, std::string> reasons;
    const auto collect = [&](const Uses& uses) {
      for (const auto& [name, spans] : uses.named) {
        const std::string_view why = why_without_effect(name);
        if (why.empty() || functions_.count(name) != 0 || uses.assigned.count(name) != 0) continue;
        std::string& words = reasons[why];
        words += (words.empty() ? "'" : ", '") + name + "'";
        for (const Span& span : spans) places.emplace(span.begin, span);
      }
    };
    collect(file_);
    for (const auto& [name, uses] : uses_) collect(uses);
    if (places.empty()) return;
    Diagnostic remark{Severity::remark, places.begin()->second, 0, "without effect:", {}};
    for (const auto& [why, words] : reasons)
      remark.message += (remark.message.back() == ':' ? " " : "; ") + words + ", for " + std::string(why);
    places.erase(places.begin());
    for (const auto& [begin, span] : places) remark.notes.push_back({span, "and here"});
    diagnostics_.add(std::move(remark));
  }

  const ast::Program& program_;
  const SourceManager& sources_;
  Diagnostics& diagnostics_;
  std::map<std::string, const ast::Function*> functions_;
  std::map<std::string, Uses> uses_;
  Uses file_;
};

}  // namespace

void warn_of_usage(const ast::Program& program, const SourceManager& sources, Diagnostics& diagnostics) {
  Diagnostics found;
  Checker(program, sources, found).run();
  std::vector<Diagnostic> ordered = found.take();
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  for (Diagnostic& diagnostic : ordered) diagnostics.add(std::move(diagnostic));
}

}  // namespace lac::frontend
