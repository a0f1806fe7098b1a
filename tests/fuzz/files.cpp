// Any bytes as a matrix file. What one format reads, it writes so that it is read again.
#include "runtime/files/files.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "tests/fuzz/limits.h"

using namespace lac;
using namespace lac::runtime;

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
  return 0;
}
