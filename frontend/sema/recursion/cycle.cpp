#include "frontend/sema/recursion/cycle.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "frontend/sema/names/names.h"
#include "frontend/sema/recursion/rewrite.h"

namespace lac::frontend {
namespace {

std::set<std::string> variables_of(const ast::Function& function) {
  std::set<std::string> names = assigned_names(function.body);
  for (const ast::Parameter& param : function.params) names.insert(param.name.text);
  for (const ast::Name& out : function.outs) names.insert(out.text);
  return names;
}

using Functions = CallGraph::Functions;

Functions members_of(const ast::Function& function, CallGraph& calls) {
  Functions members = {&function};
  for (const ast::Function* each : calls.reached_from(function))
    if (each != &function && calls.reached_from(*each).count(&function) != 0) members.push_back(each);
  std::sort(members.begin() + 1, members.end(), [](const ast::Function* a, const ast::Function* b) {
    return std::pair(a->span.file.index, a->span.begin) < std::pair(b->span.file.index, b->span.begin);
  });
  return members;
}

constexpr std::string_view asks_about_calls[] = {"nargout",  "exist",     "isargout", "inputname",
                                                 "varargin", "varargout", "nargchk",  "narginchk"};

void refuse_what_asks(const ast::Function& function) {
  std::map<std::string, int> reads = read_counts(function.body);
  for (const ast::Parameter& param : function.params) {
    ++reads[param.name.text];
    if (param.default_value) throw NoFlow{param.name.span, "the default of a parameter"};
  }
  for (const ast::Name& out : function.outs) ++reads[out.text];
  for (const std::string_view name : asks_about_calls)
    if (reads.count(std::string(name)) != 0) throw NoFlow{function.name.span, "'" + std::string(name) + "'"};
}

std::set<std::string> shared_of(const ast::Function& function) {
  std::set<std::string> names;
  for (const ast::Statement& each : function.body)
    if (const auto* node = std::get_if<ast::Declaration>(&each.node))
      for (const auto& variable : node->variables) names.insert(variable.name.text);
  return names;
}

/// A call of a member in another one; without arguments where it is a handle.
struct CallSite {
  std::size_t caller, callee;
  const std::vector<ast::ExprPtr>* args;
};

class CallSites {
 public:
  explicit CallSites(const Functions& all) : all_(all) {
    for (caller_ = 0; caller_ < all.size(); ++caller_) {
      variables_ = variables_of(*all[caller_]);
      block(all[caller_]->body);
    }
  }
  std::vector<CallSite> sites;

 private:
  void block(const ast::Block& statements) {
    for (const ast::Statement& each : statements) {
      for_each_expression(each, [&](const ast::Expr& expr) { expression(expr); });
      for_each_inner_block(each, [&](const ast::Block& inner) { block(inner); });
    }
  }
  void expression(const ast::Expr& expr) {
    const auto* call = std::get_if<ast::Index>(&expr.node);
    const auto* callee = call ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
    if (callee && add(callee->name, &call->args)) {
      for (const ast::ExprPtr& arg : call->args) expression(*arg);
      return;
    }
    if (const auto* name = std::get_if<ast::Identifier>(&expr.node)) add(name->name, nullptr);
    if (const auto* name = std::get_if<ast::FunctionHandle>(&expr.node)) add(name->name.text, nullptr);
    for_each_child(expr, [&](const ast::ExprPtr& child) { expression(*child); });
  }
  bool add(const std::string& name, const std::vector<ast::ExprPtr>* args) {
    if (variables_.count(name) != 0) return false;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i]->name.text == name) {
        sites.push_back({caller_, i, args});
        return true;
      }
    return false;
  }

  const Functions& all_;
  std::size_t caller_ = 0;
  std::set<std::string> variables_;
};

/// A parameter: of which function, and the how manieth.
using ParameterPlace = std::pair<std::size_t, std::size_t>;
using Sources = std::map<ParameterPlace, std::size_t>;

