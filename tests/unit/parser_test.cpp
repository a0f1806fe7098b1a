#include "frontend/parser.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "frontend/ast/print.h"

using namespace lac;
using namespace lac::frontend;

namespace {

struct Parsed {
  SourceManager sources;
  Diagnostics diagnostics;
  std::optional<ast::Program> program;

  explicit Parsed(const std::string& text) {
    const FileId file = sources.add("test.la", text);
    program = parse(file, sources, diagnostics);
  }

  /// "line:column: message" of every error.
  std::vector<std::string> errors() const {
    std::vector<std::string> out;
    for (const Diagnostic& item : diagnostics.items()) {
      const LineColumn at = sources.begin(item.span);
      out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + item.message);
    }
    return out;
  }

  std::string error() const { return errors().empty() ? "" : errors().front(); }
};

std::string source(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("-e", text);
  const ast::ExprPtr expr = parse_expression(file, sources, diagnostics);
  return expr ? ast::source_of(*expr) : "error: " + diagnostics.items().front().message;
}

std::string tree(const std::string& text) {
  const Parsed parsed(text);
  return parsed.program ? ast::print(*parsed.program) : "error: " + parsed.error();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Pair {
  const char* text;
  const char* expected;
};

// Checked against Octave 7: original and parenthesised form have equal values.
const Pair precedence[] = {
    {"2^-1", "(2 ^ (-1))"},
    {"-2^2", "(-(2 ^ 2))"},
    {"!x==y", "((!x) == y)"},
    {"a'^2", "((a') ^ 2)"},
    {"2^3'", "((2 ^ 3)')"},
    {"2^-3^2", "((2 ^ (-3)) ^ 2)"},
    {"2^3^2", "((2 ^ 3) ^ 2)"},
    {"2^2'^2", "(((2 ^ 2)') ^ 2)"},
    {"2^!x+1", "((2 ^ (!x)) + 1)"},
    {"2.^-v", "(2 .^ (-v))"},
    {"-v'", "(-(v'))"},
    {"- -x", "(-(-x))"},
    {"-x*y", "((-x) * y)"},
    {"x/-y^2", "(x / (-(y ^ 2)))"},
    {"x^-y*z", "((x ^ (-y)) * z)"},
    {"1:3+1", "(1:(3 + 1))"},
    {"1:3==1:3", "((1:3) == (1:3))"},
    {"n:-1:1", "(n:(-1):1)"},
    {"x+1:y+2", "((x + 1):(y + 2))"},
    {"1<2<3", "((1 < 2) < 3)"},
    {"1|0&0", "(1 | (0 & 0))"},
    {"1||0&&0", "(1 || (0 && 0))"},
    {"1|0&&0", "((1 | 0) && 0)"},
    {"1&0==0", "(1 & (0 == 0))"},
    {"x-y-z", "((x - y) - z)"},
    {"x\\y*z", "((x \\ y) * z)"},
    {"x.\\y.*z", "((x .\\ y) .* z)"},
    {"v.'*v", "((v.') * v)"},
    {"x**2", "(x ^ 2)"},
    {"x~=y", "(x != y)"},
    {"~x~=y", "((!x) != y)"},
    {"x++", "(x++)"},
    {"2*++x", "(2 * (++x))"},
};

const Pair forms[] = {
    {"[1 -2]", "[1, (-2)]"},
    {"[1 - 2]", "[(1 - 2)]"},
    {"[a' b']", "[(a'), (b')]"},
    {"[f (1)]", "[f, (1)]"},
    {"[a ', b']", "[a, ', b']"},
    {"[1,2;3,4](1,:)", "[1, 2; 3, 4](1, :)"},
    {"[1,2,;3,4;]", "[1, 2; 3, 4]"},
    {"[,1]", "[1]"},
    {"[]", "[]"},
    {"[,]", "[]"},
    {"[1;;2]", "[1; 2]"},
    {"x(:)'", "(x(:)')"},
    {"f(x)(2)", "f(x)(2)"},
    {"f()", "f()"},
    {"eye(n)(p, :)", "eye(n)(p, :)"},
    {"V(:, end-1)", "V(:, (end - 1))"},
    {"v([1 end])", "v([1, end])"},
    {"@(x, ~) x + 1", "(@(x, ~) (x + 1))"},
    {"@() 1", "(@() 1)"},
    {"@cg", "@cg"},
    {"pcg(@(x) A*x, b)", "pcg((@(x) (A * x)), b)"},
    {"(@(t) t+1)(2)", "(@(t) (t + 1))(2)"},
    {"((x))", "(x)"},
    {"\"a\\tb\"", "\"a\\tb\""},
    {"'it''s'", "'it''s'"},
    {"0x1f + .5", "(0x1fu8 + 0.5)"},
    {"(1 +\n2)", "(1 + 2)"},
};

}  // namespace

