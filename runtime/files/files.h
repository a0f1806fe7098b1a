// Tensors from and to files, by extension.
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

enum class FileFormat { matrix_market, npy, csv };

/// The format of a path by its extension (.mtx, .npy, .csv, any case). Compressed files and the formats of other
/// programs (.gz, .npz, .mat, ...) are refused by name.
Result<FileFormat> format_of_path(const std::string& path);
/// The format of bytes whatever their name (standard input, @PATH): a Matrix Market banner, NPY's magic, else csv. The
/// formats that format_of_path refuses are refused here too, by their first bytes; `name` is for the message.
Result<FileFormat> format_of_bytes(std::string_view bytes, const std::string& name);

Result<Tensor> parse_tensor(FileFormat format, std::string_view bytes, const std::string& name);
std::string format_tensor(FileFormat format, const Tensor& a);

/// Reads a matrix; csr for Matrix Market coordinate files, dense else. Failures start with the path and, for text, the
/// line.
Result<Tensor> read_tensor(const std::string& path);

/// What a write returns when it succeeds.
struct Written {
  std::size_t bytes = 0;
};
/// Writes a matrix so that `path` holds either all of it or what it held before.
Result<Written> write_tensor(const std::string& path, const Tensor& a);

/// The bytes of a regular file, pipe or device. They count in the budget of the thread while they are read, and, where
/// the caller gives it a `held`, until that is gone; std::bad_alloc is thrown where the budget does not allow them.
/// Files are read and written a few megabytes at a time; in between, and while a pipe makes wait, the run of the
/// StopScope is heard (stop.h).
Result<std::string> read_file(const std::string& path, MemoryBudget::Share* held = nullptr);

/// A program may be executed; data keeps the mode of the file that it replaces.
enum class FileUse { data, program };

/// Writes a file that gets the name `path` once its bytes are on the disk; before that it has none (where the file
/// system knows no such files, a name beside `path`), so nothing is left behind on failure. An existing pipe or device
/// is written directly.
Result<Written> write_file(const std::string& path, std::string_view bytes, FileUse use = FileUse::data);

}  // namespace lac::runtime
