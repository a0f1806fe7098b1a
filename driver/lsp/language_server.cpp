// The protocol: which message is answered how.
#include "lac/language_server.hpp"

#include <map>
#include <optional>

#include "driver/lsp/answers.h"
#include "driver/lsp/framing.h"
#include "ir/support/result.h"

namespace lac::api {

namespace {

using namespace driver::lsp;

/// Error codes of JSON-RPC and of the protocol.
enum ErrorCode {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002
};

struct ProtocolError {
  ErrorCode code;
  std::string message;
};

/// The member at a path, or null.
const Json* member(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(key);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_at(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = member(json, path);
  if (!found || !found->is_string()) throw ProtocolError{invalid_params, "a string is missing in the parameters"};
  return found->get<std::string>();
}

std::int64_t integer_at(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = member(json, path);
  if (!found || !found->is_number_integer())
    throw ProtocolError{invalid_params, "a number is missing in the parameters"};
  return found->get<std::int64_t>();
}

struct Document {
  std::string path, text;
  std::shared_ptr<const Analysis> analysis, parsed;  ///< null when the text has changed since; the last that parsed
  bool published = false;
};

Json capabilities() {
  return {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", 1}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"documentSymbolProvider", true},
          {"documentFormattingProvider", true},
          {"completionProvider", Json::object()}};
}

}  // namespace

struct LanguageServer::Impl {
  using Method = Json (Impl::*)(const Json& params);

  Options options;
  MessageReader reader;
  std::map<std::string, Document> documents;  ///< by URI
  std::string out;
  bool initialized = false, shut_down = false, finished = false;

  void send(const Json& message) { out += framed(message.dump(-1, ' ', false, Json::error_handler_t::replace)); }
  void handle(const std::string& content);
  Json answer(const std::string& method, const Json& params);
  const Analysis& analysis_of(Document& document);
  void publish();

  Document& document(const Json& params) {
    const auto found = documents.find(text_at(params, {"textDocument", "uri"}));
    if (found == documents.end()) throw ProtocolError{invalid_params, "the file is not open"};
    return found->second;
  }
  std::size_t offset(const Document& document, const Json& params) const {
    return Positions(document.text)
        .offset({integer_at(params, {"position", "line"}), integer_at(params, {"position", "character"})});
  }
  Asked asked(Document& document) {
    const Analysis& analysis = analysis_of(document);
    return {analysis, document.parsed.get()};
  }

  Json initialize(const Json&) {
    initialized = true;
    return {{"capabilities", capabilities()}, {"serverInfo", {{"name", "lac"}, {"version", version()}}}};
  }
  Json shutdown(const Json&) {
    shut_down = true;
    return nullptr;
  }
  Json leave(const Json&) {
    finished = true;
    return nullptr;
  }
  Json open(const Json& params) {
    const std::string uri = text_at(params, {"textDocument", "uri"});
    documents[uri] = {path_of_uri(uri), text_at(params, {"textDocument", "text"}), nullptr, nullptr};
    forget_analyses();
    return nullptr;
  }
  Json change(const Json& params) {
    Document& changed = document(params);
    const Json* changes = member(params, {"contentChanges"});
    if (!changes || !changes->is_array() || changes->empty() || member(changes->back(), {"range"}))
      throw ProtocolError{invalid_params, "whole texts are expected"};
    changed.text = text_at(changes->back(), {"text"});
    forget_analyses();
    return nullptr;
  }
  Json close(const Json& params) {
    const std::string uri = text_at(params, {"textDocument", "uri"});
    if (documents.erase(uri) != 0) send_diagnostics(uri, Json::array());
    forget_analyses();
    return nullptr;
  }
  Json answer_hover(const Json& params) {
    Document& at = document(params);
    return hover(asked(at), offset(at, params));
  }
  Json answer_definition(const Json& params) {
    Document& at = document(params);
    return definition(asked(at), text_at(params, {"textDocument", "uri"}), offset(at, params));
  }
  Json answer_symbols(const Json& params) {
    const Asked about = asked(document(params));
    return symbols(about.parsed ? *about.parsed : about.analysis);
  }
  Json answer_completion(const Json& params) {
    Document& at = document(params);
    return completion(asked(at), offset(at, params));
  }
  Json answer_formatting(const Json& params) {
    const Document& at = document(params);
    const Emitted formatted = format(at.text, at.path);
    if (!formatted.ok()) return nullptr;
    if (formatted.text == at.text) return Json::array();
    return Json::array({{{"range", range_of(Positions(at.text), 0, at.text.size())}, {"newText", formatted.text}}});
  }

