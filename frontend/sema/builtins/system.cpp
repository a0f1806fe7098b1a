// tic, toc, time, exit, read, write: what reaches outside the program.
#include "frontend/sema/builtins/files.h"
#include "frontend/sema/values/strings.h"
#include "ir/graph/signals.h"

namespace lac::frontend {
namespace {

ValueId clock_step(Call& call, LibraryFn fn, const std::vector<ValueId>& operands, Element element) {
  return call.emit.builder.library(fn, operands, {Type::scalar(element)})[0];
}

std::vector<Binding> time_of(Call& call) { return one(clock_step(call, LibraryFn::clock, {}, Element::real)); }

std::vector<Binding> tic(Call& call) {
  const ValueId started = clock_step(call, LibraryFn::tic, {}, Element::integer);
  if (call.nargout == 0) return {};
  return one(started);
}

std::vector<Binding> toc(Call& call) {
  std::vector<ValueId> operands;
  if (call.count() == 1) operands = {call.scalar(0)};
  const ValueId elapsed = clock_step(call, LibraryFn::toc, operands, Element::real);
  if (call.nargout > 0) return one(elapsed);
  Message message;
  message.format = "Elapsed time is %g seconds.\n";
  message.arguments.emplace_back(std::nullopt);
  call.emit.builder.format(std::move(message), {elapsed});
  return {};
}

// [total, user, system] = cputime: seconds that the program has computed
std::vector<Binding> cputime(Call& call) {
  Builder& b = call.emit.builder;
  const Type real = Type::scalar(Element::real);
  const std::vector<ValueId> used = b.library(LibraryFn::processor_time, {}, {real, real});
  return {Binding::matrix(b.map(ScalarOp::add, used[0], used[1])), Binding::matrix(used[0]), Binding::matrix(used[1])};
}

std::vector<Binding> utc_offset(Call& call) {
  return one(clock_step(call, LibraryFn::local_offset, {call.scalar(0)}, Element::real));
}

std::vector<Binding> exit_program(Call& call) {
  Emitter& e = call.emit;
  const ValueId status = call.count() > 0 ? call.scalar(0) : e.builder.constant(0, Element::integer);
  Message message;
  message.stream = Stream::err;
  message.id = std::string(exit_id);
  message.format = "%d";
  message.arguments.emplace_back(std::nullopt);
  e.builder.check(e.builder.constant(0, Element::logical), std::move(message), {status});
  return {};
}

// Matrix Market files in coordinate form are sparse, all else is dense; which it is is looked up while compiling, where
// that is allowed, so the file must exist then if it is sparse. sparse(read(...)) needs no look.
std::vector<Binding> read(Call& call) {
  Emitter& e = call.emit;
  const ValueId path = path_of(call, 0);
  Type type = Type::matrix(e.graph.precision, 0, 0);
  if (e.options.storage_of_file && call.args[0].is_known_text())
    type.storage = e.options.storage_of_file(call.args[0].text).value_or(Storage::dense);
  const auto extents =
      e.builder.library(LibraryFn::read_size, {path}, {Type::scalar(Element::integer), Type::scalar(Element::integer)});
  type.rows = size_found(e, extents[0]);
  type.cols = size_found(e, extents[1]);
  return one(e.builder.library(LibraryFn::read_matrix, {path}, {type})[0]);
}

std::vector<Binding> write(Call& call) {
  const ValueId path = path_of(call, 0);
  call.emit.builder.library(LibraryFn::write_matrix, {path, call.matrix(1)}, {});
  return {};
}

}  // namespace

std::span<const Builtin> system_builtins() {
  static constexpr Builtin entries[] = {
      {"cputime", 0, 0, 3, cputime},   {"utc_offset", 1, 1, 1, utc_offset},
      {"time", 0, 0, 1, time_of},      {"tic", 0, 0, 1, tic},
      {"toc", 0, 1, 1, toc},           {"exit", 0, 1, 0, exit_program},
      {"quit", 0, 1, 0, exit_program}, {"read", 1, 1, 1, read},
      {"write", 2, 2, 0, write},
  };
  return entries;
}

}  // namespace lac::frontend
