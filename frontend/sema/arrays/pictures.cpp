// imwrite: a matrix, or an array whose pages are colours and whose fourth dimension is time, as a picture.
#include <limits>

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/builtins/files.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/text_edit.h"

namespace lac::frontend {
namespace {

/// What the step is given besides the picture itself.
struct Options {
  ValueId format, seconds, repeats, mode;
};

/// The samples of a picture, 0 to 255; of a mapped one its positions in the map from 0.
ValueId samples_of(Call& call, const Binding& image, ValueId elements, bool mapped) {
  Builder& b = call.emit.builder;
  const IntegerClass integer_class = element_class(image);
  if (integer_class == IntegerClass::uint8) return elements;
  if (integer_class != IntegerClass::none) call.fail("a picture of integers must be of class uint8 here");
  const Element element = call.type(elements).element;
  if (element == Element::logical)
    return b.map(ScalarOp::mul, b.convert(elements, Element::integer), b.constant(mapped ? 1 : 255, Element::integer));
  return mapped ? b.map(ScalarOp::round, b.map(ScalarOp::sub, elements, b.constant(1, element)))
                : b.map(ScalarOp::mul, elements, b.constant(255, element));
}

void require_inside(Call& call, ValueId samples, ValueId colours) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(colours), ts = call.type(samples);
  require_equal(e, t.cols, 3, call.span, "imwrite: a colormap has three columns", {},
                "imwrite: a colormap has three columns");
  e.require(b.map(ScalarOp::le, b.size(t.rows), b.constant(256, Element::integer)),
            "imwrite: a colormap has at most 256 colors", {});
  const auto extreme = [&](ReduceOp op) { return ts.is_scalar() ? samples : b.reduce(samples, {op, Axis::all}); };
  const ValueId least = extreme(ReduceOp::min), most = extreme(ReduceOp::max);
  const ValueId inside =
      b.map(ScalarOp::logical_and, b.map(ScalarOp::ge, least, b.constant(0, call.type(least).element)),
            b.map(ScalarOp::lt, most, b.size(t.rows)));
  e.require(inside, "imwrite: the image has positions outside the colormap of %d colors", {b.size(t.rows)});
}

/// The pairs from argument i on.
void read_pairs(Call& call, std::size_t i, Options& options) {
  for (; i < call.count(); i += 2) {
    const std::string name = lower_case(call.text(i));
    if (name == "delaytime") {
      options.seconds = call.dense(i + 1);
    } else if (name == "loopcount") {
      options.repeats = call.scalar(i + 1);
    } else if (name == "writemode") {
      if (!call.is_text(i + 1)) call.fail("value for WriteMode must be a string");
      options.mode = codes(call.emit, call.args[i + 1]);
    } else if (name == "alpha" || name == "disposalmethod") {
      call.fail("the option '" + call.text(i) + "' is outside the language");
    } else if (name != "quality" && name != "compression") {  // of formats that are not written
      call.fail("invalid PARAMETER '" + call.text(i) + "'");
    }
  }
}

/// What stands behind the name of the file at argument `path`: a format where that leaves pairs.
Options options_of(Call& call, std::size_t path) {
  Builder& b = call.emit.builder;
  const Element real = call.emit.graph.precision;
  Options options{b.text(""), b.constant(0.5, real), b.constant(std::numeric_limits<double>::infinity(), real),
                  b.text("overwrite")};
  std::size_t first = path + 1;
  if ((call.count() - first) % 2 != 0) {
    if (!call.is_text(first)) call.fail("no pair for all arguments (odd number left)");
    options.format = codes(call.emit, call.args[first++]);
  }
  read_pairs(call, first, options);
  return options;
}

std::vector<Binding> imwrite(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const bool mapped = !call.is_text(1);
  const std::size_t named = mapped ? 2 : 1;
  if (call.count() <= named) call.fail("no FILENAME specified");
  const ValueId path = path_of(call, named);
  const Options options = options_of(call, named);
  const Binding& image = call.args[0];
  const ValueId elements = image.is_array()     ? array_of(e, image).elements
                           : image.is_integer() ? image.value
                                                : call.dense(0);
  const Type t = call.type(elements);
  const std::vector<Size> extents = padded(image.is_array() ? extents_of(e, image) : std::vector{t.rows, t.cols}, 4);
  if (extents.size() > 4) call.fail("invalid " + std::to_string(extents.size()) + "-dimensional image data");
  if (mapped && !extents[2].is(1)) call.fail("indexed image must have 2 or 4 dimensions");
  const ValueId samples = samples_of(call, image, elements, mapped);
  const ValueId colours = mapped ? call.dense(1) : b.text("");
  if (mapped) require_inside(call, samples, colours);
  b.library(LibraryFn::write_picture,
            {path, options.format, samples, b.size(extents[0]), b.size(extents[1]), b.size(extents[2]), colours,
             options.seconds, options.repeats, options.mode},
            {});
  return {};
}

}  // namespace

std::span<const Builtin> picture_builtins() {
  static constexpr Builtin entries[] = {{"imwrite", 2, -1, 0, imwrite}};
  return entries;
}

}  // namespace lac::frontend