TEST_CASE("precedence and associativity are Octave's") {
  for (const Pair& pair : precedence) CHECK(source(pair.text) == pair.expected);
}

TEST_CASE("every form of expression parses") {
  for (const Pair& pair : forms) CHECK(source(pair.text) == pair.expected);
}

TEST_CASE("the parenthesised form parses back to itself") {
  for (const auto* table : {&precedence[0], &forms[0]}) {
    const std::size_t size = table == precedence ? std::size(precedence) : std::size(forms);
    for (std::size_t i = 0; i < size; ++i) CHECK(source(table[i].expected) == table[i].expected);
  }
}

TEST_CASE("spans cover what was written") {
  const Parsed parsed("y = a + f(x)' ;\n");
  REQUIRE(parsed.program);
  const ast::Statement& statement = parsed.program->statements.front();
  CHECK(parsed.sources.text(statement.span) == "y = a + f(x)'");
  const auto& assign = std::get<ast::Assign>(statement.node);
  CHECK(parsed.sources.text(assign.op_span) == "=");
  CHECK(parsed.sources.text(assign.targets.front().span) == "y");
  const auto& sum = std::get<ast::Binary>(assign.value->node);
  CHECK(parsed.sources.text(assign.value->span) == "a + f(x)'");
  CHECK(parsed.sources.text(sum.op_span) == "+");
  const auto& transpose = std::get<ast::Postfix>(sum.right->node);
  CHECK(parsed.sources.text(transpose.op_span) == "'");
  CHECK(parsed.sources.text(std::get<ast::Index>(transpose.operand->node).args_span) == "(x)");
  CHECK_FALSE(assign.print);
}

TEST_CASE("assignments") {
  CHECK(tree("x = 1") == "program\n  assign = (printed)\n    target x\n    number 1\n");
  CHECK(tree("x(2, :) -= y;") ==
        "program\n  assign -=\n    target x\n      args\n        number 2\n        colon\n    name y\n");
  CHECK(tree("[a, ~] = f(x);") ==
        "program\n  assign =\n    target a\n    target ~\n    index\n      name f\n      args\n"
        "        name x\n");
  CHECK(tree("k++;") == "program\n  postfix ++\n    target k\n");
  CHECK(tree("--k") == "program\n  prefix -- (printed)\n    target k\n");
  for (const char* op : {"+=", "-=", "*=", "/=", "\\=", ".*=", "./=", "^=", ".^=", "|=", "&="}) {
    CHECK(contains(tree(std::string("x ") + op + " 2;"), std::string("assign ") + op + "\n"));
  }
  const Parsed several("[a b(1)] = f(x), [c] = g(y);");
  REQUIRE(several.program);
  const auto& first = std::get<ast::Assign>(several.program->statements[0].node);
  CHECK(first.targets.size() == 2);
  CHECK(first.print);
  CHECK(std::get<ast::Assign>(several.program->statements[1].node).bracketed);
}

TEST_CASE("control flow and every closing word") {
  CHECK(tree("if a, x; elseif b, y; else z; end") ==
        "program\n  if\n    arm\n      name a\n    then\n      expression\n        name x\n    arm\n      name b\n"
        "    then\n      expression\n        name y\n    else\n    then\n      expression\n        name z\n");
  CHECK(tree("for k = 1:3\n k\nendfor") ==
        "program\n  for\n    target k\n    range\n      number 1\n      number 3\n  do\n    expression (printed)\n"
        "      name k\n");
  for (const char* text :
       {"while x > 1, x -= 1; endwhile", "do x++; until x > 3", "do\n x++;\nuntil (x > 3)\ny", "if a x, endif",
        "for (k = 1:3) k, end", "for k = [1 2] k, end", "for c = A, c, endfor", "while 1 break end",
        "while 1, if x, continue, end, end", "function f, return, endfunction\nf", "if (1) -1, end", "if 1, x = 1 end",
        "while true % c\n % c\n x;\n\nend % c", "1;;2,,3"}) {
    INFO(tree(text));
    CHECK(Parsed(text).program);
  }
}

