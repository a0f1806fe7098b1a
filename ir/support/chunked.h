// A sequence whose elements stay where they are while others are added: references to them last as long as it does.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace lac {

/// As std::vector, but for that; `resize` makes no room that is left empty. Copies have elements of their own, what is
/// moved from has none.
template <class T>
class Chunked {
 public:
  Chunked() = default;
  Chunked(const Chunked& other) { append(other); }
  Chunked(Chunked&& other) noexcept : chunks_(std::move(other.chunks_)), size_(std::exchange(other.size_, 0)) {
    other.chunks_.clear();
  }
  Chunked& operator=(const Chunked& other) {
    if (this != &other) *this = Chunked(other);
    return *this;
  }
  Chunked& operator=(Chunked&& other) noexcept {
    chunks_ = std::exchange(other.chunks_, {});
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~Chunked() = default;

  T& operator[](std::size_t n) { return chunks_[n / length][n % length]; }
  const T& operator[](std::size_t n) const { return chunks_[n / length][n % length]; }

  void push_back(T item) {
    if (size_ % length == 0) chunks_.emplace_back().reserve(length);
    chunks_.back().push_back(std::move(item));
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void resize(std::size_t size) {
    while (size_ < size) push_back(T());
    while (size_ > size) {
      chunks_.back().pop_back();
      if (--size_ % length == 0) chunks_.pop_back();
    }
  }

  auto begin() { return Iterator<Chunked, T>{this, 0}; }
  auto end() { return Iterator<Chunked, T>{this, size_}; }
  auto begin() const { return Iterator<const Chunked, const T>{this, 0}; }
  auto end() const { return Iterator<const Chunked, const T>{this, size_}; }

 private:
  static constexpr std::size_t length = 64;  ///< of a chunk: a power of two

  template <class Owner, class Element>
  struct Iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;

    Owner* owner = nullptr;
    std::size_t at = 0;

    reference operator*() const { return (*owner)[at]; }
    pointer operator->() const { return &(*owner)[at]; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    Iterator operator++(int) { return {owner, at++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;
  };

  void append(const Chunked& other) {
    for (const T& item : other) push_back(item);
  }

  std::vector<std::vector<T>> chunks_;  ///< each has room for all it will have
  std::size_t size_ = 0;
};

}  // namespace lac
