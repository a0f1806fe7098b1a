// What a file declares to the outside: its param, output and precision lines.
#include <algorithm>
#include <set>

#include "frontend/lower.h"
#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

// Words of a param line that describe storage or are claims.
void read_property(const ast::Name& word, ParameterInfo& info, Diagnostics& diagnostics) {
  info.properties.push_back(word.text);
  if (word.text == "sparse") {
    info.claims_sparse = true;
    return;
  }
  std::vector<std::string> known = {"sparse"};
  for (const PropertyName& entry : property_names()) {
    if (entry.name == word.text) {
      info.claims.add(entry.property);
      return;
    }
    known.emplace_back(entry.name);
  }
  const std::string near = nearest_name(word.text, known);
  diagnostics.error(word.span, "unknown property '" + word.text + "' of a param" +
                                   (near.empty() ? "; known are sparse, symmetric, spd, lower, upper, orthogonal"
                                                 : "; did you mean '" + near + "'?"));
}

// A default can be evaluated and bound before compiling when it mentions no parameter or other variable.
bool is_constant(const ast::Expr& expr, const std::set<std::string>& declared) {
  std::set<std::string> names;
  read_names(expr, names);
  return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return declared.count(name) != 0; });
}

void read_parameter(const ast::Param& node, const SourceManager& sources, std::set<std::string>& declared,
                    Interface& interface, Diagnostics& diagnostics) {
  ParameterInfo info;
  info.name = node.name.text;
  info.span = node.name.span;
  for (const ParameterInfo& other : interface.parameters)
    if (other.name == info.name)
      diagnostics.error(info.span, "param " + info.name + " is declared twice")
          .notes.push_back({other.span, "first declared here"});
  info.is_matrix = node.dims.has_value();
  if (node.dims) {
    if (node.dims->size() > 2)
      diagnostics.error(info.span,
                        "param " + info.name + " has more than two dimensions: pass a matrix, and reshape it");
    for (const ast::ExprPtr& dim : *node.dims) {
      info.dims += (info.dims.empty() ? "(" : ", ") + std::string(sources.text(dim->span));
      std::set<std::string> names;
      read_names(*dim, names);
      declared.insert(names.begin(), names.end());
    }
    info.dims += ")";
  }
  for (const ast::Name& word : node.properties) read_property(word, info, diagnostics);
  info.default_value = node.default_value;
  if (node.default_value) {
    info.default_text = std::string(sources.text(node.default_value->span));
    info.constant_default = is_constant(*node.default_value, declared);
  }
  info.comment = node.comment;
  declared.insert(info.name);
  interface.parameters.push_back(std::move(info));
}

void read_precision(const ast::Name& word, Interface& interface, Diagnostics& diagnostics) {
  if (word.text == "single") interface.precision = Element::single;
  else if (word.text == "double") interface.precision = Element::real;
  else
    diagnostics.error(word.span, "unknown precision '" + word.text + "'; say 'precision single' or 'precision double'");
}

}  // namespace

Interface interface_of(const ast::Program& program, const SourceManager& sources, Diagnostics& diagnostics) {
  Interface interface;
  interface.help = program.help;
  std::set<std::string> declared;
  for (const ast::Statement& statement : program.statements) {
    if (const auto* param = std::get_if<ast::Param>(&statement.node))
      read_parameter(*param, sources, declared, interface, diagnostics);
    if (const auto* precision = std::get_if<ast::Precision>(&statement.node))
      read_precision(precision->name, interface, diagnostics);
    if (const auto* output = std::get_if<ast::Output>(&statement.node))
      for (const ast::Name& name : output->names) interface.outputs.push_back(name.text);
  }
  return interface;
}

}  // namespace lac::frontend
