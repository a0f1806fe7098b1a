#include "runtime/captured_text.h"

#include "runtime/run.h"

namespace lac::runtime {

void show_text(const RunOptions& options, Stream stream, std::string_view text) {
  if (stream == Stream::out && options.captured != nullptr && options.captured->is_open())
    return options.captured->add(text);
  const auto& sink = stream == Stream::out ? options.out : options.err;
  if (sink) sink(text);
}

}  // namespace lac::runtime
