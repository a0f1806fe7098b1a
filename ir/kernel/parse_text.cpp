#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>

#include "ir/kernel/coordinates.h"
#include "ir/kernel/text.h"

namespace lac {
namespace {

class KernelReader {
 public:
  KernelReader(TextReader& in, const SymbolLookup& symbols) : in_(in), symbols_(symbols), indices_(symbols) {
    indices_.named = [this](const std::string& name, bool is_quoted) {
      for (std::uint32_t c = 0; c < 3; ++c)
        if (!is_quoted && name == coordinate_names[c]) return coordinate(c);
      return symbols_.named(name, is_quoted);
    };
  }

  Kernel read() {
    header();
    in_.expect('{');
    in_.end_line();
    if (in_.accept_word("in")) inputs();
    if (in_.accept_word("out")) outputs();
    while (in_.accept_word("nest")) {
      Nest ahead;
      domain(ahead);
      in_.expect('{');
      in_.end_line();
      nest(ahead);
      kernel_.ahead.push_back(std::move(ahead));
    }
    nest(kernel_);
    return std::move(kernel_);
  }

 private:
  void header() {
    kernel_.name = in_.quoted_string();
    domain(kernel_);
    if (in_.next_is('{')) return;
    Schedule& s = kernel_.schedule;
    s.decided = true;
    s.traversal = one_of(traversal_names, Traversal{});
    in_.expect_word("block");
    s.block = in_.integer();
    in_.expect_word("lanes");
    s.lanes = static_cast<std::int32_t>(in_.integer());
    if (in_.accept_word("sums")) s.sums = static_cast<std::int32_t>(in_.integer());
    if (in_.accept_word("strip")) {
      s.strip = in_.integer();
      in_.expect_word("width");
      s.width = in_.size(symbols_);
    }
    if (in_.accept_word("groups")) groups(s.groups);
  }

  void groups(GroupSchedule& g) {
    g.walk = one_of(group_walk_names, GroupWalk{});
    if (in_.accept_word("along")) g.reduced = one_of({"rows", "cols"}, Axis{});
    if (in_.accept_word("sums")) sums(g.sums);
  }

  void sums(GroupSums& s) {
    s.form = one_of(sum_form_names, GroupSums::Form{});
    if (s.form != GroupSums::Form::slices) return;
    const auto count = [&] { return static_cast<std::int32_t>(in_.integer()); };
    s.along_k = one_of({"rows", "k"}, int{}) == 1;
    s.fewest = count();
    in_.expect_word("to");
    s.most = count();
    in_.expect_word("parts");
    s.of_parts = count();
    in_.expect_word("of");
    s.rows = count();
  }

  void domain(Nest& nest) {
    in_.expect_word("domain");
    in_.expect('[');
    nest.rows = in_.size(symbols_);
    in_.expect_word("x");
    nest.cols = in_.size(symbols_);
    in_.expect(']');
    if (in_.accept_word("strips")) nest.strips = one_of({"rows", "cols"}, Axis{});
  }

  /// What is in its braces, and the closing one.
  void nest(Nest& nest) {
    nest_ = &nest;
    if (in_.accept_word("contract")) contraction();
    while (!in_.accept('}')) {
      if (in_.next_is('$')) instruction(nest.body);
      else if (in_.accept_word("store")) store();
      else if (in_.accept_word("reduce")) reduce();
      else in_.fail("expected an instruction, a store or a reduction");
      in_.end_line();
    }
    in_.end_line();
  }

  template <class Enum>
  Enum one_of(std::initializer_list<std::string_view> names, Enum which) {
    return one_of(std::span(names.begin(), names.size()), which);
  }
  template <class Enum>
  Enum one_of(std::span<const std::string_view> names, Enum) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (in_.accept_word(names[i])) return static_cast<Enum>(i);
      all += (i ? ", " : "") + std::string(names[i]);
    }
    in_.fail("expected one of " + all);
  }

