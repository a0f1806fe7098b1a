#include "driver/core/signature_text.h"

#include <sstream>

namespace lac::driver {

// One line a parameter: kind value logical storage rows cols offsets...
std::string signature_to_text(const std::vector<frontend::ParameterSignature>& signature) {
  std::ostringstream text;
  for (const frontend::ParameterSignature& entry : signature) {
    text << static_cast<int>(entry.kind) << ' ' << entry.value << ' ' << entry.logical << ' '
         << static_cast<int>(entry.storage) << ' ' << entry.rows << ' ' << entry.cols;
    for (const std::int64_t offset : entry.offsets) text << ' ' << offset;
    text << '\n';
  }
  return text.str();
}

Result<std::vector<frontend::ParameterSignature>> signature_from_text(std::string_view text) {
  std::vector<frontend::ParameterSignature> signature;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    frontend::ParameterSignature entry;
    int kind = 0, storage = 0;
    if (!(fields >> kind >> entry.value >> entry.logical >> storage >> entry.rows >> entry.cols)) {
      return Failure{"a damaged signature"};
    }
    entry.kind = static_cast<frontend::ParameterSignature::Kind>(kind);
    entry.storage = static_cast<Storage>(storage);
    for (std::int64_t offset = 0; fields >> offset;) entry.offsets.push_back(offset);
    signature.push_back(std::move(entry));
  }
  return signature;
}

}  // namespace lac::driver
