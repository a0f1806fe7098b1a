// lac lsp: the language server between standard input and standard output.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"
#include "lac/language_server.hpp"

namespace lac::cli {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 26;

bool more_is_here() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0 && (input.revents & POLLIN) != 0;
}

}  // namespace

int lsp_verb(const CommandLine& line) {
  api::LanguageServer server(line.options);
  std::array<char, 65536> buffer;
  while (!server.finished()) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) err(std::string("lac: error: standard input: ") + std::strerror(errno) + "\n");
    if (count <= 0) break;
    std::string bytes(buffer.data(), static_cast<std::size_t>(count));
    while (bytes.size() < most_at_once && more_is_here()) {  // all that has queued up is one thing to answer
      const ssize_t more = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (more <= 0) break;
      bytes.append(buffer.data(), static_cast<std::size_t>(more));
    }
    out(server.receive(bytes));
    if (!finish_output()) return exit_failed;
  }
  return server.exit_status();
}

}  // namespace lac::cli
