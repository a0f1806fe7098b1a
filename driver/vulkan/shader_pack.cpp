#include "driver/vulkan/shader_pack.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "driver/vulkan/shader_stages.h"

namespace lac::driver {

namespace {

using runtime::vulkan::Pack;
using runtime::vulkan::PackBranch;
using runtime::vulkan::PackCommand;
using runtime::vulkan::PackCopy;
using runtime::vulkan::PackDispatch;
using runtime::vulkan::PackFail;
using runtime::vulkan::PackFill;
using runtime::vulkan::PackInput;
using runtime::vulkan::PackLoop;
using runtime::vulkan::PackOutput;
using runtime::vulkan::PackRange;
using runtime::vulkan::PackUpload;
using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

constexpr std::string_view languages[] = {"spirv", "hlsl", "msl", "essl"};  ///< of shader_stages

const char* element_name(Element element) {
  switch (element) {
    case Element::single: return "float32";
    case Element::logical: return "uint32";
    default: return "float64";
  }
}

const char* array_name(ArrayRole role) {
  switch (role) {
    case ArrayRole::row_pointers: return "row_pointers";
    case ArrayRole::columns: return "columns";
    default: return "values";
  }
}

Json range(const PackRange& range) { return {range.buffer, range.offset, range.bytes}; }

class PackWriter {
 public:
  PackWriter(const Pack& pack, const std::string& program) : pack_(pack) {
    json_["format"] = format_version;
    json_["program"] = program;
  }

  std::vector<api::EmittedFile> files() {
    Json shaders = Json::array();
    bool float64 = false;
    for (const ShaderStage* stage : pack_.shaders) {
      shaders.push_back(shader(*stage));
      float64 |= stage->float64;
    }
    json_["needs"] = {{"float64", float64}, {"push_constant_bytes", push_constant_bytes}};
    json_["shaders"] = std::move(shaders);
    json_["inputs"] = Json::array();
    for (const PackInput& input : pack_.inputs) json_["inputs"].push_back(this->input(input));
    Json commands = this->commands(pack_.commands);
    json_["buffers"] = buffers();
    json_["commands"] = std::move(commands);
    json_["outputs"] = Json::array();
    for (const PackOutput& output : pack_.outputs) json_["outputs"].push_back(this->output(output));
    json_["left_out"] = pack_.remarks;
    std::vector<api::EmittedFile> all = {{"pack.json", text()}, {"data.bin", std::move(data_)}};
    std::ranges::move(files_, std::back_inserter(all));
    return all;
  }

 private:
  /// A line for each shader, buffer, command, ...
  std::string text() const {
    std::string text = "{";
    for (const auto& [key, value] : json_.items()) {
      text += (text.size() > 1 ? ",\n\"" : "\n\"") + key + "\": ";
      if (!value.is_array()) text += value.dump();
      else lines(text, value, "  ");
    }
    return text + "\n}\n";
  }
  static void lines(std::string& text, const Json& array, const std::string& indent) {
    text += "[";
    for (std::size_t n = 0; n < array.size(); ++n) {
      text += (n > 0 ? ",\n" : "\n") + indent;
      const Json& each = array[n];
      if (each.contains("commands")) with_lists(text, each, indent);
      else text += each.dump();
    }
    text += "]";
  }

  /// A command that has commands.
  static void with_lists(std::string& text, const Json& command, const std::string& indent) {
    text += "{";
    for (const auto& [key, value] : command.items()) {
      text += (text.back() == '{' ? "\"" : ", \"") + key + "\": ";
      if (key == "commands" || key == "else") lines(text, value, indent + "  ");
      else text += value.dump();
    }
    text += "}";
  }

  Json shader(const ShaderStage& stage) {
    Json files = Json::object(), refused = Json::object();
    for (const std::string_view language : languages) {
      Result<api::EmittedFile> file = shader_file(language, stage);
      if (!file) {
        refused[std::string(language)] = file.failure().message;
        continue;
      }
      files[std::string(language)] = file.value().name;
      files_.push_back(file.take());
    }
    Json bindings = Json::array();
    Json parameters = {{"bytes", stage.parameter_bytes}, {"place", "push_constants"}};
    for (const lac::Binding& binding : stage.bindings) {
      if (binding.kind == ResourceKind::parameters)
        parameters = {{"bytes", stage.parameter_bytes}, {"place", "buffer"}, {"binding", binding.number}};
      else
        bindings.push_back({{"binding", binding.number},
                            {"name", binding.name},
                            {"read", binding.read},
                            {"written", binding.written}});
    }
    Json described = {{"name", stage.name},
                      {"files", files},
                      {"workgroup", stage.workgroup},
                      {"parameters", parameters},
                      {"bindings", bindings}};
    if (stage.float64) described["float64"] = true;
    // Metal's buffers have the numbers of the bindings; push constants come behind them (codegen/glsl/spirv/translate).
    if (parameters["place"] == "push_constants") described["parameters"]["metal_buffer"] = stage.bindings.size();
    if (!refused.empty()) described["not_in"] = refused;
    return described;
  }

