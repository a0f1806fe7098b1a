// A language server: what editors ask about .la files, as messages of the Language Server Protocol 3.17.
//
// Bytes in, bytes out: the host moves them, usually between standard input and standard output (`lac lsp`). Answers:
// initialize, textDocument/{didOpen, didChange (whole texts), didClose, hover, definition, documentSymbol, formatting,
// completion}, shutdown, exit; sends textDocument/publishDiagnostics. Positions are UTF-16, as the protocol's default.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lac/lac.hpp"

namespace lac::api {

/// Holds the texts of all open files. Not thread-safe; nothing is printed, nothing throws but std::bad_alloc.
class LanguageServer {
 public:
  /// Of the options those count that `lac check` has: include_directories, target, precision, check_domain.
  explicit LanguageServer(Options options = {});
  LanguageServer(LanguageServer&&) noexcept;
  LanguageServer& operator=(LanguageServer&&) noexcept;
  ~LanguageServer();

  /// Takes any part of the incoming stream; the answers to all messages that are complete by then, framed. Diagnostics
  /// wait while a message is on its way: typing that comes faster than it is analysed is analysed once. What is no
  /// message is skipped, or answered with an error where the protocol has one.
  std::string receive(std::string_view bytes);

  /// `exit` was received; nothing more is answered.
  bool finished() const;
  /// For the process: 0 after shutdown and exit, 1 when the client left without shutdown.
  int exit_status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lac::api
