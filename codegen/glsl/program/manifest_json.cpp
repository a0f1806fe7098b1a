// The manifest of a plan's shaders as JSON: what a program needs to know to dispatch them itself.
#include <fmt/format.h>

#include "codegen/glsl/spirv/spirv.h"
#include "ir/support/json_text.h"

namespace lac::codegen::glsl {

namespace {

/// A JSON object or array under construction, two spaces a level; short ones fit on one line.
class Items {
 public:
  explicit Items(char bracket) : bracket_(bracket) {}

  Items& add(const std::string& value) {
    items_.push_back(value);
    return *this;
  }
  Items& add(std::string_view key, const std::string& value) { return add(quoted_json(key) + ": " + value); }
  Items& text(std::string_view key, std::string_view value) { return add(key, quoted_json(value)); }
  Items& flag(std::string_view key, bool value) { return add(key, value ? "true" : "false"); }
  template <class Number>
  Items& number(std::string_view key, Number value) {
    return add(key, fmt::format("{}", value));
  }

  std::string finish() const {
    std::size_t length = 0;
    bool flat = true;
    for (const std::string& item : items_) {
      length += item.size() + 2;
      flat = flat && item.find('\n') == std::string::npos;
    }
    const char closing = bracket_ == '{' ? '}' : ']';
    if (flat && length < 100) return fmt::format("{}{}{}", bracket_, fmt::join(items_, ", "), closing);
    std::string result(1, bracket_);
    for (std::size_t i = 0; i < items_.size(); ++i) result += (i == 0 ? "\n  " : ",\n  ") + indented(items_[i]);
    return result + "\n" + closing;
  }

 private:
  static std::string indented(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return result;
  }

  char bracket_;
  std::vector<std::string> items_;
};

template <class List, class ToJson>
std::string array(const List& list, ToJson to_json) {
  Items items('[');
  for (const auto& item : list) items.add(to_json(item));
  return items.finish();
}

constexpr std::string_view resource_names[] = {"values",  "rest",    "row_pointers", "columns", "output",
                                               "scalars", "scratch", "parameters",   "control"};
constexpr std::string_view parameter_names[] = {"size", "scalar",  "scalar_input", "scalar_output", "groups",
                                                "seed", "counter", "part",         "control"};
constexpr std::string_view type_names[] = {"int32", "float32", "float64", "uint64"};
constexpr std::string_view shader_types[] = {"compute", "vertex", "fragment"};
static_assert(std::size(shader_types) == static_cast<int>(ShaderType::fragment) + 1);
static_assert(std::size(resource_names) == static_cast<int>(ResourceKind::control) + 1);
static_assert(std::size(parameter_names) == static_cast<int>(ParameterKind::control) + 1);
static_assert(std::size(type_names) == static_cast<int>(ParameterType::uint64) + 1);

class Writer {
 public:
  explicit Writer(const Graph& plan) : plan_(plan) {}

  std::string stage(const ShaderStage& stage) const {
    Items parameters('{');
    parameters.number("bytes", stage.parameter_bytes)
        .text("place", stage.parameters_in_buffer ? "buffer" : "push_constants")
        .add("fields", array(stage.parameters, [this](const ShaderParameter& p) { return parameter(p); }));
    return Items('{')
        .text("name", stage.name)
        .text("type", shader_types[static_cast<int>(stage.type)])
        .text("kind", name(stage.kind))
        .flag("float64", stage.float64)
        .add("workgroup", array(stage.workgroup, [](std::uint32_t size) { return std::to_string(size); }))
        .add("groups", array(stage.groups, [this](const GroupCount& count) { return groups(count); }))
        .add("parameters", parameters.finish())
        .add("bindings", array(stage.bindings, binding))
        .finish();
  }

  std::string shaders(const KernelShaders& kernel) const {
    return Items('{')
        .text("name", kernel.name)
        .add("tail", array(kernel.tail, [](KernelId id) { return std::to_string(id.index); }))
        .add("scratch", array(kernel.scratch, [this](const Scratch& memory) { return scratch(memory); }))
        .add("stages", array(kernel.stages, [this](const ShaderStage& s) { return stage(s); }))
        .finish();
  }

 private:
  std::string size(const Size& size) const { return quoted_json(plan_.text(size)); }

  static std::string binding(const Binding& binding) {
    return Items('{')
        .number("binding", binding.number)
        .text("name", binding.name)
        .text("kind", resource_names[static_cast<int>(binding.kind)])
        .number("index", binding.index)
        .flag("read", binding.read)
        .flag("written", binding.written)
        .text("layout", binding.layout == Layout::texel ? "texel" : "buffer")
        .finish();
  }

  std::string parameter(const ShaderParameter& parameter) const {
    Items items('{');
    items.number("offset", parameter.offset)
        .text("name", parameter.name)
        .text("type", type_names[static_cast<int>(parameter.type)])
        .text("kind", parameter_names[static_cast<int>(parameter.kind)]);
    if (parameter.kind == ParameterKind::size) return items.add("size", size(parameter.size)).finish();
    return items.number("index", parameter.index).finish();
  }

  std::string groups(const GroupCount& count) const {
    Items items('{');
    items.add("elements", size(count.elements)).number("per_group", count.per_group);
    if (count.least > 0) items.number("least", count.least);
    if (count.most > 0) items.number("most", count.most);
    return items.finish();
  }

  std::string scratch(const Scratch& memory) const {
    Items items('{');
    items.add("elements", size(memory.elements)).number("element_bytes", memory.element_bytes);
    if (memory.stage >= 0) items.number("per_group_of_stage", memory.stage);
    return items.finish();
  }

  const Graph& plan_;
};

}  // namespace

std::string manifest_json(const Graph& plan, const ShaderProgram& program) {
  const Writer writer(plan);
  return Items('{')
             .add("kernels", array(program.kernels, [&](const KernelShaders& k) { return writer.shaders(k); }))
             .add("steps", array(program.steps, [&](const auto& step) { return writer.shaders(step.second); }))
             .add("loops", array(program.loops, [&](const auto& loop) { return writer.stage(loop.second.stage); }))
             .add("control", array(program.control, [&](const ShaderStage& s) { return writer.stage(s); }))
             .finish() +
         "\n";
}

}  // namespace lac::codegen::glsl
