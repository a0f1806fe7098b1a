// The page of `lac explain`: page.html with the data in place of its marker. It needs no other file and no network.
#pragma once

#include <string_view>

namespace lac::cli {

inline constexpr std::string_view data_marker = "\"the data\"";

std::string_view explain_page();

}  // namespace lac::cli
