// Values as files of variables have them: the form of a value with its leaves, and a value from a form and the leaves
// that a step has read.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"
#include "ir/support/data_form.h"

namespace lac::frontend {

/// What one step saves.
class SavedValues {
 public:
  SavedValues(Emitter& e, Span span) : e_(e), span_(span) {}

  /// Fails, naming it, at what a file cannot hold.
  void add(const std::string& name, const Binding& value);

  FileForm form;
  std::vector<ValueId> leaves;  ///< in the order of LibraryFn::data_save

 private:
  DataForm form_of(const Binding& value, const std::string& path);
  DataForm of_matrix(ValueId matrix);
  DataForm of_complex(const Binding& value);
  DataForm of_text(const Binding& text);
  DataForm of_array(const Binding& array);
  DataForm of_items(const Binding& aggregate, const std::string& path);
  [[noreturn]] void refuse(const std::string& path, const std::string& why);

  Emitter& e_;
  Span span_;
};

/// What a step (data_open, scan_columns) has read, value after value in the order of its form.
class LoadedValues {
 public:
  explicit LoadedValues(Emitter& e) : e_(e) {}

  Binding next(const DataForm& form);
  /// The next leaf, of integers: so many rows, and columns that the run finds.
  ValueId integers(std::int64_t rows);

 private:
  Size extent(const DataForm& form, std::size_t dimension);
  Size rows_of_text(const DataForm& form);
  ValueId leaf(const Type& type);
  Binding of_numbers(const DataForm& form);
  Binding of_structure(const DataForm& form, const Size& rows, const Size& cols);
  Binding of_array(const DataForm& form);
  Binding of_items(const DataForm& form);

  Emitter& e_;
  std::int64_t leaf_ = 0;
};

}  // namespace lac::frontend
