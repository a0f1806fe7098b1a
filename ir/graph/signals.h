// Messages that are no messages: what a program says to whoever runs it. Their ids are below.
#pragma once

#include <string_view>

namespace lac {

/// The id of the check that `exit(status)` becomes: it always fails, and its message is the status. Whoever runs
/// programs for a user takes a failure with this id for an end with that status.
inline constexpr std::string_view exit_id = "lac:exit";

/// The id of the warning that `warning("off", id)` becomes; its message is "off id" or "on id". It is not shown: it
/// switches the warnings with that id (`all`: every one) from there on.
inline constexpr std::string_view switch_id = "lac:warning";

/// The id of the warning that `format long` and `format short` become; its message is "long" or "short". It is not
/// shown: values are shown so from there on.
inline constexpr std::string_view format_id = "lac:format";

}  // namespace lac
