#include "driver/explain/plan_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/core/places.h"
#include "ir/graph/text.h"
#include "runtime/stats.h"

namespace lac::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_text = 40;  // of a printf's format in a label

/// One line of it.
std::string shortened(const std::string& text) {
  std::string line;
  for (const char c : text.substr(0, longest_text)) {
    if (c == '\n') line += "\\n";
    else line += c;
  }
  return text.size() <= longest_text ? line : line + "...";
}

class Explainer {
 public:
  Explainer(const Plan& plan, const SourceManager& sources) : plan_(plan), sources_(sources) {
    files_.insert(FileId{0});
    for (const Buffer& buffer : plan.buffers) lanes_.push_back(buffer.either.empty() ? count_++ : 0);
  }

  Json kernels(const std::vector<std::vector<KernelCode>>& codes) {
    const std::vector<std::string> texts = print_each_kernel(plan_, &sources_);
    Json list = Json::array();
    for (std::uint32_t n = 0; n < plan_.kernels.size(); ++n) {
      const Kernel& kernel = plan_.kernels[KernelId{n}];
      std::set<std::pair<FileId, std::uint32_t>> places;
      for (LocationId location : kernel.locations)
        if (const Span span = span_of(location); span.valid()) places.emplace(span.file, sources_.begin(span).line);
      Json entry = {{"id", runtime::kernel_id(n)}, {"name", kernel.name}, {"places", Json::array()}};
      for (const auto& [file, line] : places) entry["places"].push_back(place_text(file, line));
      entry["text"] = texts[n];
      entry["code"] = Json::array();
      for (const KernelCode& code : codes[n]) entry["code"].push_back({{"title", code.title}, {"text", code.text}});
      list.push_back(std::move(entry));
    }
    for (const auto& [launch, tail] : plan_.tails)
      for (OpId id : tail) list[kernel_of(launch)]["tail"].push_back(runtime::kernel_id(kernel_of(id)));
    return list;
  }

  std::uint32_t kernel_of(OpId launch) const { return attribute<KernelId>(plan_.ops[launch]).index; }

  Json steps(BlockId block) {
    Json list = Json::array();
    for (OpId id : plan_.blocks[block].ops) {
      Json step = step_of(plan_.ops[id]);
      if (!step.is_null()) list.push_back(std::move(step));
    }
    return list;
  }

  Json buffers() const {
    Json list = Json::array();
    for (std::uint32_t n = 0; n < plan_.buffers.size(); ++n) {
      const Buffer& buffer = plan_.buffers[BufferId{n}];
      if (!buffer.either.empty()) continue;
      list.push_back({{"name", name(plan_, BufferId{n})},
                      {"type", plan_.text(plan_.type(buffer.values[0]))},
                      {"borrowed", buffer.borrowed}});
    }
    return list;
  }

  /// Of the files that places have named so far.
  Json texts() const {
    Json list = Json::array();
    for (FileId file : files_) list.push_back({{"file", sources_.file(file).name}, {"text", sources_.file(file).text}});
    return list;
  }

 private:
  Span span_of(LocationId id) const { return plan_.locations.contains(id) ? plan_.locations[id].span : Span{}; }

  std::string place_text(FileId file, std::uint32_t line) {
    files_.insert(file);
    return text_of({sources_.file(file).name, line});
  }

  /// Null for what nobody looks for: scalars of the host, memory that is given back.
  Json step_of(const Op& op) {
    const std::vector<std::uint32_t> written = lanes(written_by(op));
    std::string label = label_of(op);
    Json bodies = Json::array();
    for (BlockId block : op.blocks) bodies.push_back(steps(block));
    const bool holds_steps = std::ranges::any_of(bodies, [](const Json& body) { return !body.empty(); });
    if (label.empty() || (!op.blocks.empty() && !holds_steps && written.empty())) return {};
    Json step = {{"kind", std::string(info(op.kind).name)}, {"label", std::move(label)}};
    if (const Span span = span_of(op.location); span.valid())
      step["place"] = place_text(span.file, sources_.begin(span).line);
    if (const KernelId* kernel = std::get_if<KernelId>(&op.attribute))
      step["kernel"] = runtime::kernel_id(kernel->index);
    if (op.blocks.empty()) step["reads"] = lanes(op.operands);
    else step["bodies"] = std::move(bodies);
    step["writes"] = written;
    step["written"] = Json::array();
    for (ValueId result : op.results)
      if (op.blocks.empty() && makes_matrix(result)) step["written"].push_back(plan_.values[result].name);
    return step;
  }

