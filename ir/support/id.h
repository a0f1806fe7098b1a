// Typed integer ids and dense arrays indexed by them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "ir/support/chunked.h"

namespace lac {

/// An index into one dense array. The tag makes ids of different arrays different types.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t index = none;

  constexpr bool valid() const { return index != none; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

/// A vector whose subscript is the id of its elements.
template <class IdType, class T, class Items = std::vector<T>>
class IdVector {
 public:
  T& operator[](IdType id) { return items_[id.index]; }
  const T& operator[](IdType id) const { return items_[id.index]; }

  IdType push(T item) {
    items_.push_back(std::move(item));
    return IdType{static_cast<std::uint32_t>(items_.size() - 1)};
  }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(IdType id) const { return id.valid() && id.index < items_.size(); }
  void resize(std::size_t size) { items_.resize(size); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  Items items_;
};

/// One whose elements stay where they are while others are added: who holds one may build more.
template <class IdType, class T>
using GrowingIdVector = IdVector<IdType, T, Chunked<T>>;

}  // namespace lac

template <class Tag>
struct std::hash<lac::Id<Tag>> {
  std::size_t operator()(lac::Id<Tag> id) const noexcept { return id.index; }
};
