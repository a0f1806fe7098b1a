// textscan, strread, textread: the columns of a text.
#include <algorithm>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/data/data_forms.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/column_template.h"
#include "ir/support/printf.h"
#include "ir/support/text_edit.h"

namespace lac::frontend {
namespace {

struct Request {
  std::string format = "%f";
  std::string delimiters;
  ValueId lines_left_out, times, delimiters_are_one;
};

ValueId integer(Call& call, double number) { return call.emit.builder.constant(number, Element::integer); }

/// Each of several in a cell array has one character.
std::string delimiters_in(Call& call, const Binding& given) {
  std::string all;
  if (given.is_text()) {
    if (!given.is_known_text()) call.fail("the delimiters must be known while the program is compiled");
    all = with_escapes(given);
  } else if (given.is_cell() && !given.aggregate->stacked) {
    for (const Binding& item : items_of(given)) {
      const std::string one = delimiters_in(call, item);
      if (one.size() != 1) call.fail("a delimiter of several characters is outside the language: use strsplit");
      all += one;
    }
  } else {
    call.fail("the delimiters must be a string");
  }
  std::erase(all, ' ');  // blanks end fields anyhow
  return all;
}

void take_option(Call& call, std::size_t at, Request& request) {
  const std::string name = lower_case(call.text(at));
  if (at + 1 == call.count()) call.fail("the option \"" + call.text(at) + "\" has no value");
  if (name == "delimiter") request.delimiters = delimiters_in(call, call.args[at + 1]);
  else if (name == "headerlines")
    request.lines_left_out = call.emit.builder.convert(call.scalar(at + 1), Element::integer);
  else if (name == "multipledelimsasone")
    request.delimiters_are_one = call.emit.builder.convert(call.scalar(at + 1), Element::integer);
  else
    call.fail("the option \"" + call.text(at) +
              "\" is outside the language: \"Delimiter\", \"HeaderLines\" and \"MultipleDelimsAsOne\" are in it");
}

/// (source, template, how often it is used, options), the last three as far as they are there
Request request_of(Call& call) {
  Request request;
  std::size_t at = 1;
  if (call.is_text(at)) {
    call.text(at);  // fails where the run finds it
    request.format = with_escapes(call.args[at++]);
  }
  request.times = integer(call, -1);
  request.lines_left_out = request.delimiters_are_one = integer(call, 0);
  if (at < call.count() && !call.is_text(at))
    request.times = call.emit.builder.convert(call.scalar(at++), Element::integer);
  for (; at < call.count(); at += 2) take_option(call, at, request);
  return request;
}

/// A column of strings, of which the run finds how many there are.
Binding strings(Emitter& e, LoadedValues& values) {
  Slot slot;
  slot.ragged = true;
  slot.stack = Binding::computed_text(values.integers(1), false);
  slot.places = places_of_given(e, values.integers(3));
  Aggregate cells;
  cells.stacked = cells.column = true;
  cells.slots.push_back(std::move(slot));
  return Binding::of(Binding::Kind::cell, std::move(cells));
}

Binding column_of(Emitter& e, const ColumnPart& part, LoadedValues& values) {
  if (part.data_class == DataClass::text) return strings(e, values);
  DataForm form;
  form.data_class = part.data_class;
  form.extents = {DataForm::any, 1};
  return values.next(form);
}

std::vector<ColumnPart> parts_of(Call& call, const Request& request) {
  Result<std::vector<ColumnPart>> parts = column_template(request.format);
  if (!parts) call.fail(parts.failure().message);
  return parts.take();
}

std::vector<Binding> columns_of(Call& call, ValueId source, const Request& request) {
  Emitter& e = call.emit;
  const std::vector<ColumnPart> parts = parts_of(call, request);
  const ValueId rules = literal(e, {request.lines_left_out, request.times, request.delimiters_are_one}, 1, 3);
  e.builder.library(
      LibraryFn::scan_columns,
      {source, e.builder.text(call.name), e.builder.text(request.format), e.builder.text(request.delimiters), rules},
      {});
  LoadedValues values(e);
  std::vector<Binding> columns;
  for (const ColumnPart& part : parts)
    if (part.is_column()) columns.push_back(column_of(call.emit, part, values));
  return columns;
}

/// A string, or a file by its number: as a floating number, which no string is.
ValueId source_of(Call& call) {
  if (call.is_text(0)) return codes(call.emit, call.args[0]);
  return call.emit.builder.convert(file_number(call, 0), call.emit.graph.precision);
}

// C = textscan(file or string, template, times, options)
std::vector<Binding> textscan(Call& call) {
  if (!call.is_text(1)) call.fail("the template must be given: it says what the columns are");
  const Request request = request_of(call);
  std::vector<Binding> columns = columns_of(call, source_of(call), request);
  const auto count = static_cast<std::int64_t>(columns.size());
  return {cell_array(1, count, std::move(columns))};
}

std::vector<Binding> as_results(Call& call, std::vector<Binding> columns) {
  if (call.nargout > static_cast<int>(columns.size()))
    call.fail("the template has " + std::to_string(columns.size()) + " columns, not " + std::to_string(call.nargout));
  return columns;
}

// [a, b] = strread(string, template, times, options)
std::vector<Binding> strread(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a string");
  const Request request = request_of(call);
  if (call.args[0].is_known_text() && call.args[0].text.empty()) {
    const auto count = std::ranges::count_if(parts_of(call, request), &ColumnPart::is_column);
    return as_results(call,
                      std::vector<Binding>(static_cast<std::size_t>(count), Binding::matrix(call.emit.nothing())));
  }
  return as_results(call, columns_of(call, codes(call.emit, call.args[0]), request));
}

// [a, b] = textread(path, template, times, options)
std::vector<Binding> textread(Call& call) {
  const Request request = request_of(call);
  const std::string named = call.is_text(0) && call.args[0].is_known_text() ? as_format(call.args[0].text) : "";
  call.emit.require(is_path_of(call, 0, PathKind::file), "textread: could not open '" + named + "' for reading", {});
  const Binding text = call.walk.call_by_name("fileread", {call.args[0]}, 1, call.span).front();
  return as_results(call, columns_of(call, codes(call.emit, text), request));
}

}  // namespace

std::span<const Builtin> textscan_builtins() {
  static constexpr Builtin entries[] = {
      {"textscan", 2, -1, 1, textscan}, {"strread", 1, -1, 64, strread}, {"textread", 1, -1, 64, textread}};
  return entries;
}

}  // namespace lac::frontend
