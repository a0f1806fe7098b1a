// Cells and structs of which the run finds how many there are, as Octave shows them: of cells a loop, of structs the
// fields where there turns out to be one.
#include "frontend/sema/values/show.h"

#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/nothing.h"

namespace lac::frontend {
namespace {

constexpr std::uint32_t step = 2;

/// A text with %d for the number, if there is one.
void say(Emitter& e, const std::string& text, ValueId number) {
  Message message;
  message.format = number ? text : "%s";
  message.arguments = {number ? std::nullopt : std::optional(text)};
  e.builder.format(std::move(message), number ? std::vector{number} : std::vector<ValueId>());
}

/// An element that may never have been given anything may be what no element that was given is: no struct.
void print_item(Emitter& e, const Slot& slot, const Size& at, const std::string& name, std::uint32_t indent,
                ValueId place) {
  if (!slot.gaps) return print_binding(e, name, slot_item(e, slot, at), indent, place);
  Slot without_gaps = slot;
  without_gaps.gaps = false;
  const auto given = [&] { print_binding(e, name, slot_item(e, without_gaps, at), indent, place); };
  branch_effects(
      e, given_at(e, slot, at), given, [&] { show_nothing(e, name, indent, place); }, e.place());
}

}  // namespace

void print_stacked_cells(Emitter& e, const std::string& name, const Binding& cells, std::uint32_t indent,
                         ValueId number) {
  const Aggregate& a = *cells.aggregate;
  const std::string blanks(indent, ' ');
  const Slot slot = a.slots.front();
  const bool column = a.column;
  const std::string empty = may_be_nothing(e, a) ? "{}(0x0)\n" : column ? "{}(0x1)\n" : "{}(1x0)\n";
  const Size count = count_of(e, slot);
  const auto none = [&] { say(e, blanks + (name.empty() ? "" : name + " = ") + empty, number); };
  const auto some = [&] {
    say(e, (name.empty() ? "" : blanks + name + " =\n") + blanks + "{\n", number);
    loop_effects(e, count, [&](const Size& at) {
      const ValueId place = e.builder.size(at + 1);
      print_item(e, slot, at, column ? "[%d,1]" : "[1,%d]", indent + step, place);
    });
    say(e, blanks + "}\n" + (name.empty() ? "" : "\n"), {});
  };
  branch_effects(e, e.equal_sizes(count, 0), none, some, e.place());
}

void either_struct(Emitter& e, const Binding& structs, const std::function<void(const Binding&)>& single,
                   const std::function<void()>& several) {
  const auto one = [&] { single(row_single(e, row_slice(e, structs, 0, 1))); };
  branch_effects(e, e.equal_sizes(count_of(e, *structs.aggregate), 1), one, several, e.place());
}

}  // namespace lac::frontend