TEST_CASE("functions") {
  const Parsed parsed(
      "function [a, b] = f(x, ~)\n  a = x; b = 1;\nend\nfunction g\nend\nfunction r = h()\n r = 1;\n"
      "endfunction\nx = f(1)\n");
  REQUIRE(parsed.program);
  const ast::Program& program = *parsed.program;
  REQUIRE(program.functions.size() == 3);
  CHECK(program.statements.size() == 1);
  CHECK(program.functions[0].outs.size() == 2);
  CHECK(program.functions[0].params[1].ignored);
  CHECK(parsed.sources.text(program.functions[0].signature) == "a, b] = f(x, ~)");
  CHECK(program.functions[1].name.text == "g");
  CHECK(program.functions[2].outs[0].text == "r");
}

TEST_CASE("the three added words") {
  const Parsed parsed(
      "% Solves A x = b.\n\nparam A(n, n) sparse spd % the matrix\nparam b(n, 1)\nparam tol = 1e-6 # how exact\n"
      "output x k\nprecision single\n");
  REQUIRE(parsed.program);
  const ast::Block& all = parsed.program->statements;
  const auto& a = std::get<ast::Param>(all[0].node);
  CHECK(a.name.text == "A");
  REQUIRE(a.dims);
  CHECK(a.dims->size() == 2);
  CHECK(a.properties.size() == 2);
  CHECK(a.comment == "the matrix");
  const auto& tol = std::get<ast::Param>(all[2].node);
  CHECK(ast::source_of(*tol.default_value) == "1e-06");
  CHECK(tol.comment == "how exact");
  CHECK(std::get<ast::Output>(all[3].node).names.size() == 2);
  CHECK(std::get<ast::Precision>(all[4].node).name.text == "single");
  CHECK(parsed.program->help == "Solves A x = b.\n");
  CHECK(Parsed("param = 3; output = param; precision = [output 1];").program);
}

TEST_CASE("errors name the construct and its place") {
  const Pair cases[] = {
      {"while x\n y = 1;\n",
       "3:1: expected 'end' or 'endwhile' to close the 'while' at line 1, found the end of the file"},
      {"x = 3 +\n", "1:8: expected an expression after '+', found the end of the line"},
      {"x = (1 + 2\ny = 3", "1:11: expected ')' to close the '(', found the end of the line"},
      {"x = [1, 2)\n", "1:10: expected ']' to close the '[', found ')'"},
      {"x = 3 4", "1:7: expected an operator or the end of the statement, found '4'"},
      {"end", "1:1: 'end' closes nothing: no block is open"},
      {"for k = 1:3\nendwhile", "2:1: expected 'end' or 'endfor' to close the 'for' at line 1, found 'endwhile'"},
      {"if x = 1, end", "1:6: an assignment within an expression stands in parentheses; to compare, write '=='"},
      {"a = [b = 3]", "1:8: an assignment within an expression stands in parentheses; to compare, write '=='"},
      {"a = (3 = b)", "1:6: the target of '=' must be a variable, 'x' or 'x(indices)'; to compare, write '=='"},
      {"f = @() (b = 3)", "1:12: an anonymous function assigns nothing: write a function"},
      {"3 = x", "1:1: the target of '=' must be a variable, 'x' or 'x(indices)'; to compare, write '=='"},
      {"x(1)(2) = 3", "1:1: a chain of indices cannot be assigned to: index once"},
      {"param n = 3;", "1:12: a line with 'param' ends without ';'"},
      {"if 1\n param n\nend", "2:2: 'param' belongs at the top level of the file, outside the 'if' at line 1"},
      {"break", "1:1: 'break' outside a loop"},
      {"x = @", "1:5: expected an expression after '=', found '@'"},
      {"x = [1, end]", "1:9: 'end' outside the index of a variable"},
      {"else", "1:1: 'else' without 'if'"},
      {"5++", "1:1: the operand of '++' must be a variable"},
      {"c{1}(2)(3) = 4", "1:1: a chain of indices cannot be assigned to: index once"},
      {"switch 3\n x = 1;\n case 3\nend", "2:2: statements stand before the first 'case'"},
      {"case 3", "1:1: 'case' without 'switch'"},
      {"f(1,)", "1:5: expected an argument after ',', found ')'"},
      {"[] = f(1)", "1:1: '[ ]' names no target"},
      {"x = {1, 2", "1:10: expected '}' to close the '{', found the end of the file"},
      {"[~.x] = f(1)", "1:3: unexpected '.'"},
      {"s.3 = 1", "1:2: expected an operator or the end of the statement, found '.3'"},
      {"do\n x++;\nend", "3:1: expected 'until' to close the 'do' at line 1, found 'end'"},
  };
  for (const Pair& item : cases) {
    const Parsed parsed(item.text);
    CHECK_FALSE(parsed.program);
    CHECK(parsed.error() == item.expected);
  }
}

