// What a program shows of its variables.
#pragma once

#include <functional>
#include <string>

#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// A matrix as `name = ...`; without a name as disp does. A %d in the name is the number of an element that the run
/// finds.
void show(Emitter& e, ValueId value, const std::string& name, std::uint32_t indent = 0, ValueId number = {});
/// [] as `name = [](0x0)`.
void show_nothing(Emitter& e, const std::string& name, std::uint32_t indent, ValueId number);
void print_binding(Emitter& e, const std::string& name, const Binding& binding, std::uint32_t indent = 0,
                   ValueId number = {});
/// A struct, an array of structs or a cell array.
void print_aggregate(Emitter& e, const std::string& name, const Binding& aggregate, std::uint32_t indent = 0,
                     ValueId number = {});
/// Cells of which the run finds how many there are.
void print_stacked_cells(Emitter& e, const std::string& name, const Binding& cells, std::uint32_t indent,
                         ValueId number);
/// What is shown of structs of which the run finds how many there are: of one, or of none and several.
void either_struct(Emitter& e, const Binding& structs, const std::function<void(const Binding&)>& single,
                   const std::function<void()>& several);
/// An array of three dimensions or more, page by page.
void print_array(Emitter& e, const std::string& name, const Binding& array, std::uint32_t indent = 0);

}  // namespace lac::frontend
