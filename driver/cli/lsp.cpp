// lac lsp: the language server between standard input and standard output.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"
#include "lac/language_server.hpp"

namespace lac::cli {

int lsp_verb(const CommandLine& line) {
  api::LanguageServer server(line.options);
  std::array<char, 65536> buffer;
  while (!server.finished()) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) err(std::string("lac: error: standard input: ") + std::strerror(errno) + "\n");
    if (count <= 0) break;
    out(server.receive({buffer.data(), static_cast<std::size_t>(count)}));
    if (!finish_output()) return exit_failed;
  }
  return server.exit_status();
}

}  // namespace lac::cli
