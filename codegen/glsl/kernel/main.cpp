#include "codegen/glsl/kernel/main.h"

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/glsl/kernel/contraction.h"
#include "codegen/glsl/kernel/stages.h"
#include "codegen/glsl/kernel/texel.h"
#include "ir/kernel/body.h"
#include "ir/kernel/guard.h"

namespace lac::codegen::glsl {
namespace {

class MainStage {
 public:
  MainStage(const KernelContext& context, const StagePlan& plan)
      : context_(context),
        kernel_(context.kernel),
        plan_(plan),
        guard_(guard_of(kernel_)),
        stored_(stored_values(kernel_, guard_)),
        writer_(stage_writer(context, "", StageKind::main)),
        body_(writer_, context, kernel_.body, guard_ ? stored_ : results_of(kernel_)) {}

  ShaderStage run() {
    for (std::uint32_t total : plan_.totals)
      totals_.push_back(declare_accumulator(writer_, context_, kernel_.reductions[total]));
    const std::array<GroupCount, 3> groups = guarded_walk();
    if (!totals_.empty()) finish_totals();
    if (plan_.in_last_group) {
      open_last_group(writer_);
      emit_totals(writer_, context_, plan_);
    }
    if (plan_.in_last_group || !plan_.combines) emit_tail(writer_, plan_);
    if (plan_.in_last_group) writer_.close();
    return writer_.finish(groups);
  }

 private:
  std::array<GroupCount, 3> guarded_walk() {
    if (!guard_) return walk();
    const std::string holds = emit_scalar(writer_, context_, guard_->input, Element::logical).text;
    writer_.open("if (" + std::string(guard_->wanted ? "" : "!") + holds + ")");
    const std::array<GroupCount, 3> groups = walk();
    writer_.close();
    return groups;
  }

  std::array<GroupCount, 3> walk() {
    const bool reduces = !plan_.totals.empty();
    const Visit at_point = [&](const Point& point, const std::string& c) { visit(point, c); };
    switch (walk_of(context_)) {
      case GroupWalk::points:
      case GroupWalk::tiles: return emit_points(writer_, context_, reduces, at_point);
      case GroupWalk::contraction: return emit_tiles(writer_, context_, at_point);
      case GroupWalk::texels:
        return emit_texels(
            writer_, context_, reduces, [&] { begin_texels(); }, at_point,
            [&](const std::string& place) { end_texels(place); });
      case GroupWalk::lines:
      case GroupWalk::strips:
      case GroupWalk::group_lines:
      case GroupWalk::none: break;
    }
    return emit_lines(
        writer_, context_, reduces, [&](const std::string&) { begin_line(); }, at_point,
        [&](const std::string& line) { end_line(line); });
  }

  void visit(const Point& point, const std::string& contraction) {
    const bool sums = contraction.empty() && body_.needs_contraction();
    const std::string c = sums ? emit_contraction(writer_, context_, point) : contraction;
    body_.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::uint32_t s = 0; s < kernel_.stores.size(); ++s) store(s, point);
    for (std::size_t t = 0; t < totals_.size(); ++t) reduce(plan_.totals[t], totals_[t], point);
    for (std::size_t l = 0; l < lines_.size(); ++l) reduce(plan_.lines[l], lines_[l], point);
  }

  void store(std::uint32_t number, const Point& point) {
    const Store& store = kernel_.stores[number];
    const Type& type = kernel_.outputs[store.output].type;
    Position position = emit_position(writer_, kernel_, store.map, type, point, body_.gathered(store.map));
    const auto scatter = std::ranges::find(plan_.scatters, number, &Scatter::store);
    if (scatter != plan_.scatters.end()) {
      const std::string wins = winner_array(writer_, *scatter, true, false) + "[" + position.index +
                               "] == " + domain_position(writer_, kernel_, point) + " + 1";
      position.inside = position.inside.empty() ? wins : position.inside + " && " + wins;
    }
    if (context_.outputs[store.output] == Layout::texel)
      writer_.line(texels_.at(store.output) + "[part] = " + body_.value(stored_[number]).text + ";");
    else emit_store(writer_, context_, store.output, position, body_.value(stored_[number]));
  }

