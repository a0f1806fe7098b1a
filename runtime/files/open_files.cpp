#include "runtime/files/open_files.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/files/files.h"

namespace lac::runtime {
namespace {

std::string reason() { return std::generic_category().message(errno); }

/// The first letter of a mode that files can be opened in; 0: there is no such mode here.
char direction_of(const std::string& mode) {
  const bool known = mode.size() == 1 || (mode.size() == 2 && (mode[1] == 't' || mode[1] == 'b'));
  return known && std::string_view("rwa").find(mode[0]) != std::string_view::npos ? mode[0] : '\0';
}

}  // namespace

Result<OpenFiles::File> OpenFiles::opened(const std::string& path, char direction) {
  File file{path};
  if (direction != 'r') {
    file.written.reset(std::fopen(path.c_str(), direction == 'w' ? "wb" : "ab"));
    if (!file.written) return Failure{reason()};
    return file;
  }
  if (::access(path.c_str(), R_OK) != 0) return Failure{reason()};
  flush_all();
  Result<std::string> bytes = read_file(path, &file.held);
  if (!bytes) return bytes.failure();
  file.bytes = bytes.take();
  return file;
}

Result<std::int64_t> OpenFiles::open(const std::string& path, const std::string& mode) {
  const char direction = direction_of(mode);
  if (direction == '\0')
    return Failure{"the mode '" + mode + "' is none of 'r', 'w' and 'a', with 't' or 'b' behind it or without"};
  Result<File> file = opened(path, direction);
  problem_ = file ? "" : file.failure().message;
  if (!file) return std::int64_t{-1};
  std::int64_t number = first_number;
  while (files_.contains(number)) ++number;
  files_.emplace(number, file.take());
  return number;
}

Result<OpenFiles::File*> OpenFiles::find(std::int64_t number) {
  const auto found = files_.find(number);
  if (found == files_.end()) return Failure{"invalid stream number = " + std::to_string(number)};
  return &found->second;
}

Result<bool> OpenFiles::close(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  File closed = std::move(*file.value());
  files_.erase(number);
  if (closed.written && std::fclose(closed.written.release()) != 0)
    return Failure{closed.path + ": cannot write: " + reason()};
  return true;
}

Result<bool> OpenFiles::close_all() {
  Result<bool> all = true;
  while (!files_.empty())
    if (Result<bool> one = close(files_.begin()->first); !one) all = std::move(one);
  return all;
}

Result<bool> OpenFiles::write(std::int64_t number, std::string_view text) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  std::FILE* written = file.value()->written.get();
  if (!written) return Failure{file.value()->path + " is open to be read"};
  if (std::fwrite(text.data(), 1, text.size(), written) != text.size())
    return Failure{file.value()->path + ": cannot write: " + reason()};
  return true;
}

Result<bool> OpenFiles::flush(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  if (file.value()->written && std::fflush(file.value()->written.get()) != 0)
    return Failure{file.value()->path + ": cannot write: " + reason()};
  return true;
}

bool OpenFiles::remove(const std::string& path) {
  const bool removed = std::remove(path.c_str()) == 0;
  problem_ = removed ? "" : reason();
  return removed;
}

bool OpenFiles::done(const std::error_code& error) {
  problem_ = error ? error.message() : "";
  return !error;
}

bool OpenFiles::make_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error))
    return done(std::make_error_code(std::errc::file_exists));
  const bool is_new = std::filesystem::create_directories(path, error);
  if (error == std::errc::not_a_directory) error = std::make_error_code(std::errc::file_exists);  // above it
  const bool made = done(error);
  if (made && !is_new) problem_ = "directory exists";
  return made;
}

bool OpenFiles::remove_folder(const std::string& path) {
  return done(::rmdir(path.c_str()) == 0 ? std::error_code() : std::error_code(errno, std::generic_category()));
}

bool OpenFiles::rename(const std::string& old_path, const std::string& new_path) {
  std::error_code error;
  std::filesystem::rename(old_path, new_path, error);
  return done(error);
}

Result<std::int64_t> OpenFiles::tell(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  if (file.value()->written) return static_cast<std::int64_t>(std::ftell(file.value()->written.get()));
  return static_cast<std::int64_t>(file.value()->read);
}

Result<bool> OpenFiles::seek(std::int64_t number, std::int64_t bytes, From from) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  if (file.value()->written) return Failure{file.value()->path + " is open to be written"};
  const auto size = static_cast<std::int64_t>(file.value()->bytes.size());
  const std::int64_t start = from == From::beginning ? 0
                             : from == From::here    ? static_cast<std::int64_t>(file.value()->read)
                                                     : size;
  if (bytes < -start || bytes > size - start) return false;
  file.value()->read = static_cast<std::size_t>(start + bytes);
  file.value()->at_end = false;
  return true;
}

Result<bool> OpenFiles::at_end(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  return file.value()->at_end;
}

Result<bool> OpenFiles::rewind(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  if (file.value()->written) return Failure{file.value()->path + " is open to be written"};
  file.value()->read = 0;
  file.value()->at_end = false;
  return true;
}

Result<std::string_view> OpenFiles::rest(std::int64_t number) {
  const Result<File*> file = find(number);
  if (!file) return file.failure();
  if (file.value()->written) return Failure{file.value()->path + " is open to be written"};
  return std::string_view(file.value()->bytes).substr(file.value()->read);
}

void OpenFiles::flush_all() {
  for (auto& [number, file] : files_)
    if (file.written) std::fflush(file.written.get());
}

void OpenFiles::skip(std::int64_t number, std::size_t bytes) {
  File& file = files_.at(number);
  file.read += bytes;
  file.at_end = file.read == file.bytes.size();
}

}  // namespace lac::runtime
