// tic, toc, time, exit, read, write, imwrite: what reaches outside the program.
#include "frontend/sema/builtins/files.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
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

// A picture of grey values, or of positions in a colour map: uint8 positions count from 0, others from 1.
std::vector<Binding> imwrite(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Binding& image = call.args[0];
  if (call.count() == 3 && call.is_text(1)) {
    if (call.text(2) != "png") call.fail("only PNG pictures can be written, not \"" + call.text(2) + "\"");
    call.args.pop_back();
  }
  const bool mapped = call.count() == 3;
  const ValueId path = path_of(call, call.count() - 1);
  ValueId samples, colours = b.text("");
  if (image.is_integer()) {
    if (image.integer_class != IntegerClass::uint8) call.fail("a picture of integers must be of class uint8 here");
    samples = image.value;
  } else {
    const ValueId value = call.dense(0);
    const Element element = call.type(value).element;
    const auto apply = [&](ScalarOp op, double number) {
      return elementwise(e, op, {value, b.constant(number, element)}, call.span, "imwrite");
    };
    if (element == Element::logical)
      samples = b.map(ScalarOp::mul, b.convert(value, Element::integer), b.constant(255, Element::integer));
    else samples = mapped ? apply(ScalarOp::sub, 1) : apply(ScalarOp::mul, 255);
  }
  if (mapped) {
    colours = call.dense(1);
    const Type t = call.type(colours), ts = call.type(samples);
    require_equal(e, t.cols, 3, call.span, "imwrite: a colormap has three columns", {},
                  "imwrite: a colormap has three columns");
    e.require(b.map(ScalarOp::le, b.size(t.rows), b.constant(256, Element::integer)),
              "imwrite: a colormap has at most 256 colors", {});
    const auto extreme = [&](ReduceOp op) { return ts.is_scalar() ? samples : b.reduce(samples, {op, Axis::all}); };
    const ValueId least = extreme(ReduceOp::min), most = extreme(ReduceOp::max);
    const ValueId inside =
        b.map(ScalarOp::logical_and, b.map(ScalarOp::ge, least, b.constant(0, call.type(least).element)),
              b.map(ScalarOp::lt, most, b.size(t.rows)));
    e.require(inside, "imwrite: the image has positions outside the colormap of %d colors", {b.size(t.rows)});
  }
  b.library(LibraryFn::write_picture, {path, samples, colours}, {});
  return {};
}

constexpr Builtin entries[] = {
    {"cputime", 0, 0, 3, cputime},   {"utc_offset", 1, 1, 1, utc_offset},
    {"time", 0, 0, 1, time_of},      {"tic", 0, 0, 1, tic},
    {"toc", 0, 1, 1, toc},           {"exit", 0, 1, 0, exit_program},
    {"quit", 0, 1, 0, exit_program}, {"read", 1, 1, 1, read},
    {"write", 2, 2, 0, write},       {"imwrite", 2, 3, 0, imwrite},
};

}  // namespace

std::span<const Builtin> system_builtins() { return entries; }

}  // namespace lac::frontend
