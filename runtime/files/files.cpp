#include "runtime/files/files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>

#include "runtime/files/csv.h"
#include "runtime/files/matrix_market.h"
#include "runtime/files/npy.h"

namespace lac::runtime {
namespace {

struct Handler {
  std::string_view extension;
  FileFormat format;
  Result<Tensor> (*parse)(std::string_view bytes, const std::string& name);
  std::string (*write)(const Tensor& a);
};

constexpr std::array handlers = {
    Handler{".mtx", FileFormat::matrix_market, read_matrix_market, format_matrix_market},
    Handler{".npy", FileFormat::npy, read_npy, format_npy},
    Handler{".csv", FileFormat::csv, read_csv, format_csv},
};

struct Unsupported {
  std::string_view extension;
  std::string_view what;
  std::string_view magic = {};  ///< the first bytes of such a file
};

constexpr std::array unsupported = {
    Unsupported{".gz", "gzip-compressed files are not supported: decompress it first (gunzip)", "\x1f\x8b"},
    Unsupported{".bz2", "bzip2-compressed files are not supported: decompress it first (bunzip2)", "BZh"},
    Unsupported{".npz", "NumPy archives (.npz) are not supported: save one array as .npy", "PK\x03\x04"},
    Unsupported{".mat",
                "MATLAB files (.mat) hold variables, which a program reads by load: save the matrix as .mtx or .npy",
                "MATLAB 5.0"},
    Unsupported{".rsa", "Harwell-Boeing files are not supported: convert it to .mtx"},
    Unsupported{".rua", "Harwell-Boeing files are not supported: convert it to .mtx"},
    Unsupported{".rb", "Rutherford-Boeing files are not supported: convert it to .mtx"},
};

std::string lower_extension(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return "";
  std::string extension = path.substr(dot);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

const Handler& handler_of(FileFormat format) {
  return *std::find_if(handlers.begin(), handlers.end(), [&](const Handler& h) { return h.format == format; });
}

}  // namespace

Result<FileFormat> format_of_path(const std::string& path) {
  const std::string extension = lower_extension(path);
  for (const Handler& handler : handlers)
    if (extension == handler.extension) return handler.format;
  for (const Unsupported& known : unsupported)
    if (extension == known.extension) return Failure{path + ": " + std::string(known.what)};
  return Failure{path + ": the extension '" + extension + "' names no matrix format: .mtx, .npy and .csv do"};
}

Result<FileFormat> format_of_bytes(std::string_view bytes, const std::string& name) {
  for (const Unsupported& known : unsupported)
    if (!known.magic.empty() && bytes.starts_with(known.magic)) return Failure{name + ": " + std::string(known.what)};
  if (bytes.substr(0, 6) == "\x93NUMPY") return FileFormat::npy;
  const std::size_t start = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  return start < bytes.size() && bytes[start] == '%' ? FileFormat::matrix_market : FileFormat::csv;
}

Result<Tensor> parse_tensor(FileFormat format, std::string_view bytes, const std::string& name) {
  try {
    return handler_of(format).parse(bytes, name);
  } catch (const std::bad_alloc&) {
    if (MemoryBudget::current()) throw;  // a limit of the run, which its executor tells
    return Failure{name + ": not enough memory for the matrix"};
  }
}

std::string format_tensor(FileFormat format, const Tensor& a) { return handler_of(format).write(a); }

Result<Tensor> read_tensor(const std::string& path) {
  const Result<FileFormat> format = format_of_path(path);
  if (!format) return format.failure();
  MemoryBudget::Share held;
  const Result<std::string> bytes = read_file(path, &held);
  if (!bytes) return bytes.failure();
  return parse_tensor(format.value(), bytes.value(), path);
}

Result<Written> write_tensor(const std::string& path, const Tensor& a) {
  const Result<FileFormat> format = format_of_path(path);
  if (!format) return format.failure();
  return write_file(path, format_tensor(format.value(), a));
}

}  // namespace lac::runtime
