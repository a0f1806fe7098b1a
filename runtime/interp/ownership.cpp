#include "runtime/interp/ownership.h"

#include <algorithm>
#include <string>

#include "ir/support/result.h"

namespace lac::runtime::interp {
namespace {

[[noreturn]] void fail(const char* what, ValueId value) {
  throw InternalError(std::string(what) + " of %" + std::to_string(value.index));
}

bool is_planned(const Graph& graph) {
  bool planned = false;
  for_each_op(graph, graph.body, [&](OpId id) {
    const Op& op = graph.ops[id];
    planned = planned || has_trait(op.kind, trait::plan) || !op.reuse.empty();
  });
  return planned;
}

}  // namespace

Ownership::Ownership(const Graph& graph, const Plan* plan)
    : graph_(graph),
      plan_(plan),
      tracked_(is_planned(graph)),
      buffer_of_(graph.values.size()),
      occupied_(plan != nullptr ? plan->buffers.size() : 0) {}

bool Ownership::ignores(ValueId value) const { return !tracked_ || graph_.type(value).is_scalar(); }

void Ownership::define(ValueId value, std::int64_t bytes, bool borrowed) {
  if (ignores(value)) return;
  occupy(value);
  Reference& reference = buffer_of_[value.index];
  reference = {buffers_.size(), buffers_made_++};
  if (free_.empty()) {
    buffers_.emplace_back();
  } else {
    reference.place = free_.back();
    free_.pop_back();
  }
  buffers_[reference.place] = {bytes, borrowed, true, reference.made};
  if (!borrowed) peak_bytes_ = std::max(peak_bytes_, live_bytes_ += bytes);
}

void Ownership::define_view(ValueId value, ValueId source) {
  if (ignores(value)) return;
  buffer_of_[value.index] = buffer_of_[source.index];
  if (plan_ != nullptr && plan_->buffer(value) != plan_->buffer(source))
    fail("a buffer that it does not lie in", value);
}

void Ownership::occupy(ValueId value) {
  if (plan_ == nullptr) return;
  const auto buffer = plan_->buffer(value).index;
  if (occupied_[buffer]) fail("a buffer that another matrix lies in", value);
  occupied_[buffer] = true;
}

void Ownership::vacate(ValueId value) {
  if (plan_ != nullptr) occupied_[plan_->buffer(value).index] = false;
}

bool Ownership::is_live(const Reference& reference) const {
  return reference.made >= 0 && buffers_[reference.place].made == reference.made && buffers_[reference.place].live;
}

void Ownership::check_read(ValueId value) const {
  if (!ignores(value) && !is_live(buffer_of_[value.index])) fail("use after release", value);
}

void Ownership::end(ValueId value) {
  check_read(value);
  const std::size_t place = buffer_of_[value.index].place;
  Buffer& buffer = buffers_[place];
  if (buffer.borrowed) fail("takeover or release of a borrowed parameter, the buffer", value);
  buffer.live = false;
  vacate(value);
  live_bytes_ -= buffer.bytes;
  free_.push_back(place);
}

void Ownership::take_over(ValueId source) {
  if (!ignores(source)) end(source);
}

void Ownership::check_end() const {
  const auto left = [](const Buffer& buffer) { return buffer.live && !buffer.borrowed; };
  const auto count = std::count_if(buffers_.begin(), buffers_.end(), left);
  if (count > 0) throw InternalError(std::to_string(count) + " buffers are never released");
}

void Ownership::release(ValueId value) {
  if (!ignores(value)) end(value);
}

}  // namespace lac::runtime::interp
