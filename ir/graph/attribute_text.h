// Which attribute each op carries, and its text form.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "ir/graph/graph.h"
#include "ir/types/text.h"

namespace lac {

/// The index of the Attribute alternative that ops of this kind carry.
std::size_t attribute_alternative(OpKind kind);

struct AttributeWriter {
  const Graph& graph;
  std::function<std::string(const Size&)> size;
  std::function<std::string(KernelId)> kernel;
  bool named = true;  ///< parameters by name, else by number
};

/// Empty for an op without attribute, or where the attribute says the default (matmul without transposes).
std::string attribute_text(const Op& op, const AttributeWriter& writer);

struct AttributeReader {
  const Graph& graph;
  SymbolLookup symbols;
  std::function<KernelId(std::uint32_t)> kernel;
};

/// Reads the attribute of an op of this kind; throws TextError.
Attribute read_attribute(TextReader& in, OpKind kind, const AttributeReader& reader);

}  // namespace lac
