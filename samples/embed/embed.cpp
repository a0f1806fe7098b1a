// A host program: an expression on the host's own arrays, without a copy; a mistake as a value.
#include <cstdio>
#include <lac/lac.hpp>
#include <vector>

int main() {
  std::vector<double> a = {1, 2, 3, 4, 5, 6}, x = {10, 20, 30};  // a is 2x3, column by column
  auto program = lac::api::Program::from_text("param A(m, n)\nparam x(n, 1)\noutput y\ny = A * x + 1;", "axpy.la");
  lac::api::Arguments arguments;
  arguments.matrix("A", a.data(), 2, 3).matrix("x", x.data(), 3, 1);
  const lac::api::Result result = program.run(arguments);
  if (!result.ok()) return std::fputs(result.message().c_str(), stderr), 1;
  const lac::api::Matrix& y = *result.output("y");
  std::printf(
      "y = [%g %g], %s\n", y.at(0, 0), y.at(1, 0),
      result.input("A")->data() == a.data() && result.input("x")->data() == x.data() ? "nothing copied" : "copied");
  arguments.matrix("x", x.data(), 2, 1);  // the wrong shape
  const lac::api::Result wrong = program.run(arguments);
  std::printf("%s:%u: %s\n", wrong.diagnostics()[0].file.c_str(), wrong.diagnostics()[0].line,
              wrong.diagnostics()[0].message.c_str());
  return wrong.ok() ? 1 : 0;
}
