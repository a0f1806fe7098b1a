// Subscripts of the tree: x(i), A(i, j) and what is assigned to them.
#include "frontend/sema/values/subscripts.h"

#include "frontend/sema/arrays/array.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/deletion.h"
#include "frontend/sema/values/indexed_assignment.h"
#include "frontend/sema/values/indexing.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

ResolvedSubscripts Lowerer::resolve(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                    SubscriptUse use, Span span) {
  if (args.empty())
    emit_.fail(span, "an index is missing: write " + (name.empty() ? "x" : name) + "(:) for all elements");
  const std::vector<WrittenSubscript> written = written_subscripts(args);
  if (written.empty()) emit_.fail(span, "a list without values as subscripts of '" + name + "' is not supported");
  if (written.size() > 2) emit_.fail(span, "more than two subscripts");
  SubscriptResolver resolver(emit_, value, name, written.size(), use);
  const Type t = emit_.type(value);
  resolve_each(resolver, written.size() == 1 ? std::vector<Size>{t.count()} : std::vector<Size>{t.rows, t.cols},
               written);
  emit_.at(span);
  return resolver.take();
}

void Lowerer::resolve_each(SubscriptResolver& resolver, const std::vector<Size>& extents,
                           const std::vector<WrittenSubscript>& written) {
  struct WithEnd {  // while `end` means the extent of this subscript
    std::vector<EndContext>& ends;
    WithEnd(std::vector<EndContext>& all, const EndContext& context) : ends(all) { ends.push_back(context); }
    ~WithEnd() { ends.pop_back(); }
  };
  for (std::size_t i = 0; i < written.size(); ++i) {
    const ast::Expr& arg = *written[i].expr;
    const EndContext end{extents[i], 1, 0, 1};
    if (written[i].is_all()) {
      resolver.add_all();
    } else if (const auto* range = std::get_if<ast::Range>(&arg.node)) {
      const RangeParts parts = [&] {
        const WithEnd with_end(ends_, end);
        return range_parts(*range);
      }();
      emit_.at(arg.span);
      resolver.add_range(parts, arg.span);
    } else {
      const ValueId index = [&] {
        const WithEnd with_end(ends_, end);
        return subscript_value(written[i]);
      }();
      emit_.at(arg.span);
      resolver.add_value(index);
    }
  }
}

ValueId Lowerer::index_value(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span) {
  emit_.at(span);
  if (args.empty()) return value;
  return indexed(emit_, value, resolve(value, name, args, SubscriptUse::read, span));
}

Binding Lowerer::index_complex(const Binding& value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                               Span span) {
  emit_.at(span);
  if (args.empty()) return value;
  const Complex parts = parts_of(emit_, value);
  const ResolvedSubscripts resolved = resolve(parts.re, name, args, SubscriptUse::read, span);
  return complex_binding(emit_, each_part(parts, [&](ValueId part) { return indexed(emit_, part, resolved); }));
}

Binding Lowerer::assign_complex(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                const Binding& value, Span span) {
  const Complex into = parts_of(emit_, widened(emit_, base)), from = parts_of(emit_, widened(emit_, value));
  IndexedStore re(emit_, into.re, from.re), im(emit_, into.im, from.im);
  const ResolvedSubscripts resolved = resolve(re.base(), name, args, SubscriptUse::assign, span);
  const ValueId stored = re.into(resolved, name, span);
  return complex_binding(emit_, {stored, im.into(resolved, name, span)});
}

Binding Lowerer::assign_index(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                              const Binding& value, Span span) {
  if (base.is_array() || value.is_array() || args.size() > 2) {
    if (base.is_complex() || value.is_complex()) emit_.fail(span, std::string(complex_arrays));
    if (integer_class_of({base, value}) != IntegerClass::none) return assign_integer(base, name, args, value, span);
    return assign_array(base, name, args, value, span);
  }
  const auto is_number = [](const Binding& of) { return of.is_matrix() || of.is_complex(); };
  if ((base.is_complex() || value.is_complex()) && is_number(base) && is_number(value))
    return assign_complex(base, name, args, value, span);
  if (base.is_text() && value.is_text()) {
    const Binding before = Binding::matrix(characters(emit_, base)), stored = Binding::matrix(characters(emit_, value));
    return Binding::computed_text(assign_index(before, name, args, stored, span).value, base.double_quoted);
  }
  if (base.is_integer() || value.is_integer()) return assign_integer(base, name, args, value, span);
  if (base.is_text() && value.is_matrix())
    return assign_index(base, name, args, call_by_name("char", {value}, 1, span).front(), span);
  if (value.is_text() && base.is_matrix() && emit_.type(base.value).element != Element::logical)
    return assign_index(base, name, args, Binding::matrix(characters(emit_, value)), span);
  if (!base.is_matrix()) emit_.fail(span, "'" + name + "' is not a matrix, so its elements cannot be assigned");
  if (!value.is_matrix()) {
    if (value.kind == Binding::Kind::poisoned) throw LowerError{};
    emit_.fail(span, "only a matrix can be assigned to elements of '" + name + "'");
  }
  IndexedStore store(emit_, base.value, value.value);
  const ValueId stored = store.into(resolve(store.base(), name, args, SubscriptUse::assign, span), name, span);
  note_maybe_mask(emit_, {base.value, value.value}, stored);
  return Binding::matrix(stored);
}

// The variable keeps its class, and takes the value into it.
Binding Lowerer::assign_integer(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                const Binding& value, Span span) {
  const IntegerClass integer_class = element_class(base);
  if (integer_class == IntegerClass::none) {
    const Binding into = base.is_text() ? Binding::matrix(characters(emit_, base)) : base;
    return assign_index(into, name, args, numbers_of(value), span);
  }
  const Binding brought = numbers_of(in_class(emit_, integer_class, value));
  return with_class(assign_index(numbers_of(base), name, args, brought, span), integer_class);
}

Binding Lowerer::delete_elements(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                 Span span) {
  if (base.is_text()) {
    const Binding before = Binding::matrix(characters(emit_, base));
    return Binding::computed_text(delete_elements(before, name, args, span).value, base.double_quoted);
  }
  const IntegerClass integer_class = element_class(base);
  if (integer_class != IntegerClass::none)
    return with_class(delete_elements(numbers_of(base), name, args, span), integer_class);
  if (base.is_array() || args.size() > 2) return delete_in_array(base, name, args, span);
  if (base.is_aggregate()) return without_elements(base, name, args, span);
  if (base.is_complex()) {
    const Complex parts = parts_of(emit_, base);
    const ResolvedSubscripts resolved = resolve(parts.re, name, args, SubscriptUse::remove, span);
    return complex_binding(emit_, each_part(parts, [&](ValueId part) { return without(emit_, part, resolved); }));
  }
  if (!base.is_matrix()) emit_.fail(span, "'" + name + "' is not a matrix, so its elements cannot be deleted");
  return Binding::matrix(without(emit_, base.value, resolve(base.value, name, args, SubscriptUse::remove, span)));
}

}  // namespace lac::frontend