  std::uint32_t argument(const std::vector<std::string>& names) {
    const std::string name = in_.identifier();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) in_.fail("nothing is called '" + name + "' here");
    return static_cast<std::uint32_t>(found - names.begin());
  }

  void inputs() {
    do {
      KernelInput input;
      input.name = in_.identifier();
      in_.expect(':');
      input.type = in_.type(symbols_);
      kernel_.inputs.push_back(std::move(input));
    } while (in_.accept(','));
    in_.end_line();
    inputs_ = input_names(kernel_);
  }

  void outputs() {
    do {
      KernelOutput output;
      output.name = in_.identifier();
      in_.expect(':');
      output.type = in_.type(symbols_);
      if (in_.accept_word("from")) output.base = static_cast<std::int32_t>(argument(inputs_));
      kernel_.outputs.push_back(std::move(output));
    } while (in_.accept(','));
    in_.end_line();
    outputs_ = output_names(kernel_);
  }

  void contraction() {
    Contraction& c = nest_->contraction.emplace();
    in_.expect_word("k");
    if (in_.accept_word("below")) {
      c.extent = in_.size(symbols_);
    } else {
      in_.expect_word("over");
      c.storage = one_of({"dense", "csr", "diagonal"}, Storage{});
      in_.expect_word("row");
      in_.expect_word("of");
      c.matrix = argument(inputs_);
      if (in_.accept_word("reach")) c.reach = in_.size(symbols_);
    }
    in_.expect(':');
    c.element = in_.element();
    in_.expect('{');
    in_.end_line();
    while (in_.next_is('$')) {
      instruction(c.prologue);
      in_.end_line();
    }
    in_.expect_word("sum");
    do {
      c.values.push_back(instr());
    } while (in_.accept(','));
    in_.end_line();
    in_.expect('}');
    in_.end_line();
  }

  InstrId instr() { return {in_.reference('$')}; }

  void instruction(Body& body) {
    if (in_.reference('$') != body.size()) in_.fail("instructions are numbered in order");
    Instr it;
    bool stated = false;
    if (in_.accept(':')) {
      it.element = in_.element();
      stated = true;
    }
    in_.expect('=');
    operation(it);
    if (!stated) it.element = natural_element(kernel_, *nest_, body, it);
    body.push(std::move(it));
  }

  void operation(Instr& it) {
    const std::string word = in_.identifier();
    if (word == "constant") {
      it.kind = InstrKind::constant;
      it.number = in_.number();
    } else if (word == "size") {
      it.kind = InstrKind::size;
      it.size = in_.size(symbols_);
    } else if (word == "index") {
      it.kind = InstrKind::index;
      it.axis = one_of({"i", "j", "k"}, Axis{});
    } else if (word == "load") {
      it.kind = InstrKind::load;
      it.argument = argument(inputs_);
      it.map = access();
    } else if (word == "reload") {
      it.kind = InstrKind::reload;
      it.argument = argument(outputs_);
      it.map = access();
    } else if (word == "convert") {
      it.kind = InstrKind::convert;
      it.operands[0] = instr();
    } else if (word == "matrix_element") {
      it.kind = InstrKind::matrix_element;
    } else if (word == "contraction") {
      it.kind = InstrKind::contraction;
      if (in_.next_is_digit()) it.argument = static_cast<std::uint32_t>(in_.number());
    } else {
      apply(it, word);
    }
  }

  void apply(Instr& it, const std::string& word) {
    const std::optional<ScalarOp> op = scalar_op_named(word);
    if (!op) in_.fail("there is no instruction '" + word + "'");
    it.kind = InstrKind::apply;
    it.op = *op;
    for (int i = 0; i < info(*op).arity; ++i) {
      if (i > 0) in_.expect(',');
      it.operands[i] = instr();
    }
  }

  void index(AffineIndex& index, InstrId& gather) {
    if (in_.accept('@')) {
      gather = instr();
      return;
    }
    if (!in_.accept('(')) {
      split(in_.size(indices_), index);
      return;
    }
    split(in_.size(indices_), index);
    in_.expect(')');
    const bool divides = in_.accept_word("div");
    if (!divides) in_.expect_word("mod");
    index.step = divides ? AffineIndex::Step::divide : AffineIndex::Step::modulo;
    in_.expect('(');
    index.amount = in_.size(symbols_);
    in_.expect(')');
  }

  /// Sorts the terms of `sum` by the coordinate that they have as a factor.
  void split(const Size& sum, AffineIndex& index) {
    for (const Size::Term& term : sum.terms()) {
      Size rest = term.coefficient;
      Size* part = &index.base;
      Size* const parts[] = {&index.i, &index.j, &index.k};
      for (SymbolId factor : term.factors) {
        if (!is_coordinate(factor)) {
          rest = rest * Size::symbol(factor);
        } else {
          if (part != &index.base) in_.fail("an index is linear in i, j and k");
          part = parts[factor.index - first_coordinate];
        }
      }
      *part = *part + rest;
    }
  }

  AccessMap access() {
    AccessMap map;
    if (in_.accept('[')) {
      map.linear = in_.accept_word("at");
      index(map.row, map.row_gather);
      if (!map.linear && in_.accept(',')) index(map.col, map.col_gather);
      else if (!map.linear && nest_->cols.is(1)) map.col.j = 1;
      in_.expect(']');
    }
    if (in_.accept_word("fill")) {
      map.out_of_range = OutOfRange::fill;
      map.fill = in_.number();
    }
    return map;
  }

  void store() {
    Store s;
    s.output = argument(outputs_);
    s.map = access();
    in_.expect('=');
    s.value = instr();
    nest_->stores.push_back(std::move(s));
  }

  void reduce() {
    KernelReduction r;
    r.output = argument(outputs_);
    if (in_.accept(',')) r.index_output = static_cast<std::int32_t>(argument(outputs_));
    in_.expect('=');
    r.reduction.op = one_of({"sum", "prod", "min", "max", "any", "all"}, ReduceOp{});
    r.reduction.axis = one_of({"rows", "cols", "all"}, Axis{});
    r.value = instr();
    nest_->reductions.push_back(r);
  }

  TextReader& in_;
  const SymbolLookup& symbols_;
  SymbolLookup indices_;
  Kernel kernel_;
  Nest* nest_ = &kernel_;  ///< at hand
  std::vector<std::string> inputs_, outputs_;
};

}  // namespace

Kernel read_kernel(TextReader& reader, const SymbolLookup& symbols) { return KernelReader(reader, symbols).read(); }

}  // namespace lac
