// fopen, fclose, fgetl, ...: files by their numbers, texts and tables of files, and what there is of a name.
#include "frontend/sema/builtins/files.h"

#include <algorithm>
#include <iterator>

#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {

ValueId path_of(Call& call, std::size_t at) {
  if (!call.is_text(at)) call.fail("the name of the file must be a string");
  return codes(call.emit, call.args[at]);
}

std::optional<Stream> stream_of(Call& call, std::size_t at) {
  if (!call.args[at].is_matrix()) call.emit.fail(call.span, "file id must be a number, as fopen gives it");
  const auto number = call.emit.constant_of(call.scalar(at));
  if (number == 1.0) return Stream::out;
  if (number == 2.0) return Stream::err;
  return std::nullopt;
}

ValueId file_number(Call& call, std::size_t at) {
  Emitter& e = call.emit;
  const ValueId number = e.builder.convert(call.scalar(at), Element::integer);
  if (!e.errors) return number;  // the step says the same
  const ValueId open = e.builder.library(LibraryFn::file_is_open, {number}, {Type::scalar(Element::logical)})[0];
  e.require(open, call.name + ": invalid stream number = %d", {number});
  return number;
}

void write_to_file(Call& call, ValueId number, ValueId text) {
  call.emit.builder.library(LibraryFn::file_write, {number, text, call.emit.builder.text(call.name)}, {});
}

ValueId kind_of_path(Call& call, std::size_t at) {
  return call.emit.builder.library(LibraryFn::file_kind, {path_of(call, at)}, {Type::scalar(Element::integer)})[0];
}

ValueId is_path_of(Call& call, std::size_t at, PathKind kind) {
  const ValueId wanted = call.emit.builder.constant(static_cast<double>(kind), Element::integer);
  return call.emit.builder.map(ScalarOp::eq, kind_of_path(call, at), wanted);
}

void require_file(Call& call, const std::string& complaint) {
  Emitter& e = call.emit;
  if (!e.errors) return;
  e.require(is_path_of(call, 0, PathKind::file), complaint, {});
}

std::string path_key(const Binding& path) {
  return path.is_known_text() ? "=" + path.text : "#" + std::to_string(path.value.index);
}

