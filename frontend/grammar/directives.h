// What the grammar needs beside X3's own parsers: terminals over tokens, operators by table, brackets, recovery.
#pragma once

#include <boost/spirit/home/x3/auxiliary/eps.hpp>
#include <boost/spirit/home/x3/core.hpp>
#include <boost/spirit/home/x3/nonterminal.hpp>
#include <boost/spirit/home/x3/operator.hpp>
#include <span>
#include <string>
#include <utility>

#include "frontend/grammar/build.h"
#include "frontend/grammar/state.h"

namespace lac::frontend::grammar {

namespace x3 = boost::spirit::x3;

/// The parser runs over a token array that ends with end_of_file, which no parser consumes.
using Iterator = const Token*;

struct StateTag;

template <class Context>
ParserState& state_of(const Context& context) {
  return x3::get<StateTag>(context);
}

/// One token of a kind; the attribute points to it.
struct TokenParser : x3::parser<TokenParser> {
  using attribute_type = const Token*;
  static constexpr bool has_attribute = true;

  explicit TokenParser(TokenKind kind) : kind(kind) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator&, const Context&, RContext&, Attribute& attribute) const {
    if (first->kind != kind) return false;
    x3::traits::move_to(first++, attribute);
    return true;
  }

  TokenKind kind;
};

inline TokenParser tok(TokenKind kind) { return TokenParser(kind); }

/// `subject`, or the error "expected WHAT".
template <class Subject>
struct Must : x3::unary_parser<Subject, Must<Subject>> {
  using Base = x3::unary_parser<Subject, Must<Subject>>;
  static constexpr bool is_pass_through_unary = true;

  Must(const Subject& subject, std::string what) : Base(subject), what(std::move(what)) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rcontext, attribute)) return true;
    throw expected(state_of(context), first, what);
  }

  std::string what;
};

template <class Subject>
Must<Subject> must(const Subject& subject, std::string what) {
  return {subject, std::move(what)};
}

inline Must<TokenParser> must(TokenKind kind) { return {tok(kind), std::string(name_of(kind))}; }

/// Counts the nesting while `subject` runs.
template <class Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  using Base = x3::unary_parser<Subject, Nested<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  using Base::Base;

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    int& depth = state_of(context).depth;
    if (depth >= max_nesting) {
      throw SyntaxError{first, "nested more than " + std::to_string(max_nesting) + " deep", {}, {}};
    }
    struct Leave {
      int& depth;
      ~Leave() { --depth; }
    } leave{++depth};
    return this->subject.parse(first, last, context, rcontext, attribute);
  }
};

template <class Subject>
Nested<Subject> nested(const Subject& subject) {
  return Nested<Subject>(subject);
}

/// Counts the arguments around the position while `subject` runs.
template <class Subject>
struct Indexing : x3::unary_parser<Subject, Indexing<Subject>> {
  using Base = x3::unary_parser<Subject, Indexing<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  using Base::Base;

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    struct Leave {
      int& indices;
      ~Leave() { --indices; }
    } leave{++state_of(context).indices};
    return this->subject.parse(first, last, context, rcontext, attribute);
  }
};

template <class Subject>
Indexing<Subject> indexing(const Subject& subject) {
  return Indexing<Subject>(subject);
}

/// `open subject close`; once `open` is seen the rest must follow.
template <class Subject, class Inner>
struct EnclosedParser : x3::unary_parser<Subject, EnclosedParser<Subject, Inner>> {
  using Base = x3::unary_parser<Subject, EnclosedParser<Subject, Inner>>;
  using attribute_type = Enclosed<Inner>;
  static constexpr bool has_attribute = true;

  EnclosedParser(TokenKind open, const Subject& subject, TokenKind close) : Base(subject), open(open), close(close) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    if (first->kind != open) return false;
    Enclosed<Inner> enclosed{first, {}, nullptr};
    ++first;
    this->subject.parse(first, last, context, rcontext, enclosed.inner);
    if (first->kind != close) throw expected(state_of(context), first, std::string(name_of(close)));
    enclosed.close = first++;
    x3::traits::move_to(std::move(enclosed), attribute);
    return true;
  }

  TokenKind open;
  TokenKind close;
};

/// `subject` is a rule with attribute Inner; it need not consume anything.
template <class Inner, class Subject>
EnclosedParser<Subject, Inner> enclosed(TokenKind open, const Subject& subject, TokenKind close) {
  return {open, subject, close};
}

template <class Op>
struct Operator {
  TokenKind kind;
  Op op;
};

/// One operator of the table, then an operand that must follow.
template <class Subject, class Op>
struct TailParser : x3::unary_parser<Subject, TailParser<Subject, Op>> {
  using Base = x3::unary_parser<Subject, TailParser<Subject, Op>>;
  using attribute_type = Tail<Op>;
  static constexpr bool has_attribute = true;

  TailParser(std::span<const Operator<Op>> table, const Subject& subject) : Base(subject), table(table) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    for (const Operator<Op>& entry : table) {
      if (entry.kind != first->kind) continue;
      Tail<Op> tail{entry.op, first++, nullptr};
      if (!this->subject.parse(first, last, context, rcontext, tail.operand)) {
        throw expected(state_of(context), first, "an expression after " + std::string(name_of(entry.kind)));
      }
      x3::traits::move_to(std::move(tail), attribute);
      return true;
    }
    return false;
  }

  std::span<const Operator<Op>> table;
};

template <class Op, std::size_t N, class Subject>
TailParser<Subject, Op> tail(const Operator<Op> (&table)[N], const Subject& subject) {
  return {std::span<const Operator<Op>>(table), subject};
}

/// What follows a block's keyword. An error in it is reported here, so that the block still has its body and its end.
template <class Subject>
struct Header : x3::unary_parser<Subject, Header<Subject>> {
  using Base = x3::unary_parser<Subject, Header<Subject>>;
  static constexpr bool is_pass_through_unary = true;

  Header(const Subject& subject, std::string what) : Base(subject), what(std::move(what)) {}

  template <class Context, class RContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    try {
      if (!this->subject.parse(first, last, context, rcontext, attribute)) {
        throw expected(state_of(context), first, what);
      }
    } catch (SyntaxError& error) {
      first = skip_statement(std::max(first, error.where));
      report(state_of(context), std::move(error));
    }
    return true;
  }

  std::string what;
};

template <class Subject>
Header<Subject> header(const Subject& subject, std::string what) {
  return {subject, std::move(what)};
}

}  // namespace lac::frontend::grammar