/// Which parameter of the first function the argument is, as far as is known.
std::optional<std::size_t> source_of(const ast::Expr& arg, std::size_t caller, const Functions& all,
                                     const Sources& sources) {
  const auto* name = std::get_if<ast::Identifier>(&arg.node);
  if (!name) return std::nullopt;
  const std::vector<ast::Parameter>& params = all[caller]->params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const auto known = sources.find({caller, i});
    if (params[i].name.text == name->name && known != sources.end()) return known->second;
  }
  return std::nullopt;
}

/// Whether the statements assign the variable as a whole, other than x(i) = v.
bool assigns_whole(const ast::Block& block, const std::string& name) {
  return std::ranges::any_of(block, [&](const ast::Statement& each) {
    bool found = false;
    for_each_inner_block(each, [&](const ast::Block& body) { found = found || assigns_whole(body, name); });
    if (const auto* assign = std::get_if<ast::Assign>(&each.node))
      for (const ast::LValue& target : assign->targets)
        found = found || (target.name.text == name && !target.is_part());
    if (const auto* loop = std::get_if<ast::For>(&each.node)) found = found || loop->variable.name.text == name;
    if (const auto* attempt = std::get_if<ast::Try>(&each.node)) found = found || attempt->error.text == name;
    return found;
  });
}

/// The parameters that always have the value which the first function was given, and as which of its parameters. They
/// are found from those of the first function on, and lost where a call passes something else, to the fixed point.
Sources constants_of(const Functions& all, const std::set<std::string>& shared_by_all) {
  const std::vector<CallSite> sites = CallSites(all).sites;
  Sources sources;
  std::set<ParameterPlace> lost;
  const auto may_be = [&](ParameterPlace place, std::size_t source) {
    const ast::Parameter& param = all[place.first]->params[place.second];
    if (param.ignored || lost.count(place) != 0) return false;
    const ast::Block& body = all[place.first]->body;
    const bool by_parts = shared_by_all.count(all.front()->params[source].name.text) != 0;
    return by_parts ? !assigns_whole(body, param.name.text) : assigned_names(body).count(param.name.text) == 0;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    sources.clear();
    for (std::size_t i = 0; i < all.front()->params.size(); ++i)
      if (may_be({0, i}, i)) sources[{0, i}] = i;
    for (std::size_t round = 0; round < all.size(); ++round)
      for (const CallSite& site : sites)
        for (std::size_t i = 0; site.args && i < std::min(site.args->size(), all[site.callee]->params.size()); ++i)
          if (const auto source = source_of(*(*site.args)[i], site.caller, all, sources);
              source && may_be({site.callee, i}, *source))
            sources.emplace(ParameterPlace{site.callee, i}, *source);
    for (const CallSite& site : sites)
      for (std::size_t i = 0; i < all[site.callee]->params.size(); ++i) {
        const auto known = sources.find({site.callee, i});
        if (known == sources.end()) continue;
        const bool passed = site.args && i < site.args->size();
        if (!passed || source_of(*(*site.args)[i], site.caller, all, sources) != known->second)
          changed = lost.insert({site.callee, i}).second || changed;
      }
  }
  return sources;
}

/// Whether another member has a use for the name. The first one keeps what are variables there, for these get other
/// names.
bool means_something_else(const std::string& name, const ast::Function& in, const Functions& all) {
  return std::ranges::any_of(all, [&](const ast::Function* other) {
    if (other == &in) return false;
    const bool is_variable = variables_of(*other).count(name) != 0;
    return is_variable ? &in != all.front() : read_counts(other->body).count(name) != 0;
  });
}

CycleMember member(const ast::Function& function, CallGraph& calls, const Functions& all,
                   const std::map<std::string, std::string>& constants, const std::set<std::string>& shared_by_all) {
  refuse_what_asks(function);
  CycleMember made;
  made.shared = shared_of(function);
  const std::string suffix = "_of_" + function.name.text;
  std::map<std::string, std::string> names = constants;
  for (const auto& [name, constant] : constants) {
    made.constant.insert(constant);
    if (shared_by_all.count(constant) != 0) made.acting.insert(constant);
  }
  for (const std::string& name : variables_of(function)) {
    if (made.shared.count(name) != 0 || constants.count(name) != 0) continue;
    const std::string own = means_something_else(name, function, all) ? name + suffix : name;
    names[name] = own;
    if (own != name) made.written[own] = name;
    made.variables.insert(own);
  }
  if (read_counts(function.body).count("nargin") != 0) {
    made.given = names["nargin"] = "nargin" + suffix;
    made.variables.insert(made.given);
  }
  for (const ast::Function* called : calls.called_by(function))
    if (std::ranges::find(all, called) == all.end()) made.acting.insert(called->name.text);
  for (const auto& [name, count] : read_counts(function.body))
    if (name.starts_with("rand")) made.acting.insert(name);
  made.function = renamed(function, names);
  return made;
}

}  // namespace

