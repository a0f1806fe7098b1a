#include "ir/plan/plan_text.h"

#include <cstdint>
#include <unordered_map>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "ir/types/text.h"

namespace lac {
namespace {

constexpr std::string_view opening = "\nplan\n";

// -- writing ----------------------------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(const Plan& plan) : plan_(plan), numbers_(value_numbers(plan)) {}

  std::string section() {
    text_ = opening;
    for (std::uint32_t n = 0; n < plan_.buffers.size(); ++n) buffer(BufferId{n});
    for_each_op(plan_, plan_.body, [&](OpId id) {
      if (const auto planned = plan_.loops.find(id); planned != plan_.loops.end()) loop(plan_.ops[id], planned->second);
    });
    device_scalars();
    if (!plan_.device_steps.empty()) {
      text_ += "  device_steps";
      for (OpId step : plan_.device_steps) text_ += value(plan_.ops[step].results[0]);
      text_ += "\n";
    }
    for_each_op(plan_, plan_.body, [&](OpId id) {
      if (plan_.tail(id).empty()) return;
      text_ += "  tail" + value(plan_.ops[id].results[0]) + " :";
      for (OpId one : plan_.tail(id)) text_ += value(plan_.ops[one].results[0]);
      text_ += "\n";
    });
    return std::move(text_);
  }

 private:
  std::string value(ValueId id) const { return " %" + std::to_string(numbers_.at(id)); }
  static std::string number(BufferId id) { return std::to_string(id.index); }

  void buffer(BufferId id) {
    const Buffer& buffer = plan_.buffers[id];
    text_ += "  buffer " + number(id) + (buffer.borrowed ? " borrowed" : "");
    for (BufferId one : buffer.either) text_ += (one == buffer.either[0] ? " either " : ", ") + number(one);
    for (ValueId each : buffer.values) text_ += value(each);
    const std::string named = name(plan_, id);
    text_ += (named.empty() ? "" : "  ; " + named) + "\n";
  }

  void loop(const Op& op, const LoopPlan& loop) {
    text_ += "  loop" + value(op.results[0]) + " " + std::string(name(loop.mode)) + (loop.native ? " native" : "");
    if (!loop.reason.empty()) text_ += " because " + quoted(loop.reason);
    if (loop.on_device())
      text_ += " sites " + std::to_string(loop.needs.sites) + " log " + std::to_string(loop.needs.log_slots) +
               " branches " + std::to_string(loop.needs.branches);
    for (std::size_t n = 0; n < loop.carried.size(); ++n)
      text_ += (n == 0 ? " carried " : ", ") + number(loop.carried[n].found) + " -> " + number(loop.carried[n].left);
    if (loop.compared) text_ += " compared" + value(loop.compared->first) + "," + value(loop.compared->second);
    text_ += "\n";
  }

  /// In program order.
  void device_scalars() {
    std::string list;
    const auto add = [&](const std::vector<ValueId>& values) {
      for (ValueId each : values)
        if (plan_.places[each] == Place::device) list += value(each);
    };
    for_each_block(plan_, plan_.body, [&](BlockId block) { add(plan_.blocks[block].arguments); });
    for_each_op(plan_, plan_.body, [&](OpId id) { add(plan_.ops[id].results); });
    if (!list.empty()) text_ += "  device" + list + "\n";
  }

  const Plan& plan_;
  std::unordered_map<ValueId, std::uint32_t> numbers_;
  std::string text_;
};

// -- reading ----------------------------------------------------------------------------------------------------------

class Reader {
 public:
  Reader(NumberedGraph graph, std::string_view section)
      : plan_(std::move(graph.graph)), values_(std::move(graph.values)), in_(section) {
    plan_.buffer_of.assign(plan_.values.size(), {});
    for (std::uint32_t n = 0; n < plan_.values.size(); ++n) plan_.places.push(Place::host);
  }

