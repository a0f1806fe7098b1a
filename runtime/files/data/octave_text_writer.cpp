#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "ir/support/character.h"
#include "ir/support/missing.h"
#include "runtime/files/data/octave_text.h"
#include "runtime/files/data/octave_types.h"
#include "runtime/stop.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"

namespace lac::runtime {
namespace {

void append_number(std::string& out, double value) {
  if (is_missing(value)) out += "NA";
  else if (std::isnan(value)) out += "NaN";
  else if (std::isinf(value)) out += value > 0 ? "Inf" : "-Inf";
  else fmt::format_to(std::back_inserter(out), "{:.17g}", value);
}

class Writer {
 public:
  std::string out;

  void variable(const std::string& name, const DataValue& value) {
    out += "# name: " + name + "\n# type: " + octave_type_name(value.form) + "\n";
    (this->*of_layout(value))(value);
    out += "\n\n";
  }

 private:
  using Method = void (Writer::*)(const DataValue&);

  static Method of_layout(const DataValue& value) {
    switch (octave_type(octave_type_name(value.form))->layout) {
      case OctaveLayout::scalar: return &Writer::scalar;
      case OctaveLayout::diagonal: return &Writer::diagonal;
      case OctaveLayout::permutation: return &Writer::permutation;
      case OctaveLayout::sparse: return &Writer::sparse;
      case OctaveLayout::text: return &Writer::text;
      case OctaveLayout::record:
      case OctaveLayout::records: return &Writer::record;
      case OctaveLayout::cell: return &Writer::cell;
      default: return &Writer::matrix;
    }
  }

  void count(std::string_view what, std::int64_t value) {
    fmt::format_to(std::back_inserter(out), "# {}: {}\n", what, value);
  }
  void rows_and_columns(const DataValue& value) {
    count("rows", value.form.extents[0]);
    count("columns", value.form.extents[1]);
  }
  void dimensions(const DataValue& value) {
    count("ndims", static_cast<std::int64_t>(value.form.extents.size()));
    for (const std::int64_t extent : value.form.extents) fmt::format_to(std::back_inserter(out), " {}", extent);
    out += '\n';
  }
  void element(const DataValue& value, std::int64_t k) {
    poll_();
    if (!value.form.is_complex) return append_number(out, value.re.stored_value(k));
    out += '(';
    append_number(out, value.re.stored_value(k));
    out += ',';
    append_number(out, value.im.stored_value(k));
    out += ')';
  }

  void scalar(const DataValue& value) {
    element(value, 0);
    out += '\n';
  }
  // Lines are rows of a matrix; of arrays and integers single elements, column by column.
  void matrix(const DataValue& value) {
    const bool by_rows = value.form.extents.size() == 2 && !is_integer(value.form.data_class);
    by_rows ? rows_and_columns(value) : dimensions(value);
    const std::int64_t lines = by_rows ? value.re.rows() : value.re.stored();
    const std::int64_t on_line = by_rows ? value.re.cols() : 1;
    for (std::int64_t i = 0; i < lines; ++i) {
      for (std::int64_t j = 0; j < on_line; ++j) {
        out += ' ';
        element(value, j * lines + i);
      }
      out += '\n';
    }
  }
  void diagonal(const DataValue& value) {
    rows_and_columns(value);
    for (std::int64_t i = 0; i < value.re.stored(); ++i) scalar_at(value, i);
  }
  void permutation(const DataValue& value) {
    count("size", value.form.extents[0]);
    out += "# orient: c\n";
    for (std::int64_t i = 0; i < value.re.stored(); ++i) scalar_at(value, i);
  }
  void scalar_at(const DataValue& value, std::int64_t k) {
    element(value, k);
    out += '\n';
  }
  // Octave writes columns below one another: rows of the transpose.
  void sparse(const DataValue& value) {
    DataValue turned = with_one_pattern(value);
    for (Tensor* part : {&turned.re, &turned.im}) *part = transpose(to_csr(*part));
    count("nnz", turned.re.stored());
    rows_and_columns(value);
    for (std::int64_t j = 0; j < turned.re.rows(); ++j)
      for (std::int64_t k = turned.re.row_pointers()[j]; k < turned.re.row_pointers()[j + 1]; ++k) {
        fmt::format_to(std::back_inserter(out), "{} {} ", turned.re.column_indices()[k] + 1, j + 1);
        scalar_at(turned, k);
      }
  }
  void text(const DataValue& value) {
    count("elements", value.re.rows());
    for (std::int64_t i = 0; i < value.re.rows(); ++i) {
      count("length", value.re.cols());
      for (std::int64_t j = 0; j < value.re.cols(); ++j) out += character_of(value.re.at(i, j));
      out += '\n';
    }
  }
  void record(const DataValue& value) {
    dimensions(value);
    count("length", static_cast<std::int64_t>(value.form.fields.size()));
    const auto elements = static_cast<std::size_t>(value.form.extents[0] * value.form.extents[1]);
    const bool is_one = value.form.extents == std::vector<std::int64_t>{1, 1};
    for (std::size_t field = 0; field < value.form.fields.size(); ++field) {
      const auto first = value.items.begin() + static_cast<std::ptrdiff_t>(field * elements);
      if (is_one) {
        variable(value.form.fields[field], *first);
        continue;
      }
      DataValue cells;
      cells.form.data_class = DataClass::cell;
      cells.form.extents = value.form.extents;
      cells.items.assign(first, first + static_cast<std::ptrdiff_t>(elements));
      variable(value.form.fields[field], cells);
    }
  }
  void cell(const DataValue& value) {
    rows_and_columns(value);
    for (std::int64_t j = 0; j < value.form.extents[1]; ++j) {
      for (std::int64_t i = 0; i < value.form.extents[0]; ++i)
        variable("<cell-element>", value.items[static_cast<std::size_t>(j * value.form.extents[0] + i)]);
      out += '\n';
    }
  }

  StopPoll poll_;
};

void append_ascii(std::string& out, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(out), "{:.8e}", value);
  else append_number(out, value);
}

}  // namespace

std::string format_octave_text(const std::vector<NamedValue>& variables) {
  Writer writer;
  for (const NamedValue& variable : variables) writer.variable(variable.name, variable.value);
  return std::move(writer.out);
}

Result<std::string> format_ascii(const std::vector<NamedValue>& variables) {
  std::string out;
  StopPoll poll;
  for (const NamedValue& variable : variables) {
    const DataForm& form = variable.value.form;
    if (has_items(form.data_class) || form.extents.size() > 2)
      return Failure{"unable to save " + variable.name + " in ASCII format"};
    const Tensor full = to_dense(full_of(variable.value));
    for (std::int64_t i = 0; i < full.rows(); ++i) {
      for (std::int64_t j = 0; j < full.cols(); ++j) {
        poll();
        out += ' ';
        append_ascii(out, full.at(i, j));
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace lac::runtime
