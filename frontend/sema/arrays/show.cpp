// Arrays as Octave shows them, page by page: ans(:,:,1) = ...
#include "frontend/sema/values/show.h"

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/arms.h"

namespace lac::frontend {
namespace {

/// More pages than these are written out by a loop.
constexpr std::int64_t most_written = 16;

class PageWriter {
 public:
  PageWriter(Emitter& e, std::string name, const Binding& value, std::uint32_t indent)
      : e_(e),
        name_(std::move(name)),
        integer_class_(element_class(value)),
        array_(array_of(e, value)),
        blanks_(indent, ' '),
        indent_(indent),
        pages_(product(array_.extents, 2, array_.count())),
        column_(viewed(e, array_.elements, product(array_.extents), 1)) {}

  void write() {
    const auto shown = [&] {
      either(
          e_.equal_sizes(pages_, 1), [&] { show_page(page(0), name_, indent_); }, [&] { several(); });
    };
    either(
        e_.equal_sizes(product(array_.extents), 0), [&] { empty(); }, shown);
  }

 private:
  void either(ValueId condition, const std::function<void()>& yes, const std::function<void()>& no) {
    branch_effects(e_, condition, yes, no, e_.place());
  }

  void say(const std::string& format, const std::vector<ValueId>& numbers = {}) {
    Message message;
    message.format = format;
    message.arguments.assign(numbers.size(), std::nullopt);
    e_.builder.format(std::move(message), numbers);
  }

  std::string named(const std::string& rest) const { return blanks_ + (name_.empty() ? "" : name_ + rest); }

  /// Of `count` dimensions those that are left without the last ones of extent 1, which the run may find.
  void without_last_ones(std::size_t count, std::size_t fewest, const std::function<void(std::size_t)>& show_so) {
    if (count == fewest) return show_so(count);
    either(
        e_.equal_sizes(array_.extents[count - 1], 1), [&] { without_last_ones(count - 1, fewest, show_so); },
        [&] { show_so(count); });
  }

  void empty() {
    without_last_ones(array_.count(), 2, [&](std::size_t count) {
      std::vector<ValueId> sizes;
      for (std::size_t k = 0; k < count; ++k) sizes.push_back(e_.builder.size(array_.extents[k]));
      say(named(" = ") + "[](" + extents_format(count) + ")\n", sizes);
    });
  }

  ValueId page(const Size& number) {
    const Size &rows = array_.extents[0], &cols = array_.extents[1];
    const Subscripts here{{{SubscriptKind::range, rows * cols * number, 1, rows * cols}}};
    return e_.builder.index(column_, here, {}, rows, cols);
  }

  /// Pages of integers have one width, which all elements make.
  void show_page(ValueId page, const std::string& name, std::uint32_t indent) {
    if (integer_class_ == IntegerClass::none) return show(e_, page, name, indent);
    const ValueId lowest = e_.builder.constant(info(integer_class_).lowest(), Element::integer);
    e_.builder.print(page, Display{name, DisplayForm::integer, indent}, {lowest, column_});
  }

  void several() {
    if (!name_.empty()) say(named(" =\n\n"));
    const ValueId rows_one = e_.equal_sizes(array_.extents[0], 1), cols_one = e_.equal_sizes(array_.extents[1], 1);
    if (integer_class_ != IntegerClass::none) {
      pages(false);
    } else {
      either(
          e_.builder.map(ScalarOp::logical_and, rows_one, cols_one), [&] { pages(true); }, [&] { pages(false); });
    }
    if (!name_.empty()) say("\n");
  }

  void pages(bool scalars) {
    if (pages_.is_constant() && pages_.constant() <= most_written) {
      for (std::int64_t k = 0; k < pages_.constant(); ++k) titled(k, scalars);
      return;
    }
    loop_effects(e_, pages_, [&](const Size& number) { titled(number, scalars); });
  }

  /// "ans(:,:,2,1) = ", and a blank line before but for the first.
  void titled(const Size& number, bool scalars) {
    if (!scalars)
      either(
          e_.equal_sizes(number, 0), [] {}, [&] { say("\n"); });
    without_last_ones(array_.count(), 3, [&](std::size_t count) { title(number, count, scalars); });
    show_page(page(number), "", scalars ? 0 : indent_);
  }

  void title(const Size& number, std::size_t count, bool scalars) {
    Builder& b = e_.builder;
    std::string text = blanks_ + "ans(:,:";
    std::vector<ValueId> places;
    ValueId left = b.size(number);
    for (std::size_t k = 2; k < count; ++k) {
      const bool last = k + 1 == count;
      const ValueId extent = b.size(array_.extents[k]);
      const ValueId here = last ? left : b.map(ScalarOp::mod, left, extent);
      places.push_back(b.map(ScalarOp::add, here, b.constant(1, Element::integer)));
      text += ",%d";
      if (!last) left = b.convert(b.map(ScalarOp::floor, b.map(ScalarOp::div, left, extent)), Element::integer);
    }
    say(text + (scalars ? ") = " : ") =\n\n"), places);
  }

  Emitter& e_;
  const std::string name_;
  const IntegerClass integer_class_;
  const Array array_;
  const std::string blanks_;
  const std::uint32_t indent_;
  const Size pages_;
  const ValueId column_;  ///< all elements
};

}  // namespace

void print_array(Emitter& e, const std::string& name, const Binding& array, std::uint32_t indent) {
  PageWriter(e, name, array, indent).write();
}

}  // namespace lac::frontend
