#include "tests/unit/random_graph.h"

#include <cmath>
#include <random>

#include "ir/graph/builder.h"

namespace lac::test {
namespace {

using runtime::Tensor;

class Generator {
 public:
  Generator(std::uint32_t seed, int length, Element element)
      : random_(seed), length_(length), element_(element), build_(program_.graph) {}

  RandomProgram run() {
    program_.graph.name = "random";
    program_.graph.precision = element_;
    declare_parameters();
    const Scope scope = statements(length_, 0);
    for (std::size_t n = 0; n < scope.size(); n += 3) build_.output("o" + std::to_string(n), scope[n]);
    build_.output("last", scope.back());
    return std::move(program_);
  }

 private:
  using Scope = std::vector<ValueId>;

  // -- parameters

  void declare_parameters() {
    Graph& graph = program_.graph;
    const std::int64_t rows = pick(2, 5);
    SizeSymbol symbol;
    symbol.name = "n";
    symbol.origin = SymbolOrigin::parameter_rows;
    symbol.lower = 2;
    n_ = Size::symbol(graph.symbols.push(symbol));
    declare("A", Type::matrix(element_, n_, n_), Tensor::dense(element_, rows, rows, numbers(rows * rows)));
    declare("v", Type::matrix(element_, n_, 1), Tensor::dense(element_, rows, 1, numbers(rows)));
    declare("B", Type::matrix(element_, 3, 4), Tensor::dense(element_, 3, 4, numbers(12)));
    Type csr = Type::matrix(element_, n_, n_);
    csr.storage = Storage::csr;
    declare("S", csr, sparse(rows));
    declare("s", Type::scalar(element_), Tensor::scalar(static_cast<double>(pick(-3, 3)), element_));
    for (std::uint32_t p = 0; p < graph.parameters.size(); ++p) {
      const ValueId value = build_.parameter(p);
      (graph.type(value).is_sparse() ? sparse_ : start_).push_back(value);
    }
  }

  void declare(const char* name, Type type, Tensor tensor) {
    program_.graph.parameters.push_back({name, std::move(type), {}});
    program_.parameters.push_back(std::move(tensor));
  }

  std::vector<double> numbers(std::int64_t count) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(pick(-4, 4)));
    return values;
  }