namespace {

ValueId zero(Call& call) { return call.emit.builder.constant(0, Element::integer); }

ValueId step(Call& call, LibraryFn fn, const std::vector<ValueId>& operands, Element element = Element::integer) {
  return call.emit.builder.library(fn, operands, {Type::scalar(element)})[0];
}

// [number, problem] = fopen(path, mode)
std::vector<Binding> open_file(Call& call) {
  Emitter& e = call.emit;
  if (call.count() > 1 && !call.is_text(1)) call.fail("MODE must be a string");
  const ValueId mode = call.count() > 1 ? codes(e, call.args[1]) : e.builder.text("r");
  std::vector<Binding> results = one(step(call, LibraryFn::file_open, {path_of(call, 0), mode}));
  if (call.nargout > 1)
    results.push_back(text_step_or_nothing(e, LibraryFn::file_problem, LibraryFn::file_problem_length, {}, 1, false));
  return results;
}

// fclose(number), fclose("all")
std::vector<Binding> close_file(Call& call) {
  std::vector<ValueId> numbers;
  if (!call.is_text(0)) numbers = {file_number(call, 0)};
  else if (call.text(0) != "all") call.fail("a file is closed by its number, all of them by \"all\"");
  call.emit.builder.library(LibraryFn::file_close, numbers, {});
  return one(zero(call));
}

std::vector<Binding> at_end(Call& call) {
  return one(step(call, LibraryFn::file_at_end, {file_number(call, 0)}, Element::logical));
}

std::vector<Binding> rewind_file(Call& call) {
  call.emit.builder.library(LibraryFn::file_rewind, {file_number(call, 0)}, {});
  return call.nargout > 0 ? one(zero(call)) : std::vector<Binding>{};
}

// [line, count] = fgetl(number), fgets(number): -1 behind the last line
std::vector<Binding> next_line(Call& call) {
  Emitter& e = call.emit;
  e.lines_may_end = true;
  const std::vector<ValueId> operands = {file_number(call, 0), e.builder.text(call.name)};
  const Binding line = text_step_or_nothing(e, LibraryFn::file_line, LibraryFn::file_line_length, operands, 1, false);
  std::vector<Binding> results = {line};
  if (call.nargout > 1) {
    const ValueId count = e.builder.size(call.type(line.value).count());
    results.push_back(Binding::matrix(e.builder.map(ScalarOp::select, {is_end_of_file(e, line), zero(call), count})));
  }
  return results;
}

std::vector<Binding> text_of_file(Call& call) {
  require_file(call, "fileread: cannot open file");
  return {text_step(call.emit, LibraryFn::file_text, LibraryFn::file_text_length, {path_of(call, 0)}, 1, false)};
}

// [x, n] = fscanf(number, template, size)
std::vector<Binding> scan_file(Call& call) {
  Emitter& e = call.emit;
  const std::vector<ValueId> wanted = numbers_wanted(call);
  std::vector<ValueId> operands = {file_number(call, 0)};
  operands.insert(operands.end(), wanted.begin(), wanted.end());
  const Type count = Type::scalar(Element::integer);
  const std::vector<ValueId> found = e.builder.library(LibraryFn::file_scan_size, operands, {count, count, count});
  const Type numbers = Type::matrix(e.graph.precision, size_found(e, found[0]), size_found(e, found[1]));
  std::vector<Binding> results = one(e.builder.library(LibraryFn::file_scan, operands, {numbers})[0]);
  if (call.nargout > 1) results.push_back(Binding::matrix(found[2]));
  return results;
}

std::vector<Binding> tell(Call& call) { return one(step(call, LibraryFn::file_tell, {file_number(call, 0)})); }

constexpr std::string_view origins[] = {"bof", "cof", "eof"};

// SEEK_SET, SEEK_CUR, SEEK_END
std::vector<Binding> origin(Call& call) {
  constexpr std::string_view names[] = {"SEEK_SET", "SEEK_CUR", "SEEK_END"};
  const auto at = std::ranges::find(names, call.name) - std::begin(names);
  return one(call.emit.builder.constant(static_cast<double>(at), Element::integer));
}

// fseek(number, offset, origin)
std::vector<Binding> seek(Call& call) {
  Emitter& e = call.emit;
  ValueId from = zero(call);
  if (call.is_text(2)) {
    const auto* found = std::ranges::find(origins, call.text(2));
    if (found == std::end(origins)) call.fail("invalid value for origin");
    from = e.builder.constant(static_cast<double>(found - std::begin(origins)), Element::integer);
  } else if (call.count() > 2) {
    from = e.builder.convert(call.scalar(2), Element::integer);
    const ValueId last = e.builder.constant(2, Element::integer);
    e.require(e.builder.map(ScalarOp::logical_and, e.builder.map(ScalarOp::ge, from, zero(call)),
                            e.builder.map(ScalarOp::le, from, last)),
              "fseek: invalid value for origin", {});
  }
  const ValueId given = call.scalar(1);
  const ValueId whole =
      is_floating(e.type(given).element)
          ? e.builder.map(ScalarOp::select, e.builder.map(ScalarOp::is_nan, given),
                          e.builder.constant(0, e.type(given).element), e.builder.map(ScalarOp::round, given))
          : given;
  const ValueId offset = e.builder.convert(whole, Element::integer);
  return one(step(call, LibraryFn::file_seek, {file_number(call, 0), offset, from}));
}

// dlmread(path, separator, first row, first column), csvread(path, first row, first column): rows and columns from 0
std::vector<Binding> table_of_file(Call& call) {
  Emitter& e = call.emit;
  const std::string named = call.args[0].is_known_text() ? as_format(call.text(0)) : "";
  require_file(call, "dlmread: unable to open file '" + named + "'");
  const bool separated_by_commas = call.name == "csvread";
  std::size_t at = 1;
  ValueId separator = e.builder.text(separated_by_commas ? "," : "");
  if (!separated_by_commas && call.is_text(at)) {
    separator = codes(e, escapes_expanded(call.args[at++]));
  }
  if (call.is_text(at)) call.fail("ranges and EMPTYVALUE are outside the language: take the part of the table");
  const std::size_t places = call.count() - at;
  if (places != 0 && places != 2) call.fail("the first row and the first column are given together, counted from 0");
  const auto place = [&](std::size_t i) {
    return places == 0 ? zero(call) : e.builder.convert(call.scalar(at + i), Element::integer);
  };
  return {matrix_step(e, LibraryFn::file_table, LibraryFn::file_table_size,
                      {path_of(call, 0), separator, place(0), place(1)})};
}

std::vector<Binding> is_file(Call& call) { return one(is_path_of(call, 0, PathKind::file)); }
std::vector<Binding> is_folder(Call& call) { return one(is_path_of(call, 0, PathKind::folder)); }

// tempname(folder, prefix)
std::vector<Binding> temporary_name(Call& call) {
  Emitter& e = call.emit;
  for (std::size_t i = 0; i < call.count(); ++i)
    if (!call.is_text(i)) call.fail("DIR and PREFIX must be strings");
  const ValueId folder = call.count() > 0 ? codes(e, call.args[0]) : e.builder.text("");
  const ValueId prefix = call.count() > 1 ? codes(e, call.args[1]) : e.builder.text("oct-");
  return {text_step(e, LibraryFn::file_temporary, LibraryFn::file_temporary_length, {folder, prefix}, 1, false)};
}

// delete(path); [status, problem] = unlink(path)
std::vector<Binding> remove_file(Call& call) {
  Emitter& e = call.emit;
  std::vector<Binding> results = one(step(call, LibraryFn::file_remove, {path_of(call, 0), e.builder.text(call.name)}));
  if (call.name == "delete" || call.nargout == 0) return {};
  if (call.nargout > 1)
    results.push_back(text_step_or_nothing(e, LibraryFn::file_problem, LibraryFn::file_problem_length, {}, 1, false));
  return results;
}

}  // namespace

