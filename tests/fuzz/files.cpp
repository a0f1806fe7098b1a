// Any bytes as a matrix file and as a file of variables. What one format reads, it writes so that it is read again.
#include "runtime/files/files.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "runtime/files/data/data_file.h"
#include "runtime/files/data/mat_file.h"
#include "runtime/files/data/octave_text.h"
#include "tests/fuzz/limits.h"

using namespace lac;
using namespace lac::runtime;

namespace {

bool is_small(const DataValue& value) {
  bool small = value.re.count() + static_cast<std::int64_t>(value.items.size()) < 10'000;
  for (const DataValue& item : value.items) small = small && is_small(item);
  return small;
}

bool has_variables(const DataFile& file) {
  return std::ranges::all_of(file.variables, [](const NamedValue& variable) {
    return !variable.name.empty() && variable.problem.empty() && is_small(variable.value);
  });
}

void attempt_variables(const std::string& bytes) {
  const Result<DataFile> read = parse_data(bytes, "fuzz");
  if (!read || !has_variables(read.value())) return;
  if (!parsed_form(serialised(form_of(read.value())))) std::abort();
  const Result<std::string> variables = format_mat_variables(read.value().variables, false);
  if (!variables || !parse_data(mat_header() + variables.value(), "fuzz")) std::abort();
  if (is_octave_text(bytes) && !read_octave_text(format_octave_text(read.value().variables), "fuzz")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto attempt = [&](FileFormat format) {
    try {
      const Result<Tensor> read = parse_tensor(format, bytes, "fuzz");
      if (!read || read.value().rows() * read.value().cols() > 10'000) return;
      if (!parse_tensor(format, format_tensor(format, read.value()), "fuzz")) std::abort();
    } catch (const std::bad_alloc&) {  // a header may claim any size
    }
  };
  (void)format_of_bytes(bytes, "fuzz");
  for (FileFormat format : {FileFormat::matrix_market, FileFormat::npy, FileFormat::csv}) attempt(format);
  try {
    attempt_variables(bytes);
    attempt_variables(mat_header() + bytes);
  } catch (const std::bad_alloc&) {  // likewise
  }
  return 0;
}
