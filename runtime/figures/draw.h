// The commands of drawing: each changes the figures of a run.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ir/support/result.h"
#include "runtime/figures/arguments.h"
#include "runtime/figures/figure.h"

namespace lac::runtime::figures {

/// Carries out the command; what it says where that fails. `write` takes the name and the bytes of a file.
using WriteFile = std::function<void(const std::string& path, const std::string& bytes)>;
void draw(Figures& figures, const Arguments& arguments, const WriteFile& write);

/// The current figure, which is made where there is none; its current axes likewise.
Figure& current_figure(Figures& figures);
Axes& current_axes(Figures& figures);

/// Commands that add series; null: the name is of another command. (series_commands.cpp)
using Command = void (*)(Figures&, const Arguments&);
Command series_command(std::string_view name);

/// Whether there is more in it than empty axes.
bool shows_something(const Figure& figure);

/// The bytes of the figure as a file of the kind that `format` names: svg, png.
std::string file_bytes(const Figure& figure, const std::string& format, double resolution);

}  // namespace lac::runtime::figures
