#include <algorithm>

#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/text/stage_writer.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::uint32_t block = 32;

// An element of x belongs to one invocation, which alone touches it in memory; the block's part of x is shared.
constexpr const char* substitution =
    R"(for (int column = int(gl_WorkGroupID.x); column < COLUMNS; column += int(gl_NumWorkGroups.x)) {
  for (int i = lane; i < N; i += width) X[column * N + AT(i)] = B[column * N + AT(i)];
  for (int start = 0; start < N; start += 32) {
    const int size = min(32, N - start);
    const int own = start - start % width + lane;
    const bool owner = own >= start && own < start + size;
    if (owner) SOLVED[own - start] = X[column * N + AT(own)];
    barrier();
    for (int j = 0; j < size; ++j) {
      if (lane == j) SOLVED[j] = SOLVED[j] / A[AT(start + j) + N * AT(start + j)];
      barrier();
      if (lane > j && lane < size) SOLVED[lane] -= A[AT(start + lane) + N * AT(start + j)] * SOLVED[j];
      barrier();
    }
    if (owner) X[column * N + AT(own)] = SOLVED[own - start];
    for (int i = start - start % width + lane; i < N; i += width) {
      if (i < start + size) continue;
      REAL sum = ZERO;
      int j = 0;
      for (; j + 8 <= size; j += 8) {
SUMS      }
      for (; j < size; ++j) sum += A[AT(i) + N * AT(start + j)] * SOLVED[j];
      X[column * N + AT(i)] = X[column * N + AT(i)] - sum;
    }
    barrier();
  }
})";

/// Eight terms a turn, in order.
std::string eight_sums() {
  std::string text;
  for (int n = 0; n < 8; ++n) {
    const std::string at = "j + " + std::to_string(n);
    text += "        sum += A[AT(i) + N * AT(start + " + at + ")] * SOLVED[" + at + "];\n";
  }
  return text;
}

/// Columns a workgroup, and in each: the right-hand side, then block after block; a block's own unknowns, and what they
/// contribute to all that follow, by at most seven turns of the two loops over j.
std::vector<LoopTurns> solve_turns(const Size& n, const Size& columns, std::int64_t width) {
  const TurnCount column = TurnCount::strided(columns, 1), blocks = TurnCount::over(n, block);
  return {{column},
          {column, TurnCount::over(n, width)},
          {column, blocks},
          {column, blocks, TurnCount::constant(block)},
          {column, blocks, TurnCount::over(n, width), TurnCount::constant(7)}};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `text` with each of these words replaced.
std::string with_words(std::string_view text, const std::vector<std::pair<std::string, std::string>>& words) {
  std::string result;
  for (std::size_t n = 0; n < text.size();) {
    std::size_t end = n;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == n) ++end;
    const std::string word(text.substr(n, end - n));
    const auto known = std::ranges::find(words, word, &std::pair<std::string, std::string>::first);
    result += known == words.end() ? word : known->second;
    n = end;
  }
  return result;
}

}  // namespace

KernelShaders emit_triangular_solve(const Graph& plan, OpId id, const GlslOptions& options) {
  const Op& op = plan.ops[id];
  const Type &a = plan.type(op.operands[0]), &x = plan.type(op.results[0]);
  const std::string name = "solve_" + std::to_string(id.index);
  const bool lower = a.properties.has(Property::lower);
  StageWriter writer(plan, options, name, StageKind::main, {lower ? "forward substitution" : "backward substitution"});
  for (const char* own : {"column", "own", "owner", "size", "solved", "start", "sum", "width"})
    writer.local(own);  // no array of the program's may have these names
  const std::string type(register_type(x.element));
  const auto named = [&](ValueId value, const char* other) {
    return plan.values[value].name.empty() ? std::string(other) : plan.values[value].name;
  };
  if (taken_over(op, 0) >= 0)
    for (std::uint32_t n : {0u, 1u}) writer.may_alias(n == 0 ? ResourceKind::output : ResourceKind::values, n);
  const std::string matrix = writer.buffer(ResourceKind::values, 0, type, named(op.operands[0], "a"), true, false);
  const std::string right = writer.buffer(ResourceKind::values, 1, type, named(op.operands[1], "b"), true, false);
  const std::string to = writer.buffer(ResourceKind::output, 0, type, named(op.results[0], "x"), true, true);
  const std::string n = writer.size(a.rows), columns = writer.size(x.cols);
  const std::uint32_t width = std::max(workgroup_size, block);
  const std::string solved = writer.shared_array("solved", type, block);
  writer.declare("lac_at", "// Row and column numbers in the order of the substitution.\nint lac_at(int i) { return " +
                               (lower ? "i" : n + " - 1 - i") + "; }");
  writer.head("const int lane = int(gl_LocalInvocationID.x), width = " + std::to_string(width) + ";");
  std::string text = substitution;
  const std::string mark = "SUMS";
  text.replace(text.find(mark), mark.size(), eight_sums());
  writer.text_with_loops(with_words(text, {{"COLUMNS", columns},
                                           {"N", n},
                                           {"AT", "lac_at"},
                                           {"A", matrix},
                                           {"B", right},
                                           {"X", to},
                                           {"SOLVED", solved},
                                           {"REAL", type},
                                           {"ZERO", literal_text(0, x.element)}}),
                         solve_turns(a.rows, x.cols, width));
  KernelShaders shaders;
  shaders.name = name;
  const GroupCount groups = {.elements = x.cols, .per_group = 1, .most = 16384};
  shaders.stages.push_back(writer.finish({groups, {}, {}}, {width, 1, 1}));
  return shaders;
}

}  // namespace lac::codegen::glsl
