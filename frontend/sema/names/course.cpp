#include "frontend/sema/names/course.h"

#include <cmath>
#include <variant>

#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

bool is_name(const ast::Expr& expr, const std::string& name) {
  const auto* identifier = std::get_if<ast::Identifier>(&ast::strip_parens(expr).node);
  return identifier != nullptr && identifier->name == name;
}

bool is_whole(const ast::Expr& expr) {
  const auto* number = std::get_if<ast::Number>(&ast::strip_parens(expr).node);
  return number != nullptr && number->value >= 0 && std::trunc(number->value) == number->value;
}

std::optional<Course> course_by(ast::BinaryOp op) {
  if (op == ast::BinaryOp::add) return Course::rises;
  if (op == ast::BinaryOp::subtract) return Course::falls;
  return std::nullopt;
}

std::optional<Course> course_of(const std::string& name, const ast::Assign& assign) {
  const bool alone = assign.targets.size() == 1 && assign.chained.empty() && !assign.bracketed &&
                     !assign.targets.front().is_part() && assign.targets.front().name.text == name;
  if (!alone) return std::nullopt;
  if (assign.op) return is_whole(*assign.value) ? course_by(*assign.op) : std::nullopt;
  const auto* sum = std::get_if<ast::Binary>(&ast::strip_parens(*assign.value).node);
  if (sum == nullptr) return std::nullopt;
  const bool plus_number = is_name(*sum->left, name) && is_whole(*sum->right);
  const bool number_plus = sum->op == ast::BinaryOp::add && is_whole(*sum->left) && is_name(*sum->right, name);
  return plus_number || number_plus ? course_by(sum->op) : std::nullopt;
}

/// Whether the statement itself, apart from its blocks, assigns the variable.
bool assigns_itself(const std::string& name, const ast::Statement& statement) {
  bool found = false;
  if (const auto* over = std::get_if<ast::For>(&statement.node))
    found = over->variable.name.text == name || (over->key && over->key->name.text == name);
  if (const auto* attempt = std::get_if<ast::Try>(&statement.node)) found = attempt->error.text == name;
  for_each_expression(statement, [&](const ast::Expr& expr) {
    std::set<std::string> stepped;
    assigned_names(expr, stepped);
    found = found || stepped.count(name) != 0;
  });
  return found;
}

/// All that is met goes the same way.
class CourseWalk {
 public:
  explicit CourseWalk(const std::string& name) : name_(name) {}

  void over(const ast::Block& block) {
    for (const ast::Statement& statement : block)
      if (assigned_names({statement}).count(name_) != 0) meet(statement);
  }
  std::optional<Course> result() const { return mixed_ ? std::nullopt : course_; }

 private:
  void meet(const ast::Statement& statement) {
    if (const auto* assign = std::get_if<ast::Assign>(&statement.node)) return add(course_of(name_, *assign));
    if (const auto* step = std::get_if<ast::IncDec>(&statement.node)) {
      const bool whole = !step->target.is_part() && step->target.name.text == name_;
      return add(whole ? std::optional(step->increment ? Course::rises : Course::falls) : std::nullopt);
    }
    bool has_blocks = false;
    for_each_inner_block(statement, [&](const ast::Block& block) {
      has_blocks = true;
      over(block);
    });
    if (!has_blocks || assigns_itself(name_, statement)) add(std::nullopt);
  }

  void add(std::optional<Course> course) {
    mixed_ = mixed_ || !course || (course_ && *course_ != *course);
    course_ = course;
  }

  const std::string& name_;
  std::optional<Course> course_;
  bool mixed_ = false;
};

}  // namespace

std::optional<Course> course_of(const std::string& name, const ast::Block& block) {
  CourseWalk walk(name);
  walk.over(block);
  return walk.result();
}

}  // namespace lac::frontend
