#include "frontend/lexer/lexer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "frontend/lexer/literals.h"

using namespace lac;
using namespace lac::frontend;

namespace {

TokenStream lex_text(const std::string& text, bool statements = true) {
  SourceManager sources;
  const FileId file = sources.add("test.la", text);
  return lex(file, sources, {.statements = statements});
}

/// The kinds and names as one line: "x = [ 1 , 2 ] ;". Strings are quoted, newlines "NL", refused text "REFUSED".
std::string shown(const std::string& text, bool statements = true) {
  std::string out;
  for (const Token& token : lex_text(text, statements).tokens) {
    std::string word(name_of(token.kind));
    switch (token.kind) {
      case TokenKind::end_of_file: continue;
      case TokenKind::identifier: word = token.text; break;
      case TokenKind::number: word = std::to_string(static_cast<int>(token.number)); break;
      case TokenKind::string: word = "<" + token.text + ">"; break;
      case TokenKind::newline: word = "NL"; break;
      case TokenKind::targets_open: word = "TARGETS"; break;
      case TokenKind::magic_end: word = "END"; break;
      case TokenKind::refused: word = "REFUSED"; break;
      default: word = word.size() > 2 && word[0] == '\'' ? word.substr(1, word.size() - 2) : word;
    }
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

std::string refusal(const std::string& text) {
  for (const Token& token : lex_text(text).tokens) {
    if (token.kind == TokenKind::refused) return token.text;
  }
  return "";
}

double number(const std::string& text) {
  const NumberLiteral literal = scan_number(text, 0);
  REQUIRE(literal.error == "");
  REQUIRE(literal.end == text.size());
  return literal.value;
}

}  // namespace

TEST_CASE("blanks inside brackets separate elements as in Octave") {
  CHECK(shown("[1 -2]") == "[ 1 , - 2 ]");
  CHECK(shown("[1 - 2]") == "[ 1 - 2 ]");
  CHECK(shown("[1 -2 + 3]") == "[ 1 , - 2 + 3 ]");
  CHECK(shown("[f (1)]") == "[ f , ( 1 ) ]");
  CHECK(shown("[f(1 -1)]") == "[ f ( 1 - 1 ) ]");
  CHECK(shown("[1 !=2]") == "[ 1 != 2 ]");
  CHECK(shown("[1 !2]") == "[ 1 , ! 2 ]");
  CHECK(shown("[1 ==2]") == "[ 1 == 2 ]");
  CHECK(shown("[1 .5]") == "[ 1 , 0 ]");
  CHECK(shown("[1 :3]") == "[ 1 : 3 ]");
  CHECK(shown("[x ++y]") == "[ x , ++ y ]");
  CHECK(shown("[x++ y]") == "[ x ++ , y ]");
  CHECK(shown("[1 - - 2]") == "[ 1 - - 2 ]");
  CHECK(shown("[@(x) x +1]") == "[ @ ( x ) x + 1 ]");  // a body goes on to the next comma, semicolon or line
  CHECK(shown("{@(x) x +1, [2 3]}") == "{ @ ( x ) x + 1 , [ 2 , 3 ] }");
  CHECK(shown("{@(x) [x +1]}") == "{ @ ( x ) [ x , + 1 ] }");
  CHECK(shown("[1 ...\n -2]") == "[ 1 , - 2 ]");
  CHECK(shown("[1 2 % comment\n 3 4]") == "[ 1 , 2 ; 3 , 4 ]");
  CHECK(shown("[1 2\n\n 3]") == "[ 1 , 2 ; ; 3 ]");
}

TEST_CASE("a quote transposes or opens a string") {
  CHECK(shown("[a' b']") == "[ a ' , b ' ]");
  CHECK(shown("[a ', b']") == "[ a , <, b> ]");
  CHECK(shown("[a', b']") == "[ a ' , b ' ]");
  CHECK(shown("y = a ';") == "y = a ' ;");
  CHECK(shown("y = [1 2]';") == "y = [ 1 , 2 ] ' ;");
  CHECK(shown("y = x(end)'") == "y = x ( END ) '");
  CHECK(shown("y = a.'") == "y = a .'");
  CHECK(shown("y = 5.'") == "y = 5 .'");
  CHECK(shown("y = 'it''s'") == "y = <it's>");
  CHECK(shown("disp('a'), disp('b')") == "disp ( <a> ) , disp ( <b> )");
}

TEST_CASE("newlines and continuations") {
  CHECK(shown("x = (1 +\n 2)\ny") == "x = ( 1 + 2 ) NL y");
  CHECK(shown("x = 1 + ... text\n 2") == "x = 1 + 2");
  CHECK(shown("x = 1...\n+ 2") == "x = 1 + 2");
  CHECK(shown("\n\nx\n\n\ny\r\n") == "x NL y NL");
}

TEST_CASE("comments") {
  CHECK(shown("x # one\n% two\ny") == "x NL y");
  CHECK(shown("%{\nx\n%{\ny\n%}\n%}\nz") == "z");
  CHECK(shown("x = 1 %{ not a block\ny") == "x = 1 NL y");
  CHECK(shown("#!/usr/bin/lac\nx") == "x");
  CHECK(refusal("%{\nx = 1\n").find("never closed") != std::string::npos);
  CHECK(lex_text("param n = 3 % how many \n").tokens[4].text == "how many");
  CHECK(lex_text("#! lac\n% Solves it.\n%   By magic.\n\n% no\nx").help == "Solves it.\n  By magic.\n");
}

TEST_CASE("words that are keywords only in their place") {
  CHECK(shown("if x(end), end") == "if x ( END ) , end");
  CHECK(shown("param n = 3") == "param n = 3");
  CHECK(lex_text("param n").tokens[0].kind == TokenKind::kw_param);
  CHECK(lex_text("param = 3").tokens[0].kind == TokenKind::identifier);
  CHECK(lex_text("output(1) = 3").tokens[0].kind == TokenKind::identifier);
  CHECK(lex_text("y = output x").tokens[2].kind == TokenKind::identifier);
  CHECK(shown("[a, b] = f(x)") == "TARGETS a , b ] = f ( x )");
  CHECK(shown("[a ~] = f(x)") == "TARGETS a , ! ] = f ( x )");
  CHECK(shown("[a, b] == c") == "[ a , b ] == c");
  CHECK(shown("if (c) [a, b] = f, end") == "if ( c ) TARGETS a , b ] = f , end");
}

TEST_CASE("numbers") {
  CHECK(number("1") == 1);
  CHECK(number(".5") == 0.5);
  CHECK(number("5.") == 5);
  CHECK(number("1e3") == 1000);
  CHECK(number("1E-3") == 1e-3);
  CHECK(number("1d3") == 1000);
  CHECK(number("1_000") == 1000);
  CHECK(number("0x1f") == 31);
  CHECK(number("0b101") == 5);
  CHECK(std::isinf(number("1e400")));
  CHECK(number("1e-400") == 0);
  CHECK(std::isinf(number("1e99999999999999999999")));
  CHECK(number("1e-99999999999999999999") == 0);
  CHECK(number(std::string(400, '9') + "e-399") == Approx(10).epsilon(1e-12));
  CHECK(scan_number("1./x", 0).end == 1);
  CHECK(scan_number("1.^2", 0).end == 1);
  CHECK(scan_number("3i", 0).imaginary);
  CHECK(scan_number("3i", 0).value == 3);
  CHECK(!scan_number("3", 0).imaginary);
  CHECK(scan_number("3", 0).integer_bits == 0);
  CHECK(scan_number("0x1F", 0).integer_bits == 8);
  CHECK(scan_number("0x01F", 0).integer_bits == 16);
  CHECK(scan_number("0b111111111", 0).integer_bits == 16);
  CHECK(scan_number("0x123456789", 0).integer_bits == 64);
  CHECK(number("0xFFs8") == -1);
  CHECK(number("0x8000s16") == -32768);
  CHECK(scan_number("0x1Fu32+", 0).end == 7);
  CHECK(number("0xFFFFFFFFFFFFFFFFs64") == -1);
  for (const char* bad : {"0x1FFu8", "0b1u9", "0x1i", "1u8"}) CHECK(scan_number(bad, 0).error != "");
  for (const char* bad : {"1e", "1e+", "0x", "0b2", "1.5.5", "1e3f", "0xg", "0x11112222333344445"}) {
    CHECK(scan_number(bad, 0).error != "");
  }
}

TEST_CASE("strings") {
  CHECK(scan_string("\"a\\tb\\n\"", 0).text == "a\tb\n");
  CHECK(scan_string("\"\\x41\\101\\\\\\\"\"", 0).text == "AA\\\"");
  CHECK(scan_string("'a\\tb'", 0).text == "a\\tb");
  CHECK(scan_string("\"a\"\"b\"", 0).text == "a\"b");
  CHECK(scan_string("\"\\0\"", 0).text == std::string(1, '\0'));
  CHECK(scan_string("'\xc3\xa9'", 0).text == "\xc3\xa9");
  CHECK(scan_string("\"abc", 0).error.find("not closed") != std::string::npos);
  CHECK(scan_string("\"abc\\", 0).error.find("not closed") != std::string::npos);
  CHECK(scan_string("\"\\q\"", 0).error.find("escape") != std::string::npos);
  CHECK(scan_string("'\xff'", 0).error.find("UTF-8") != std::string::npos);
}

TEST_CASE("what is outside the language is refused by name") {
  CHECK(refusal("x = .y").find("unexpected '.'") != std::string::npos);
  CHECK(refusal("disp hello").find("disp(\"hello\")") != std::string::npos);
  CHECK(refusal("x -1").find("'x -1'") != std::string::npos);
  CHECK(refusal("x +=1").find("'x +=1'") != std::string::npos);
  CHECK(refusal("$x").find("'$'") != std::string::npos);
  CHECK(refusal(std::string("x\0y", 3)).find("byte 0") != std::string::npos);
  CHECK(refusal("x = \xe9").find("UTF-8") != std::string::npos);
  CHECK(refusal("x = 2\xc3\x97y").find("\xc3\x97") != std::string::npos);
}

TEST_CASE("words of a session are calls") {
  CHECK(shown("format long") == "format ( <long> )");
  CHECK(shown("clear x -all; clc") == "clear ( <x> , <-all> ) ; clc");
  CHECK(shown("warning off 'a b:c' % why") == "warning ( <off> , <a b:c> ) NL");
  CHECK(shown("hold on, y") == "hold ( <on> ) , y");
  CHECK(shown("hold = 3; hold - 1") == "hold = 3 ; hold - 1");
}

TEST_CASE("statements that only resemble commands are not") {
  for (const char* text : {"x - 1", "x-1", "x = -1", "x += 1", "x (1) = 2", "x'", "x;", "x , y", "pi -1", "x ...\n + 1",
                           "x % c", "close = 3", "if (1) x -1, end", "y = x -1", "\xef\xbb\xbfx = 1"}) {
    INFO(text);
    CHECK(refusal(text) == "");
  }
  CHECK(shown("x -1", false) == "x - 1");
}

TEST_CASE("a bracket left open ends where a statement evidently begins") {
  CHECK(shown("x = (1 + 2\ny = 3") == "x = ( 1 + 2 NL y = 3");
  CHECK(shown("x = [1 2\nend\nz") == "x = [ 1 , 2 NL end NL z");
  CHECK(shown("x = f(1,\nH(1, 2) = 3") == "x = f ( 1 , NL H ( 1 , 2 ) = 3");
  CHECK(shown("x = (1\nwhile 1") == "x = ( 1 NL while 1");
  CHECK(shown("x(1, ...\n end\n)") == "x ( 1 , END )");
}