  /// Files see each other: a change of one may change what is said of another.
  void forget_analyses() {
    for (auto& [uri, each] : documents) {
      each.analysis = nullptr;
      each.published = false;
    }
  }
  void send_diagnostics(const std::string& uri, Json list) {
    send({{"jsonrpc", "2.0"},
          {"method", "textDocument/publishDiagnostics"},
          {"params", {{"uri", uri}, {"diagnostics", std::move(list)}}}});
  }
};

const Analysis& LanguageServer::Impl::analysis_of(Document& document) {
  if (!document.analysis) {
    std::vector<std::pair<std::string, std::string>> others;
    for (const auto& [uri, each] : documents) others.emplace_back(each.path, each.text);
    document.analysis = analyse(document.path, document.text, options, std::move(others));
    if (document.analysis->program()) document.parsed = document.analysis;
  }
  return *document.analysis;
}

void LanguageServer::Impl::publish() {
  for (auto& [uri, each] : documents) {
    if (each.published) continue;
    each.published = true;
    send_diagnostics(uri, diagnostics_of(analysis_of(each)));
  }
}

Json LanguageServer::Impl::answer(const std::string& method, const Json& params) {
  static const std::map<std::string, Method> methods = {
      {"initialize", &Impl::initialize},
      {"shutdown", &Impl::shutdown},
      {"exit", &Impl::leave},
      {"textDocument/didOpen", &Impl::open},
      {"textDocument/didChange", &Impl::change},
      {"textDocument/didClose", &Impl::close},
      {"textDocument/hover", &Impl::answer_hover},
      {"textDocument/definition", &Impl::answer_definition},
      {"textDocument/documentSymbol", &Impl::answer_symbols},
      {"textDocument/completion", &Impl::answer_completion},
      {"textDocument/formatting", &Impl::answer_formatting},
  };
  const auto found = methods.find(method);
  if (method != "exit" && shut_down) throw ProtocolError{invalid_request, "after shutdown only exit is expected"};
  if (method != "exit" && method != "initialize" && !initialized)
    throw ProtocolError{not_initialized, "initialize comes first"};
  if (found == methods.end()) throw ProtocolError{method_not_found, "'" + method + "' is not known here"};
  return (this->*found->second)(params);
}

void LanguageServer::Impl::handle(const std::string& content) {
  const Json message = Json::parse(content, nullptr, false);
  const Json* method = member(message, {"method"});
  const Json* id = member(message, {"id"});
  if (message.is_object() && !method && id) return;  // an answer of the client, who was asked nothing
  Json reply = {{"jsonrpc", "2.0"}, {"id", id && id->is_primitive() ? *id : Json(nullptr)}};
  try {
    if (message.is_discarded()) throw ProtocolError{parse_error, "this is not JSON"};
    if (!method || !method->is_string()) throw ProtocolError{invalid_request, "this is no message: it has no method"};
    const Json* params = member(message, {"params"});
    reply["result"] = answer(method->get<std::string>(), params ? *params : Json(nullptr));
  } catch (const ProtocolError& error) {
    if (method && !id) return;  // notifications are never answered
    reply["error"] = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  } catch (const lac::InternalError& error) {
    reply["error"] = {{"code", static_cast<int>(internal_error)}, {"message", std::string(error.what())}};
  }
  if (id || !method) send(reply);
}

LanguageServer::LanguageServer(Options options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
}
LanguageServer::LanguageServer(LanguageServer&&) noexcept = default;
LanguageServer& LanguageServer::operator=(LanguageServer&&) noexcept = default;
LanguageServer::~LanguageServer() = default;

std::string LanguageServer::receive(std::string_view bytes) {
  impl_->reader.add(bytes);
  while (!impl_->finished) {
    const std::optional<std::string> content = impl_->reader.next();
    if (!content) break;
    impl_->handle(*content);
  }
  // Once for all changes that came together, the one that is still coming among them.
  if (!impl_->finished && !impl_->reader.in_message()) impl_->publish();
  return std::exchange(impl_->out, {});
}

bool LanguageServer::finished() const { return impl_->finished; }
int LanguageServer::exit_status() const { return impl_->shut_down ? 0 : 1; }

}  // namespace lac::api
