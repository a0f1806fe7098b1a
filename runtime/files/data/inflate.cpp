#include "runtime/files/data/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "runtime/stop.h"

namespace lac::runtime {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 20;  // between two looks at what may end the run

class Inflation {
 public:
  Inflation() {
    if (::inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  }
  ~Inflation() { ::inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  z_stream stream = {};
};

void feed(z_stream& stream, std::string_view& bytes) {
  const std::size_t count = std::min(bytes.size(), most_at_once);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(count);
  bytes.remove_prefix(count);
}

}  // namespace

std::optional<std::string> inflated(std::string_view stream, std::size_t most, MemoryBudget::Share& held) {
  Inflation inflation;
  z_stream& z = inflation.stream;
  std::string out;
  while (out.size() < most) {
    poll_stop();
    if (z.avail_in == 0) feed(z, stream);
    const std::size_t before = out.size(), room = std::min(most - before, most_at_once);
    if (!held.take(room)) throw std::bad_alloc();
    out.resize(before + room);
    z.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    z.avail_out = static_cast<uInt>(room);
    const int code = ::inflate(&z, Z_NO_FLUSH);
    out.resize(out.size() - z.avail_out);
    if (code == Z_STREAM_END) break;
    if (code != Z_OK) return std::nullopt;  // Z_BUF_ERROR: nothing is left, and it has not ended
  }
  return out;
}

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string out(size, '\0');
  if (::compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                 bytes.size()) != Z_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

}  // namespace lac::runtime