  // Elements past the end stay zero.
  void begin_texels() {
    for (std::uint32_t o = 0; o < context_.outputs.size(); ++o) {
      if (context_.outputs[o] != Layout::texel) continue;
      texels_[o] = writer_.local(kernel_.outputs[o].name + "_texel");
      writer_.line("vec4 " + texels_[o] + " = vec4(0.0);");
    }
  }

  void end_texels(const std::string& place) {
    for (const auto& [output, texel] : texels_) emit_texel_store(writer_, context_, output, place, texel);
  }

  void reduce(std::uint32_t number, const Accumulator& accumulator, const Point& point) {
    const KernelReduction& reduction = kernel_.reductions[number];
    accumulate(writer_, accumulator, body_.value_as(reduction.value, accumulator.element).text,
               accumulator.position.empty() ? "" : "(" + position_along(reduction, point) + " + 1)");
  }

  std::string position_along(const KernelReduction& reduction, const Point& point) {
    switch (effective_axis(kernel_, reduction.reduction.axis)) {
      case Axis::rows: return point.i;
      case Axis::cols: return point.j;
      case Axis::all: break;
    }
    return domain_position(writer_, kernel_, point);
  }

  void begin_line() {
    lines_.clear();
    for (std::uint32_t line : plan_.lines)
      lines_.push_back(declare_accumulator(writer_, context_, kernel_.reductions[line]));
  }

  void end_line(const std::string& line) {
    const GroupWalk walk = kernel_.schedule.groups.walk;
    const bool strips = walk == GroupWalk::strips, together = strips || walk == GroupWalk::group_lines;
    if (together)
      for (const Accumulator& accumulator : lines_) emit_workgroup_tree(writer_, accumulator, strips ? strip_rows : 1);
    if (strips)
      writer_.open("if (" + lane(writer_) + " < " + std::to_string(strip_rows) + " && " + line + " < " +
                   writer_.size(kernel_.rows) + ")");
    else if (together) open_first_lane(writer_);
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      const KernelReduction& reduction = kernel_.reductions[plan_.lines[l]];
      if (plan_.line_partials.empty()) emit_result(writer_, context_, reduction, lines_[l], line);
      else
        hand_on(reduction, plan_.line_partials[l], lines_[l],
                "[int(gl_WorkGroupID.y) * " + writer_.size(line_count(context_)) + " + " + line + "] = ");
    }
    if (together) writer_.close();
  }

  void finish_totals() {
    for (const Accumulator& accumulator : totals_) emit_workgroup_tree(writer_, accumulator);
    open_first_lane(writer_);
    for (std::size_t t = 0; t < totals_.size(); ++t) {
      const KernelReduction& reduction = kernel_.reductions[plan_.totals[t]];
      if (plan_.combines)
        hand_on(reduction, plan_.partials[t], totals_[t],
                "[int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)] = ");
      else emit_result(writer_, context_, reduction, totals_[t], "0");
    }
    writer_.close();
  }

  void hand_on(const KernelReduction& reduction, const StagePlan::Partial& partial, const Accumulator& accumulator,
               const std::string& at) {
    const PartialNames names = partial_names(writer_, context_, reduction, partial, accumulator, true);
    if (plan_.in_last_group) share_among_groups(partial);
    writer_.line(names.value + at + to_memory(accumulator.value, accumulator.element) + ";");
    if (!names.position.empty()) writer_.line(names.position + at + accumulator.position + ";");
  }

  void share_among_groups(const StagePlan::Partial& partial) {
    writer_.is_coherent(ResourceKind::scratch, partial.value);
    if (partial.position >= 0) writer_.is_coherent(ResourceKind::scratch, static_cast<std::uint32_t>(partial.position));
  }

  const KernelContext& context_;
  const Kernel& kernel_;
  const StagePlan& plan_;
  const std::optional<Guard> guard_;
  const std::vector<InstrId> stored_;  ///< by store
  StageWriter writer_;
  BodyEmitter body_;
  std::vector<Accumulator> totals_, lines_;
  std::map<std::uint32_t, std::string> texels_;  ///< the vec4 of each output of Layout::texel
};

}  // namespace

ShaderStage emit_main_stage(const KernelContext& context, const StagePlan& plan) {
  return MainStage(context, plan).run();
}

}  // namespace lac::codegen::glsl