  Tensor sparse(std::int64_t rows) {  // a full diagonal and the first column
    Tensor tensor = Tensor::csr(element_, rows, rows, 2 * rows - 1);
    std::int32_t entry = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j : {std::int64_t{0}, i}) {
        if (i == 0 && entry > 0) continue;
        tensor.mutable_column_indices()[entry] = static_cast<std::int32_t>(j);
        tensor.set_stored_value(entry++, static_cast<double>(pick(1, 3)));
      }
      tensor.mutable_row_pointers()[i + 1] = entry;
    }
    return tensor;
  }

  // -- choices

  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  ValueId any(const Scope& scope) {  // recent values more often, so that programs are deep
    const std::size_t size = scope.size();
    const std::size_t first = pick(0, 2) == 0 || size < 6 ? 0 : size - 6;
    return scope[static_cast<std::size_t>(pick(static_cast<std::int64_t>(first), static_cast<std::int64_t>(size) - 1))];
  }
  const Type& type(ValueId value) const { return program_.graph.type(value); }
  bool is_matrix(ValueId value) const { return !type(value).is_scalar(); }
  ValueId any_scalar(const Scope& scope) {
    for (int tries = 0; tries < 8; ++tries)
      if (const ValueId value = any(scope); !is_matrix(value)) return value;
    return build_.constant(static_cast<double>(pick(-2, 3)), element_);
  }
  /// A value that broadcasts with `other`.
  ValueId companion(const Scope& scope, ValueId other) {
    for (int tries = 0; tries < 12; ++tries) {
      const ValueId value = any(scope);
      const Type &a = type(value), &b = type(other);
      if ((a.rows == b.rows || a.rows.is(1) || b.rows.is(1)) && (a.cols == b.cols || a.cols.is(1) || b.cols.is(1)))
        return value;
    }
    return any_scalar(scope);
  }
  /// Small again, so that numbers stay exact.
  ValueId small(ValueId value) {
    return build_.map(ScalarOp::mod, build_.convert(value, element_), build_.constant(7, element_));
  }

  // -- statements

  Scope statements(int count, int depth, const Scope& outer = {}) {
    Scope scope = outer.empty() ? start_ : outer;
    for (int n = 0; n < count; ++n) {
      const std::int64_t kind = pick(0, 13);
      if (kind == 12 && depth < 2) loop(scope, depth);
      else if (kind == 13 && depth < 2) branch(scope, depth);
      else if (const ValueId value = expression(scope, kind)) scope.push_back(value);
    }
    return scope;
  }

  ValueId expression(const Scope& scope, std::int64_t kind) {
    const ValueId x = any(scope);
    const Type t = type(x);  // a copy: building moves values in memory
    switch (kind) {
      case 0:
      case 1:
      case 2: return binary(scope, x);
      case 3: return unary(x);
      case 4: return view(x);
      case 5: return slice(scope, x);
      case 6: return update(scope, x);
      case 7: return reduction(x);
      case 8: return product(scope, x);
      case 9: return rearranged(scope, x);
      case 10: return build_.fill(any_scalar(scope), t.rows, t.cols);
      default: return build_.convert(build_.iota(pick(0, 1) ? Axis::rows : Axis::cols, t.rows, t.cols), element_);
    }
  }

  ValueId binary(const Scope& scope, ValueId x) {
    const ValueId y = companion(scope, x);
    switch (pick(0, 5)) {
      case 0: return build_.map(ScalarOp::sub, x, y);
      case 1: return small(build_.map(ScalarOp::mul, x, y));
      case 2: return build_.map(ScalarOp::max, x, y);
      case 3: return build_.map(ScalarOp::select, build_.map(ScalarOp::lt, x, y), x, y);
      default: return small(build_.map(ScalarOp::add, x, y));
    }
  }

  ValueId unary(ValueId x) {
    if (pick(0, 3) == 0) return build_.convert(build_.map(ScalarOp::gt, x, build_.constant(0, element_)), element_);
    return build_.map(pick(0, 1) ? ScalarOp::neg : ScalarOp::abs, x);
  }

  ValueId view(ValueId x) {
    const Type t = type(x);
    const std::int64_t kind = pick(0, 3);
    if (kind == 0 && is_matrix(x)) return build_.reshape(x, t.count(), 1);
    if (kind == 1 && is_matrix(x)) return build_.reshape(x, t.cols, t.rows);
    if (kind == 2 && t.rows == t.cols && is_matrix(x)) return build_.diagonal(x, 0);
    return build_.transpose(x);
  }

  /// A subscript that is in range of an extent of at least 2 for certain.
  Subscript subscript(const Size& extent, std::vector<ValueId>& vectors) {
    const bool two_at_least = extent.lower_bound(program_.graph.symbols).value_or(0) >= 2;
    switch (two_at_least ? pick(0, 5) : 0) {
      case 0:
      case 1: return {SubscriptKind::all, 0, 1, extent};
      case 2: return {SubscriptKind::range, 1, 1, extent - 1};
      case 3: return {SubscriptKind::range, extent - 1, -1, extent};
      case 4: return {SubscriptKind::range, pick(0, 1), 1, 1};
      default: break;
    }
    // 1, 2, 1, 2, ...: positions repeat
    const ValueId count = build_.convert(build_.iota(Axis::rows, 3, 1), Element::integer);
    const ValueId two = build_.constant(2, Element::integer), one = build_.constant(1, Element::integer);
    vectors.push_back(build_.map(ScalarOp::add, build_.map(ScalarOp::mod, count, two), one));
    return {SubscriptKind::vector, 0, 1, 3};
  }

  struct Region {
    Subscripts subscripts;
    std::vector<ValueId> vectors;
    Size rows, cols;
  };

  Region region(ValueId x) {
    Region region;
    const Type t = type(x);
    if (t.is_vector() && pick(0, 1)) {
      region.subscripts.axes = {subscript(t.count(), region.vectors)};
      const Size count = region.subscripts.axes[0].count;
      region.rows = t.cols.is(1) ? count : Size(1);
      region.cols = t.cols.is(1) ? Size(1) : count;
      return region;
    }
    region.subscripts.axes = {subscript(t.rows, region.vectors), subscript(t.cols, region.vectors)};
    region.rows = region.subscripts.axes[0].count;
    region.cols = region.subscripts.axes[1].count;
    return region;
  }

  ValueId slice(const Scope&, ValueId x) {
    if (!is_matrix(x)) return {};
    const Region r = region(x);
    return build_.index(x, r.subscripts, r.vectors, r.rows, r.cols);
  }

  ValueId update(const Scope& scope, ValueId x) {
    if (!is_matrix(x) || type(x).element != element_) return {};
    const Region r = region(x);
    ValueId value = any_scalar(scope);
    if (pick(0, 2) > 0) {
      const ValueId old = build_.index(x, r.subscripts, r.vectors, r.rows, r.cols);
      value = pick(0, 3) == 0 ? old : small(build_.map(ScalarOp::add, old, companion_of_region(scope, old)));
    }
    return build_.update(x, r.subscripts, r.vectors, build_.convert(value, element_));
  }

  ValueId companion_of_region(const Scope& scope, ValueId old) {
    const ValueId other = companion(scope, old);
    const bool grows =
        (type(old).rows.is(1) && !type(other).rows.is(1)) || (type(old).cols.is(1) && !type(other).cols.is(1));
    return grows ? any_scalar(scope) : other;
  }

  ValueId reduction(ValueId x) {
    static constexpr ReduceOp ops[] = {ReduceOp::sum, ReduceOp::sum, ReduceOp::min,
                                       ReduceOp::max, ReduceOp::any, ReduceOp::all};
    const Axis axis = static_cast<Axis>(pick(0, 2));
    const ReduceOp op = ops[pick(0, 5)];
    if (op == ReduceOp::max && pick(0, 1)) return build_.convert(build_.arg_reduce(x, {op, axis}).index, element_);
    if (pick(0, 7) == 0 && is_matrix(x))
      return small(build_.scan(x, {ReduceOp::sum, pick(0, 1) ? Axis::rows : Axis::cols}));
    return small(build_.reduce(x, {op, axis}));
  }

  ValueId product(const Scope& scope, ValueId x) {
    for (int tries = 0; tries < 12; ++tries) {
      const bool use_sparse = pick(0, 2) == 0;
      const ValueId left = use_sparse ? sparse_[0] : any(scope);
      const ValueId right = tries < 6 ? x : any(scope);
      const Transposes t{!use_sparse && pick(0, 1) == 1, pick(0, 1) == 1};
      const Size inner_left = t.left ? type(left).rows : type(left).cols;
      const Size inner_right = t.right ? type(right).cols : type(right).rows;
      if (inner_left == inner_right && is_matrix(left)) return small(build_.matmul(left, right, t));
    }
    return {};
  }

  ValueId rearranged(const Scope& scope, ValueId x) {
    if (pick(0, 2) == 0) return build_.resize(x, type(x).rows + 1, type(x).cols + 2);
    const Axis axis = pick(0, 1) ? Axis::rows : Axis::cols;
    const ValueId y = pick(0, 1) ? x : any(scope);
    const bool fits = axis == Axis::rows ? type(x).cols == type(y).cols : type(x).rows == type(y).rows;
    const ValueId joined = build_.concat({x, fits ? y : x}, axis);
    return type(joined).element == element_ ? joined : build_.convert(joined, element_);
  }

  // -- control

  void loop(Scope& scope, int depth) {
    Graph& graph = program_.graph;
    std::vector<ValueId> initial;
    for (std::int64_t c = pick(1, 3); c-- > 0;) initial.push_back(any(scope));
    const BlockId before = build_.block, body = build_.new_block();
    const ValueId limit = build_.constant(static_cast<double>(pick(0, 3)), Element::integer);
    const ValueId start = build_.constant(1, Element::logical);
    Scope inner = scope;
    inner.push_back(build_.add_argument(body, Type::scalar(Element::integer)));
    for (ValueId value : initial) inner.push_back(build_.add_argument(body, type(value)));
    build_.block = body;
    const Scope after = statements(static_cast<int>(pick(2, 6)), depth + 1, inner);
    std::vector<ValueId> yields = {build_.constant(1, Element::logical)};
    for (ValueId value : initial) yields.push_back(of_type(after, type(value)));
    graph.blocks[body].yields = yields;
    build_.block = before;

    Op op;
    op.kind = OpKind::loop;
    op.attribute = LoopInfo{};
    op.operands = {limit, start};
    op.operands.insert(op.operands.end(), initial.begin(), initial.end());
    op.results.push_back(build_.new_value(Type::scalar(Element::integer)));
    for (ValueId value : initial) op.results.push_back(build_.new_value(plain(type(value))));
    op.blocks = {body};
    append_region(std::move(op), scope);
  }

  void branch(Scope& scope, int depth) {
    Graph& graph = program_.graph;
    const ValueId a = any_scalar(scope), b = any_scalar(scope);
    const ValueId condition = build_.map(ScalarOp::lt, a, b);
    const BlockId before = build_.block;
    Op op;
    op.kind = OpKind::branch;
    op.operands = {condition};
    const ValueId like[] = {any(scope), any(scope)};
    for (int arm = 0; arm < 2; ++arm) {
      const BlockId block = build_.new_block();
      build_.block = block;
      const Scope after = statements(static_cast<int>(pick(1, 5)), depth + 1, scope);
      for (ValueId value : like) graph.blocks[block].yields.push_back(of_type(after, type(value)));
      op.blocks.push_back(block);
    }
    build_.block = before;
    for (ValueId value : like) op.results.push_back(build_.new_value(plain(type(value))));
    append_region(std::move(op), scope);
  }

  static Type plain(Type type) {
    type.properties = {};
    return type;
  }

  void append_region(Op op, Scope& scope) {
    const std::vector<ValueId> results = op.results;
    build_.append(std::move(op));
    scope.insert(scope.end(), results.begin(), results.end());
  }

  /// The last value of that element and shape; there is one.
  ValueId of_type(const Scope& scope, const Type& wanted) {
    const std::size_t skip = static_cast<std::size_t>(pick(0, 2));
    ValueId found;
    std::size_t seen = 0;
    for (std::size_t n = scope.size(); n-- > 0;) {
      if (!type(scope[n]).same_shape(wanted) || type(scope[n]).element != wanted.element) continue;
      found = scope[n];
      if (seen++ == skip) break;
    }
    return found;
  }

  std::mt19937 random_;
  int length_;
  Element element_;
  RandomProgram program_;
  Builder build_;
  Size n_;
  Scope start_, sparse_;
};

}  // namespace

RandomProgram random_program(std::uint32_t seed, int length, Element element) {
  return Generator(seed, length, element).run();
}

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const runtime::Tensor& a, const runtime::Tensor& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.element() != b.element()) return false;
  for (std::int64_t j = 0; j < a.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i)
      if (!same(a.at(i, j), b.at(i, j))) return false;
  return true;
}

}  // namespace

std::string difference(const runtime::RunResult& a, const runtime::RunResult& b) {
  if (a.status.message != b.status.message) return "'" + a.status.message + "' and '" + b.status.message + "'";
  if (a.outputs.size() != b.outputs.size()) return "numbers of outputs";
  for (std::size_t n = 0; n < a.outputs.size(); ++n)
    if (!same(a.outputs[n].second, b.outputs[n].second)) return "output " + a.outputs[n].first;
  return "";
}

}  // namespace lac::test