  /// Where the values lie, each lane once; scalars lie in none.
  std::vector<std::uint32_t> lanes(const std::vector<ValueId>& values) const {
    std::vector<std::uint32_t> found;
    for (ValueId value : values)
      for (BufferId buffer : possible_buffers(plan_, value))
        if (const std::uint32_t lane = lanes_[buffer.index]; std::ranges::find(found, lane) == found.end())
          found.push_back(lane);
    return found;
  }

  /// Of a loop or a branch what it makes itself: matrices of scalars.
  std::vector<ValueId> written_by(const Op& op) const {
    if (op.blocks.empty()) return op.results;
    std::vector<ValueId> made = op.results;
    for (BlockId block : op.blocks) {
      const std::vector<ValueId>& arguments = plan_.blocks[block].arguments;
      made.insert(made.end(), arguments.begin(), arguments.end());
    }
    std::erase_if(made, [&](ValueId value) { return !makes_matrix(value) || !lies_first(value); });
    return made;
  }
  bool lies_first(ValueId value) const {
    const Buffer& buffer = plan_.buffers[plan_.buffer(value)];
    return buffer.either.empty() && buffer.values[0] == value;
  }

  bool makes_matrix(ValueId result) const { return !plan_.type(result).is_scalar(); }
  bool makes_matrix(const Op& op) const {
    return std::ranges::any_of(op.results, [&](ValueId result) { return makes_matrix(result); });
  }

  std::string label_of(const Op& op) const {
    switch (op.kind) {
      case OpKind::launch: {
        const KernelId kernel = attribute<KernelId>(op);
        return runtime::kernel_id(kernel.index) + "  " + plan_.kernels[kernel].name;
      }
      case OpKind::parameter: return makes_matrix(op) ? "param " + plan_.values[op.results[0]].name : "";
      case OpKind::reshape: return op.reuse.empty() ? "reshape" : "";  // the same memory, else a copy
      case OpKind::library: return std::string(name(attribute<LibraryFn>(op)));
      case OpKind::output: return "output " + attribute<std::string>(op);
      case OpKind::print: return "print " + attribute<Display>(op).name;
      case OpKind::format: return "printf " + shortened(attribute<Message>(op).format);
      case OpKind::loop: {
        const LoopInfo& loop = attribute<LoopInfo>(op);
        if (loop.kind == LoopKind::for_range) return "for " + loop.variable;
        return loop.kind == LoopKind::while_true ? "while" : "do";
      }
      case OpKind::branch: return "if";
      default: return makes_matrix(op) ? std::string(info(op.kind).name) : "";
    }
  }

  const Plan& plan_;
  const SourceManager& sources_;
  std::vector<std::uint32_t> lanes_;  ///< by buffer; of a choice, none
  std::uint32_t count_ = 0;
  std::set<FileId> files_;
};

}  // namespace

std::string plan_json(const Plan& plan, const SourceManager& sources, std::string_view target,
                      const std::vector<std::vector<KernelCode>>& codes) {
  Explainer explainer(plan, sources);
  Json root = {{"file", sources.file(FileId{0}).name},
               {"target", std::string(target)},
               {"precision", plan.precision == Element::single ? "single" : "double"}};
  Json kernels = explainer.kernels(codes), steps = explainer.steps(plan.body);
  root["sources"] = explainer.texts();
  root["kernels"] = std::move(kernels);
  root["buffers"] = explainer.buffers();
  root["steps"] = std::move(steps);
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lac::driver
