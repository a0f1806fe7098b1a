#include "runtime/files/cache_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lac::runtime {
namespace {

struct Header {
  std::array<char, 8> magic = {'l', 'a', 'c', 'c', 'a', 'c', 'h', '1'};
  std::uint64_t bytes = 0;  ///< of the payload
  std::uint64_t hash = 0;
};

std::string_view view(const std::vector<char>& bytes) { return {bytes.data(), bytes.size()}; }

/// No other writer's, in this process or another.
std::filesystem::path temporary_name(const std::filesystem::path& file) {
  static std::atomic<std::uint64_t> count = 0;
  std::filesystem::path name = file;
  name += "." + std::to_string(getpid()) + "-" + std::to_string(count++) + ".tmp";
  return name;
}

void make_own_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::exists(folder, error)) return;
  make_own_folder(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

bool write_whole(const std::filesystem::path& file, std::string_view payload) {
  Header header;
  header.bytes = payload.size();
  header.hash = content_hash(payload);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(payload.data(), static_cast<std::streamsize>(payload.size()));
  out.close();
  return !out.fail();
}

}  // namespace

bool is_own(const std::filesystem::path& file_or_folder) {
  struct stat status = {};
  if (::lstat(file_or_folder.c_str(), &status) != 0) return false;
  const bool known_kind = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
  return known_kind && status.st_uid == ::geteuid() && (status.st_mode & S_IWOTH) == 0;
}

std::uint64_t content_hash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
    *digit = "0123456789abcdef"[number & 15];
  return text;
}

std::vector<char> read_cache_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!is_own(file) || !is_own(file.parent_path()) || !std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream in(file, std::ios::binary);
  Header header;
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != Header{}.magic) return {};
  std::vector<char> payload{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (header.bytes != payload.size() || header.hash != content_hash(view(payload))) return {};
  return payload;
}

bool write_cache_file(const std::filesystem::path& file, std::string_view payload) noexcept {
  try {
    std::error_code error;
    make_own_folder(file.parent_path());
    if (!is_own(file.parent_path())) return false;
    const std::filesystem::path temporary = temporary_name(file);
    const bool written = write_whole(temporary, payload);
    if (written) std::filesystem::rename(temporary, file, error);
    if (written && !error) return true;
    std::filesystem::remove(temporary, error);
  } catch (...) {  // no memory for a name
  }
  return false;
}

}  // namespace lac::runtime
