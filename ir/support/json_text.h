// Text in JSON.
#pragma once

#include <string>
#include <string_view>

namespace lac {

/// The text as a string of JSON, in quotes. Bytes that are no UTF-8 become U+FFFD.
std::string quoted_json(std::string_view text);

}  // namespace lac
