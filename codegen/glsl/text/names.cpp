#include "codegen/glsl/text/names.h"

#include <cctype>

namespace lac::codegen::glsl {
namespace {

/// Keywords, reserved words and built-in functions of GLSL 4.50 that a variable of a matrix program may be called.
const std::set<std::string, std::less<>>& words() {
  static const std::set<std::string, std::less<>> set = {
      "abs",       "acos",          "acosh",       "active",   "all",         "any",
      "asin",      "asinh",         "asm",         "atan",     "atanh",       "atomic_uint",
      "atomicAdd", "atomicMax",     "attribute",   "barrier",  "bool",        "break",
      "buffer",    "bvec2",         "bvec3",       "bvec4",    "case",        "cast",
      "ceil",      "centroid",      "clamp",       "class",    "coherent",    "common",
      "const",     "continue",      "cos",         "cosh",     "cross",       "default",
      "degrees",   "demote",        "determinant", "discard",  "distance",    "dmat2",
      "dmat3",     "dmat4",         "do",          "dot",      "double",      "dvec2",
      "dvec3",     "dvec4",         "else",        "enum",     "equal",       "exp",
      "exp2",      "extern",        "external",    "false",    "filter",      "fixed",
      "flat",      "float",         "floor",       "fma",      "for",         "fract",
      "frexp",     "goto",          "greaterThan", "half",     "highp",       "hvec2",
      "hvec3",     "hvec4",         "if",          "image",    "image2D",     "imageLoad",
      "imageSize", "imageStore",    "in",          "inline",   "inout",       "input",
      "int",       "interface",     "invariant",   "inverse",  "inversesqrt", "isinf",
      "isnan",     "ivec2",         "ivec3",       "ivec4",    "layout",      "ldexp",
      "length",    "lessThan",      "log",         "log2",     "long",        "lowp",
      "main",      "mat2",          "mat3",        "mat4",     "max",         "mediump",
      "min",       "mix",           "mod",         "modf",     "namespace",   "noinline",
      "noise1",    "noperspective", "normalize",   "not",      "notEqual",    "out",
      "output",    "outerProduct",  "partition",   "patch",    "pow",         "precise",
      "precision", "public",        "radians",     "readonly", "reflect",     "refract",
      "resource",  "restrict",      "return",      "round",    "roundEven",   "sample",
      "sampler2D", "shared",        "short",       "sign",     "sin",         "sinh",
      "sizeof",    "smooth",        "smoothstep",  "sqrt",     "static",      "step",
      "struct",    "subroutine",    "superp",      "switch",   "tan",         "tanh",
      "template",  "texelFetch",    "texture",     "this",     "transpose",   "true",
      "trunc",     "typedef",       "uint",        "uniform",  "union",       "unsigned",
      "using",     "uvec2",         "uvec3",       "uvec4",    "varying",     "vec2",
      "vec3",      "vec4",          "void",        "volatile", "while",       "writeonly"};
  return set;
}

std::string spelled(char c) {
  switch (c) {
    case '-': return "minus";
    case '+': return "plus";
    case '*': return "times";
    case '^': return "to";
    case '%': return "size";
    default: return {};
  }
}

}  // namespace

std::string legal_name(std::string_view wanted) {
  std::string name;
  const auto separate = [&] {
    if (!name.empty() && name.back() != '_') name += '_';
  };
  for (char c : wanted) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      name += c;
      continue;
    }
    separate();
    const std::string word = spelled(c);
    if (!word.empty()) name += word + "_";
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) return "x";
  if (std::isdigit(static_cast<unsigned char>(name[0]))) name = "x" + name;
  if (words().contains(name) || name.starts_with("gl_") || name.starts_with("lac_")) name += "_value";
  if (name.starts_with("gl_")) name = "x" + name;
  return name;
}

std::string Names::take(std::string_view wanted) {
  const std::string name = legal_name(wanted);
  std::string free = name;
  for (int n = 2; !taken_.insert(free).second; ++n) free = name + "_" + std::to_string(n);
  return free;
}

}  // namespace lac::codegen::glsl
