// Steps that save and load variables. What was read last waits in the files of the run until its leaves are taken.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "runtime/files/data/data_file.h"
#include "runtime/steps/files/files_of_run.h"
#include "runtime/steps/text/text_output.h"
#include "runtime/steps/text/text_tensor.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

Failure failed(std::string_view call, const std::string& why) {
  return Failure{"error: " + std::string(call) + ": " + why};
}

std::size_t index_at(const Input& input, std::size_t i) {
  return static_cast<std::size_t>(input.operands[i].as_scalar());
}

LoadedLeaves& loaded(const Input& input) { return files_of(input).loaded; }

FileForm form_at(const Input& input, std::size_t i) {
  std::optional<FileForm> form = parsed_form(text_of(input.operands[i]));
  if (!form) throw InternalError("a step got no form of a file");
  return *std::move(form);
}

// -- saving

/// Takes the leaves of values off the operands.
class Gatherer {
 public:
  explicit Gatherer(std::span<const Tensor> leaves) : leaves_(leaves) {}

  DataValue value(const DataForm& form) {
    DataValue made;
    made.form = form;
    made.form.items.clear();
    for (const DataForm& item : form.items) made.items.push_back(value(item));
    if (has_items(form.data_class)) return made;
    if (form.extents.size() > 2 || form.structure == DataStructure::diagonal) take_extents(made.form);
    const Element element = element_of(form.data_class);
    made.re = to_element(take(), element);
    if (form.is_complex) made.im = to_element(take(), element);
    if (form.extents.size() == 2 && form.structure == DataStructure::none)
      made.form.extents = {made.re.rows(), made.re.cols()};
    if (form.structure == DataStructure::permutation) made.form.extents = {made.re.stored(), made.re.stored()};
    return made;
  }

 private:
  const Tensor& take() { return leaves_[next_++]; }
  /// Those of 1 behind the second are not there.
  void take_extents(DataForm& form) {
    const Tensor& extents = take();
    for (std::size_t i = 0; i < form.extents.size(); ++i)
      form.extents[i] = static_cast<std::int64_t>(extents.stored_value(static_cast<std::int64_t>(i)));
    while (form.extents.size() > 2 && form.extents.back() == 1) form.extents.pop_back();
  }

  std::span<const Tensor> leaves_;
  std::size_t next_ = 0;
};

// -- loading

void collect(DataValue value, std::vector<LoadedLeaves::Leaf>& leaves) {
  if (!has_items(value.form.data_class)) {
    leaves.push_back({value.form.extents, std::move(value.re)});
    if (value.form.is_complex) leaves.push_back({value.form.extents, std::move(value.im)});
  }
  for (DataValue& item : value.items) collect(std::move(item), leaves);
}

}  // namespace

Output data_save(const Input& input) {
  const std::string path = text_of(input.operands[0]);
  const std::optional<DataFormat> format = data_format(text_of(input.operands[1]));
  const bool append = input.operands[2].as_scalar() != 0;
  Gatherer gatherer(input.operands.subspan(4));
  std::vector<NamedValue> variables;
  for (const NamedForm& variable : form_at(input, 3).variables)
    variables.push_back({variable.name, narrowed(gatherer.value(variable.form))});
  const Result<Written> written = write_data(path, format.value(), append, variables);
  if (!written) return failed("save", written.failure().message);
  return std::vector<Tensor>();
}

Output data_open(const Input& input) {
  const std::string path = text_of(input.operands[0]), call = text_of(input.operands[2]);
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return failed(call, "unable to find file " + path);
  LoadedLeaves& leaves = loaded(input);
  leaves.leaves.clear();
  Result<DataFile> file = read_data(path);
  if (!file) return failed(call, file.failure().message);
  Result<std::vector<DataValue>> values = values_of_form(file.take(), form_at(input, 1), path);
  if (!values) return failed(call, values.failure().message);
  for (DataValue& value : values.value()) collect(std::move(value), leaves.leaves);
  return std::vector<Tensor>();
}

Output data_extent(const Input& input) {
  const LoadedLeaves::Leaf& leaf = loaded(input).leaves.at(index_at(input, 0));
  const std::size_t dimension = index_at(input, 1);
  return number(input, dimension < leaf.extents.size() ? static_cast<double>(leaf.extents[dimension]) : 1);
}

Output data_leaf(const Input& input) {
  LoadedLeaves::Leaf& leaf = loaded(input).leaves.at(index_at(input, 0));
  const ResultType& type = input.results[0];
  Tensor taken = std::exchange(leaf.matrix, {});
  if (taken.is_dense()) taken = taken.reshaped(type.rows, type.cols);  // of an array with extents of 1 at its end
  return std::vector{to_element(to_storage(taken, type.storage), type.element)};
}

}  // namespace lac::runtime::steps