ValueId is_end_of_file(Emitter& e, const Binding& text) {
  if (!e.lines_may_end || !text.is_text() || text.is_known_text()) return e.builder.constant(0, Element::logical);
  const ValueId line = text.value;
  const auto is_minus_one = [&] {
    const ValueId code =
        e.builder.index(line, {{{SubscriptKind::range, 0, 1, 1}, {SubscriptKind::range, 0, 1, 1}}}, {}, 1, 1);
    return e.builder.map(ScalarOp::eq, code, e.builder.constant(-1, Element::integer));
  };
  return branch_value(e, e.equal_sizes(e.type(line).count(), 1), is_minus_one,
                      [&] { return e.builder.constant(0, Element::logical); });
}

std::span<const Builtin> file_builtins() {
  static constexpr Builtin entries[] = {
      {"fopen", 1, 2, 2, open_file},         {"fclose", 1, 1, 1, close_file},  {"feof", 1, 1, 1, at_end},
      {"frewind", 1, 1, 1, rewind_file},     {"fgetl", 1, 1, 2, next_line},    {"fgets", 1, 1, 2, next_line},
      {"fileread", 1, 1, 1, text_of_file},   {"fscanf", 2, 3, 2, scan_file},   {"dlmread", 1, 4, 1, table_of_file},
      {"csvread", 1, 3, 1, table_of_file},   {"isfile", 1, 1, 1, is_file},     {"isfolder", 1, 1, 1, is_folder},
      {"isdir", 1, 1, 1, is_folder},         {"delete", 1, 1, 0, remove_file}, {"unlink", 1, 1, 2, remove_file},
      {"tempname", 0, 2, 1, temporary_name}, {"ftell", 1, 1, 1, tell},         {"fseek", 2, 3, 1, seek},
      {"SEEK_SET", 0, 0, 1, origin},         {"SEEK_CUR", 0, 0, 1, origin},    {"SEEK_END", 0, 0, 1, origin},
  };
  return entries;
}

}  // namespace lac::frontend