std::set<std::string> names_in(const Cycle& cycle) {
  std::set<std::string> names;
  for (const CycleMember& member : cycle) {
    names.merge(variables_of(member.function));
    for (const auto& [name, count] : read_counts(member.function.body)) names.insert(name);
  }
  return names;
}

std::string unused(std::string name, std::set<std::string>& taken) {
  while (!taken.insert(name).second) name += "_";
  return name;
}

namespace {

/// if isempty(x), x = ...; end of shared variables, by what is the same at every level
bool begins_shared(const ast::Statement& statement, const CycleMember& member) {
  const auto* branch = std::get_if<ast::If>(&statement.node);
  if (!branch || branch->arms.size() != 1) return false;
  const auto* test = std::get_if<ast::Index>(&strip_parens(*branch->arms[0].condition).node);
  const auto* asked = test ? std::get_if<ast::Identifier>(&test->callee->node) : nullptr;
  const auto* name = test && test->args.size() == 1 ? std::get_if<ast::Identifier>(&test->args[0]->node) : nullptr;
  if (!asked || asked->name != "isempty" || !name || member.shared.count(name->name) == 0) return false;
  return std::ranges::all_of(branch->arms[0].body, [&](const ast::Statement& each) {
    const auto* assign = std::get_if<ast::Assign>(&each.node);
    if (!assign || assign->print) return false;
    std::set<std::string> read;
    read_names(*assign->value, read);
    return std::ranges::all_of(assign->targets,
                               [&](const ast::LValue& one) { return member.shared.count(one.name.text) != 0; }) &&
           std::ranges::none_of(read, [&](const std::string& name) { return member.variables.count(name) != 0; });
  });
}

}  // namespace

std::size_t opening_statements(const CycleMember& member) {
  const ast::Block& body = member.function.body;
  std::size_t count = 0;
  while (count < body.size() &&
         (std::holds_alternative<ast::Declaration>(body[count].node) || begins_shared(body[count], member)))
    ++count;
  return count;
}

const Functions& CallGraph::called_by(const ast::Function& function) {
  const auto [known, added] = known_.try_emplace(&function);
  if (!added) return known->second;
  const std::set<std::string> variables = variables_of(function);
  for (const auto& [name, count] : read_counts(function.body))
    if (const ast::Function* called = variables.count(name) == 0 ? find_(name, function) : nullptr)
      known->second.push_back(called);
  return known->second;
}

std::set<const ast::Function*> CallGraph::reached_from(const ast::Function& function) {
  std::set<const ast::Function*> reached;
  Functions open = {&function};
  while (!open.empty()) {
    const ast::Function* at = open.back();
    open.pop_back();
    for (const ast::Function* called : called_by(*at))
      if (reached.insert(called).second) open.push_back(called);
  }
  return reached;
}

Cycle cycle_of(const ast::Function& function, CallGraph& calls, const std::set<std::string>& shared_by_all) {
  const Functions all = members_of(function, calls);
  Cycle cycle;
  std::vector<std::map<std::string, std::string>> constants(all.size());
  for (const auto& [place, source] : constants_of(all, shared_by_all))
    constants[place.first][all[place.first]->params[place.second].name.text] = function.params[source].name.text;
  for (std::size_t i = 0; i < all.size(); ++i)
    cycle.push_back(member(*all[i], calls, all, constants[i], shared_by_all));
  const bool any_shared = std::ranges::any_of(cycle, [](const CycleMember& each) { return !each.shared.empty(); });
  if (any_shared && cycle.size() > 1)
    throw NoFlow{function.name.span, "a global or persistent variable of functions that call each other"};
  return cycle;
}

}  // namespace lac::frontend
