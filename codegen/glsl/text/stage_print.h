// The text of a stage from its parts (ShaderSource), and the parts of stages as parts of another shader.
//
// Texts refer to a binding, a parameter or a shared array by its name between two marks: "@x@[i] = @n@". GLSL has no
// such character, so that printing under other names is a matter of these marks alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

std::string reference(std::string_view name);

/// Every reference of `text` becomes `name_of(what it refers to)`, which may refer to something in its turn.
std::string resolve(std::string_view text, const std::function<std::string(const std::string&)>& name_of);

/// "shared double @parts@[256];"
ShaderDefinition shared_array(const std::string& name, std::string_view type, std::int64_t count);

/// Offsets for the parameters, 8-byte types first so that none needs padding; a binding for them where they are too
/// many to be pushed. The bindings are complete and have their numbers.
void lay_out_parameters(ShaderStage& stage);
/// A binding for the block of the parameters, which has none yet.
void bind_parameters(ShaderStage& stage);

/// All but what stands in front of the first declaration.
std::string print_code(const ShaderStage& stage);
/// The whole text, with a buffer reference in place of every binding that has an address.
std::string print_stage(const ShaderStage& stage);

}  // namespace lac::codegen::glsl