  std::uint64_t data(const std::vector<std::byte>& bytes) {
    data_.resize((data_.size() + 15) / 16 * 16);
    const std::uint64_t at = data_.size();
    data_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return at;
  }

  Json input(const PackInput& input) {
    return {{"name", input.name},
            {"array", array_name(input.role)},
            {"element", input.role == ArrayRole::values ? element_name(input.element) : "int32"},
            {"rows", input.rows},
            {"cols", input.cols},
            {"at", range(input.range)},
            {"data", data(input.bytes)}};
  }

  Json output(const PackOutput& output) const {
    Json described = {{"name", output.name}};
    if (output.counted) {
      described["trips_of"] = {output.range.buffer, output.range.offset};
      described["first"] = output.first;
      described["step"] = output.step;
      return described;
    }
    described["element"] = element_name(output.element);
    described["rows"] = output.rows;
    described["cols"] = output.cols;
    described["at"] = range(output.range);
    return described;
  }

  Json commands(const std::vector<PackCommand>& list) {
    Json all = Json::array();
    for (const PackCommand& command : list)
      all.push_back(std::visit([&](const auto& each) { return this->command(each); }, command.what));
    return all;
  }

  Json command(const PackDispatch& dispatch) const {
    Json resources = Json::array();
    for (const PackRange& resource : dispatch.resources) resources.push_back(range(resource));
    std::vector<std::uint32_t> words(dispatch.parameters.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), dispatch.parameters.data(), words.size() * sizeof(std::uint32_t));
    Json described = {{"dispatch", dispatch.shader}, {"resources", resources}, {"parameters", words}};
    if (dispatch.counts) described["counts"] = {dispatch.counts->buffer, dispatch.counts->offset};
    else described["groups"] = dispatch.groups;
    return described;
  }
  Json command(const PackCopy& copy) const { return {{"copy", {range(copy.from), range(copy.to)}}}; }
  Json command(const PackFill& fill) const { return {{"fill", range(fill.to)}, {"word", fill.word}}; }
  Json command(const PackUpload& upload) { return {{"upload", range(upload.to)}, {"data", data(upload.bytes)}}; }
  Json command(const PackLoop& loop) {
    return {{"while", {loop.state.buffer, loop.state.offset}}, {"commands", commands(loop.commands)}};
  }
  Json command(const PackFail& fail) const { return {{"fail", fail.what}}; }
  Json command(const PackBranch& branch) {
    return {{"if", {branch.condition.buffer, branch.condition.offset}},
            {"element", element_name(branch.element)},
            {"commands", commands(branch.chosen)},
            {"else", commands(branch.others)}};
  }

  /// With the first and the last command that uses each: -1 is before the first, one more than the last behind it.
  Json buffers() const {
    struct Life {
      std::int64_t first = -2, last = -2;
    };
    std::vector<Life> lives(pack_.buffers.size());
    const auto use = [&](const PackRange& range, std::int64_t at) {
      Life& life = lives[range.buffer];
      if (life.first == -2) life.first = at;
      life.last = std::max(life.last, at);
    };
    for (const PackInput& input : pack_.inputs) use(input.range, -1);
    for (std::size_t at = 0; at < pack_.commands.size(); ++at)
      for_each_range(pack_.commands[at], [&](const PackRange& range) { use(range, static_cast<std::int64_t>(at)); });
    for (const PackOutput& output : pack_.outputs) use(output.range, static_cast<std::int64_t>(pack_.commands.size()));
    Json all = Json::array();
    for (std::size_t b = 0; b < lives.size(); ++b)
      all.push_back({{"bytes", pack_.buffers[b]}, {"first", lives[b].first}, {"last", lives[b].last}});
    return all;
  }

  template <class Visit>
  static void for_each_range(const PackCommand& command, const Visit& visit) {
    if (const auto* dispatch = std::get_if<PackDispatch>(&command.what)) {
      std::ranges::for_each(dispatch->resources, visit);
      if (dispatch->counts) visit(*dispatch->counts);
    } else if (const auto* copy = std::get_if<PackCopy>(&command.what)) {
      visit(copy->from);
      visit(copy->to);
    } else if (const auto* fill = std::get_if<PackFill>(&command.what)) {
      visit(fill->to);
    } else if (const auto* upload = std::get_if<PackUpload>(&command.what)) {
      visit(upload->to);
    } else if (const auto* loop = std::get_if<PackLoop>(&command.what)) {
      visit(loop->state);
      for (const PackCommand& each : loop->commands) for_each_range(each, visit);
    } else if (const auto* branch = std::get_if<PackBranch>(&command.what)) {
      visit(branch->condition);
      for (const auto* arm : {&branch->chosen, &branch->others})
        for (const PackCommand& each : *arm) for_each_range(each, visit);
    }
  }

  const Pack& pack_;
  Json json_;
  std::string data_;
  std::vector<api::EmittedFile> files_;
};

}  // namespace

std::vector<api::EmittedFile> files_of(const Pack& pack, const std::string& program) {
  return PackWriter(pack, program).files();
}

}  // namespace lac::driver
