#include "driver/native/variants.h"

#include <algorithm>
#include <exception>
#include <map>
#include <new>

#include "driver/core/shapes.h"
#include "driver/core/signature.h"

namespace lac::driver {

namespace {

namespace ast = frontend::ast;
using frontend::ParameterInfo;
using frontend::ParameterSignature;
using Kind = ParameterSignature::Kind;

void collect_names(const ast::Expr& expression, std::vector<std::string>& names) {
  const ast::Expr& inner = ast::strip_parens(expression);
  if (const auto* identifier = std::get_if<ast::Identifier>(&inner.node)) {
    if (std::ranges::find(names, identifier->name) == names.end()) names.push_back(identifier->name);
  } else if (const auto* binary = std::get_if<ast::Binary>(&inner.node)) {
    collect_names(*binary->left, names);
    collect_names(*binary->right, names);
  }
}

ParameterSignature constant(std::int64_t value) {
  ParameterSignature signature;
  signature.kind = Kind::integer_constant;
  signature.value = value;
  return signature;
}

ParameterSignature scalar(Kind kind) {
  ParameterSignature signature;
  signature.kind = kind;
  return signature;
}

/// One thing in which variants differ: choice 0 is what the base has.
struct Axis {
  std::string size;                        ///< a size name; empty: `parameter` has a choice of its own
  std::vector<std::int64_t> classes = {};  ///< of the size: 0, 1, or 2 for larger; the base's first
  std::size_t parameter = 0;
  std::vector<ParameterSignature> kinds = {};  ///< of a scalar or of a parameter that may be given; the base's first
  bool storage = false;                        ///< the parameter's storage is the other one

  std::size_t choices() const { return !size.empty() ? classes.size() : storage ? 2 : kinds.size(); }
};

class Variants {
 public:
  Variants(const Module& module, const Signature& base, Element precision)
      : module_(module), base_(base), precision_(precision) {
    add_sizes();
    for (std::size_t i = 0; i < base.size(); ++i) add_storage(i);
    for (std::size_t i = 0; i < base.size(); ++i) add_kinds(i);
  }

  const std::vector<Axis>& axes() const { return axes_; }

  /// The signature of these choices; nothing where sizes would be negative.
  std::optional<Signature> make(const std::vector<std::size_t>& choices) const {
    SizeTable sizes;
    std::map<std::string, std::int64_t> chosen;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (axes_[a].size.empty()) continue;
      const std::int64_t size = axes_[a].classes[choices[a]];
      if (choices[a] > 0) chosen[axes_[a].size] = size;
      if (size >= 2) continue;
      ParameterInfo named;
      named.name = axes_[a].size;
      sizes.add_scalar(named, static_cast<double>(size));
    }
    Signature signature = base_;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if (!axes_[a].kinds.empty()) signature[axes_[a].parameter] = axes_[a].kinds[choices[a]];
    for (std::size_t i = 0; i < signature.size(); ++i) {
      ParameterSignature& entry = signature[i];
      const auto size = chosen.find(parameters()[i].name);
      if (entry.kind == Kind::matrix) {
        if (!set_extents(i, sizes, !chosen.empty(), entry)) return std::nullopt;
      } else if (size != chosen.end() && entry.kind != Kind::unbound) {
        entry = size->second < 2 ? constant(size->second) : scalar(Kind::integer_symbol);
      }
    }
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if (axes_[a].storage && choices[a] > 0) exchange_storage(signature[axes_[a].parameter]);
    return signature;
  }

 private:
  const std::vector<ParameterInfo>& parameters() const { return module_.interface.parameters; }

  const std::vector<ast::ExprPtr>* dimensions(std::size_t i) const {
    return dimensions_of(module_, parameters()[i].name);
  }