TEST_CASE("words of Octave outside the language are refused once, with their whole block") {
  const Parsed loop("parfor x\n  if a, b, end\n y(\nend\nz = 1;\nw = 2");
  CHECK(loop.errors().size() == 1);
  CHECK(contains(loop.error(), "outside the language"));
  for (const char* text : {"classdef c\nmethods\nend\nend"}) {
    INFO(text);
    CHECK(Parsed(text).errors().size() == 1);
    CHECK(contains(Parsed(text).error(), "outside the language"));
  }
}

TEST_CASE("one run shows several errors and no false ones") {
  const Parsed parsed(
      "x = (1 + 2\nif y ==\n  z = 1 1\nelse\n  w = [1 2\nend\nfoo on\nfor\n  k\nend\ny = 'abc\nv = 3;\n");
  const std::vector<std::string> errors = parsed.errors();
  REQUIRE(errors.size() == 7);
  CHECK(contains(errors[0], "1:11: expected ')'"));
  CHECK(contains(errors[1], "2:8: expected an expression after '=='"));
  CHECK(contains(errors[2], "3:9: expected an operator"));
  CHECK(contains(errors[3], "5:11: expected ']'"));
  CHECK(contains(errors[4], "7:1: command syntax"));
  CHECK(contains(errors[5], "8:4: expected a variable"));
  CHECK(contains(errors[6], "11:5: this string is not closed"));
}

TEST_CASE("errors stop at a limit") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x = )\n";
  CHECK(Parsed(text).errors().size() == 21);
  CHECK(contains(Parsed(text).errors().back(), "too many errors"));
}

TEST_CASE("nesting is limited, never a crash") {
  const auto repeat = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  CHECK(Parsed("x = " + repeat("(", 400) + "1" + repeat(")", 400)).program);
  for (const std::string opener : {"(", "[", "- ", "!", "f(", "2^(-", "@() ", "x(1, "}) {
    INFO(opener);
    CHECK(contains(Parsed("x = " + repeat(opener, 100000)).error(), "nested more than 500 deep"));
  }
  CHECK(Parsed("x = 1" + repeat(" + 1", 900)).program);
  CHECK(contains(Parsed("x = 1" + repeat(" + 1", 100000)).error(), "more than 1000 operators"));
  CHECK(contains(Parsed("x = y" + repeat("'", 100000)).error(), "more than 1000 operators"));
  CHECK(contains(Parsed("x = y" + repeat("(1)", 100000)).error(), "more than 1000 operators"));
  CHECK(Parsed(repeat("if 1\n", 400) + repeat("end\n", 400)).program);
  const Parsed deep(repeat("while 1\n", 100000));
  CHECK(deep.errors().size() <= 3);
  CHECK(contains(deep.error(), "blocks are nested more than 500 deep"));
}

TEST_CASE("any bytes give messages") {
  std::string bytes;
  unsigned state = 12345;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  CHECK_FALSE(Parsed(bytes).program);
  const std::string words[] = {"x",         "1",      "(",   ")",      "[",      "]",       "'",  "\"",    "=",
                               "+",         "end",    "if ", "for ",   "while ", "\n",      ";",  ",",     "@",
                               "function ", "param ", "do ", "until ", "else",   "{",       "}",  ".",     "...",
                               "%",         "%{\n",   "~",   ":",      " ",      "switch ", "++", "return"};
  for (int trial = 0; trial < 300; ++trial) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525u + 1013904223u;
      text += words[(state >> 16) % std::size(words)];
    }
    const Parsed parsed(text);
    CHECK(parsed.program.has_value() == parsed.errors().empty());
  }
}

TEST_CASE("a lone expression takes neither statements nor rest") {
  CHECK(source("x -1") == "(x - 1)");
  CHECK(source("ones(3, 1)\n") == "ones(3, 1)");
  CHECK(contains(source(""), "expected an expression"));
  CHECK(contains(source("1 2"), "expected an operator or the end of the expression"));
  CHECK(contains(source("x = 1"), "an assignment within an expression"));
  CHECK(contains(source("param n"), "expected an operator"));
}