  Plan read() {
    in_.at_end();
    in_.expect_word("plan");
    in_.end_line();
    for (; !in_.at_end(); in_.end_line()) {
      if (in_.accept_word("buffer")) buffer();
      else if (in_.accept_word("loop")) loop();
      else if (in_.accept_word("device")) device();
      else if (in_.accept_word("device_steps")) device_steps();
      else if (in_.accept_word("tail")) tail();
      else in_.fail("expected buffer, loop, device, device_steps or tail");
    }
    return std::move(plan_);
  }

 private:
  ValueId value() {
    const std::uint32_t number = in_.reference('%');
    const auto found = values_.find(number);
    if (found == values_.end()) in_.fail("there is no %" + std::to_string(number));
    return found->second;
  }
  OpId op() {
    const OpId id = plan_.values[value()].op;
    if (!id) in_.fail("expected the result of an op");
    return id;
  }
  std::int32_t count() {
    const std::int64_t number = in_.integer();
    if (number < 0 || number > INT32_MAX) in_.fail("expected a number that fits 31 bits");
    return static_cast<std::int32_t>(number);
  }
  BufferId buffer_id() { return {static_cast<std::uint32_t>(count())}; }

  void buffer() {
    if (in_.integer() != static_cast<std::int64_t>(plan_.buffers.size())) in_.fail("buffers are numbered from 0");
    Buffer read;
    read.borrowed = in_.accept_word("borrowed");
    if (in_.accept_word("either")) do {
        read.either.push_back(buffer_id());
      } while (in_.accept(','));
    const BufferId id{static_cast<std::uint32_t>(plan_.buffers.size())};
    while (in_.next_is('%')) {
      read.values.push_back(value());
      plan_.buffer_of[read.values.back().index] = id;
    }
    plan_.buffers.push(std::move(read));
  }

  LoopMode mode() {
    const std::string word = in_.identifier();
    for (LoopMode mode : {LoopMode::host, LoopMode::counted, LoopMode::chunked, LoopMode::straight})
      if (word == name(mode)) return mode;
    in_.fail("there is no mode '" + word + "'");
  }

  void loop() {
    const OpId id = op();
    if (plan_.ops[id].kind != OpKind::loop) in_.fail("expected what a loop results in");
    LoopPlan read;
    read.mode = mode();
    read.native = in_.accept_word("native");
    if (in_.accept_word("because")) read.reason = in_.quoted_string();
    if (in_.accept_word("sites")) {
      read.needs.sites = count();
      in_.expect_word("log");
      read.needs.log_slots = count();
      in_.expect_word("branches");
      read.needs.branches = count();
    }
    if (in_.accept_word("carried")) do {
        const BufferId found = buffer_id();
        in_.expect('-');
        in_.expect('>');
        read.carried.push_back({found, buffer_id()});
      } while (in_.accept(','));
    if (in_.accept_word("compared")) {
      const ValueId left = value();
      in_.expect(',');
      read.compared = {left, value()};
    }
    plan_.loops.emplace(id, std::move(read));
  }

  void device() {
    while (in_.next_is('%')) plan_.places[value()] = Place::device;
  }
  void device_steps() {
    while (in_.next_is('%')) plan_.device_steps.insert(op());
  }
  void tail() {
    std::vector<OpId>& ops = plan_.tails[op()];
    in_.expect(':');
    while (in_.next_is('%')) ops.push_back(op());
  }

  Plan plan_;
  std::map<std::uint32_t, ValueId> values_;
  TextReader in_;
};

}  // namespace

std::string print_plan(const Plan& plan, const SourceManager* sources) {
  return print(plan, sources) + Writer(plan).section();
}

Result<Plan> parse_plan(std::string_view text) {
  const std::size_t end = text.find(opening);
  if (end == std::string_view::npos) return Failure{"there is no section 'plan'"};
  Result<NumberedGraph> graph = parse_numbered_graph(text.substr(0, end + 1));
  if (!graph) return graph.failure();
  try {
    return Reader(graph.take(), text.substr(end + 1)).read();
  } catch (const TextError& error) {
    return Failure{std::string("section plan: ") + error.what()};
  }
}

}  // namespace lac