  void add_sizes() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < base_.size(); ++i) {
      if (const auto* found = dimensions(i); found && base_[i].kind == Kind::matrix)
        for (const ast::ExprPtr& dimension : *found) collect_names(*dimension, names);
    }
    for (const std::string& name : names) {
      Axis axis;
      axis.size = name;
      axis.classes = {class_of(name), 1, 0, 2};
      axis.classes.erase(std::find(axis.classes.begin() + 1, axis.classes.end(), axis.classes[0]));
      axes_.push_back(std::move(axis));
    }
  }

  /// What the base says of a size name.
  std::int64_t class_of(const std::string& name) const {
    for (std::size_t i = 0; i < base_.size(); ++i) {
      if (parameters()[i].name == name && base_[i].kind == Kind::integer_constant)
        return std::clamp<std::int64_t>(base_[i].value, 0, 2);
      const auto* found = base_[i].kind == Kind::matrix ? dimensions(i) : nullptr;
      for (std::size_t axis = 0; found && axis < found->size(); ++axis) {
        const auto* identifier = std::get_if<ast::Identifier>(&ast::strip_parens(*(*found)[axis]).node);
        if (identifier && identifier->name == name) return axis == 0 ? base_[i].rows : base_[i].cols;
      }
    }
    return 2;
  }

  void add_storage(std::size_t i) {
    if (base_[i].kind != Kind::matrix) return;
    const auto* found = dimensions(i);
    const bool column = !found || found->size() < 2;
    // A claim makes it csr, and a single column is dense.
    if (column || parameters()[i].claims_sparse || base_[i].rows < 2 || base_[i].cols < 2) return;
    Axis axis;
    axis.parameter = i;
    axis.storage = true;
    axes_.push_back(std::move(axis));
  }

  void add_kinds(std::size_t i) {
    Axis axis;
    axis.parameter = i;
    axis.kinds = {base_[i]};
    const ParameterInfo& parameter = parameters()[i];
    const bool is_size = std::ranges::any_of(axes_, [&](const Axis& each) { return each.size == parameter.name; });
    if (base_[i].kind == Kind::unbound) {
      axis.kinds.push_back(assumed_signature(parameter, 2, column_of(i) ? 1 : 2));
    } else if (base_[i].kind != Kind::matrix && base_[i].kind != Kind::logical_scalar && !is_size) {
      const ParameterSignature all[] = {scalar(Kind::real_scalar), scalar(Kind::integer_symbol), constant(1),
                                        constant(0)};
      for (const ParameterSignature& kind : all)
        if (!serves({base_[i]}, {kind}, precision_)) axis.kinds.push_back(kind);
    }
    if (axis.kinds.size() > 1) axes_.push_back(std::move(axis));
  }

  bool column_of(std::size_t i) const {
    const auto* found = dimensions(i);
    return !found || found->size() < 2;
  }

  /// Follows the sizes that are chosen; the others stay as they are.
  bool set_extents(std::size_t i, const SizeTable& sizes, bool any_chosen, ParameterSignature& entry) const {
    const auto* found = dimensions(i);
    if (!found || !any_chosen) return true;
    for (std::size_t axis = 0; axis < found->size() && axis < 2; ++axis) {
      const std::optional<std::int64_t> extent = sizes.evaluate(*(*found)[axis]);
      if (extent && *extent < 0) return false;
      (axis == 0 ? entry.rows : entry.cols) = std::min<std::int64_t>(extent.value_or(2), 2);
    }
    if (found->size() == 1) entry.cols = 1;
    if (entry.rows < 2 || entry.cols < 2) {
      entry.storage = Storage::dense;
      entry.offsets.clear();
    } else if (parameters()[i].claims_sparse && entry.storage == Storage::dense) {
      entry.storage = Storage::csr;
    }
    return true;
  }

  static void exchange_storage(ParameterSignature& entry) {
    if (entry.kind != Kind::matrix || entry.rows < 2 || entry.cols < 2) return;
    entry.storage = entry.storage == Storage::dense ? Storage::csr : Storage::dense;
    entry.offsets.clear();
  }

  const Module& module_;
  const Signature& base_;
  Element precision_;
  std::vector<Axis> axes_;
};

/// Visits the choices that differ from the base in `left` axes from `first` on; false: enough.
bool visit(const std::vector<Axis>& axes, std::size_t first, std::size_t left, std::vector<std::size_t>& choices,
           const std::function<bool(const std::vector<std::size_t>&)>& see) {
  if (left == 0) return see(choices);
  for (std::size_t a = first; a + left <= axes.size(); ++a) {
    for (std::size_t choice = 1; choice < axes[a].choices(); ++choice) {
      choices[a] = choice;
      const bool more = visit(axes, a + 1, left - 1, choices, see);
      choices[a] = 0;
      if (!more) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> thrown_by(const std::function<void()>& action) {
  try {
    action();
  } catch (const InternalError& error) {
    return std::string("internal error: ") + error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

std::vector<BrokenVariant> for_each_variant(const Module& module, const Signature& base, Element precision,
                                            const VariantLimits& limits,
                                            const std::function<Added(const Signature&)>& add) {
  const Variants variants(module, base, precision);
  std::vector<Signature> known = {base};
  std::vector<BrokenVariant> broken;
  std::size_t tries = 0, looks = 0;
  const auto more = [&] { return known.size() <= limits.served && tries < limits.tries() && looks < limits.looks(); };
  const auto see = [&](const std::vector<std::size_t>& choices) {
    ++looks;
    const std::optional<Signature> signature = variants.make(choices);
    const auto served_by = [&](const Signature& other) { return serves(other, *signature, precision); };
    if (!signature || std::ranges::any_of(known, served_by)) return more();
    ++tries;
    Added added = Added::refused;
    if (auto message = thrown_by([&] { added = add(*signature); })) broken.push_back({*signature, std::move(*message)});
    if (added == Added::served) known.push_back(*signature);
    return more();
  };
  std::vector<std::size_t> choices(variants.axes().size(), 0);
  for (std::size_t differences = 1; differences <= choices.size(); ++differences)
    if (!more() || !visit(variants.axes(), 0, differences, choices, see)) break;
  return broken;
}

}  // namespace lac::driver
