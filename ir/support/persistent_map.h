// A map whose copies share what they have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

namespace lac {

/// An ordered map that is copied in O(1); reading, setting and erasing take O(log n), also after a copy, and two copies
/// are compared in time proportional to what was set or erased since. Entries are addressed by pointers: `find` and
/// `end` (no entry) behave as with std::map, for_each visits in the order of keys. An entry's address holds until its
/// map changes. Not for sharing between threads.
///
/// A treap whose priorities are hashes of the keys: its shape depends on the keys alone, so maps with common parts have
/// common subtrees.
template <class Key, class Value>
class PersistentMap {
 public:
  using Entry = std::pair<const Key, Value>;

  std::size_t count(const Key& key) const { return find(key) != end() ? 1 : 0; }
  const Entry* end() const { return nullptr; }
  const Entry* find(const Key& key) const {
    const Node* node = root_.get();
    while (node && node->entry.first != key) node = (key < node->entry.first ? node->left : node->right).get();
    return node ? &node->entry : nullptr;
  }
  const Value& at(const Key& key) const {
    const Entry* entry = find(key);
    if (!entry) throw std::out_of_range("PersistentMap::at");
    return entry->second;
  }
  /// The value, made empty if there is none. Use the reference before the map is copied.
  Value& operator[](const Key& key) { return reach(root_, key, priority_of(key))->entry.second; }
  void insert_or_assign(const Key& key, Value value) { (*this)[key] = std::move(value); }
  /// Leaves an entry that is there as it is.
  void emplace(const Key& key, Value value) {
    if (count(key) == 0) insert_or_assign(key, std::move(value));
  }
  void erase(const Key& key) {
    if (count(key) != 0) remove(root_, key);
  }
  /// Calls visit(key, value) in the order of keys.
  template <class Visit>
  void for_each(const Visit& visit) const {
    walk(root_.get(), visit);
  }
  /// Calls visit(key) for every key that only one has, and for those set since the copies parted. In no order.
  template <class Visit>
  static void for_each_difference(const PersistentMap& a, const PersistentMap& b, const Visit& visit) {
    differ(a.root_, b.root_, visit);
  }

 private:
  struct Node;
  using Link = std::shared_ptr<Node>;
  struct Node {
    Entry entry;
    std::uint64_t priority;
    Link left, right;
  };

  static std::uint64_t priority_of(const Key& key) {  // the finalizer of splitmix64
    std::uint64_t bits = static_cast<std::uint64_t>(std::hash<Key>{}(key)) + 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  }
  static bool above(std::uint64_t priority, const Key& key, const Node& node) {
    return priority != node.priority ? priority > node.priority : key < node.entry.first;
  }
  static void own(Link& link) {
    if (link.use_count() > 1) link = std::make_shared<Node>(*link);
  }

  static Node* reach(Link& link, const Key& key, std::uint64_t priority) {
    if (!link || above(priority, key, *link)) {
      auto [left, right] = split(std::move(link), key);
      link = std::make_shared<Node>(Node{{key, Value{}}, priority, std::move(left), std::move(right)});
      return link.get();
    }
    own(link);
    if (link->entry.first == key) return link.get();
    return reach(key < link->entry.first ? link->left : link->right, key, priority);
  }
  /// What is before and what is behind a key; the key itself is left out.
  static std::pair<Link, Link> split(Link link, const Key& key) {
    if (!link) return {};
    if (link->entry.first == key) return {link->left, link->right};
    own(link);
    const bool before = link->entry.first < key;
    auto [left, right] = split(std::move(before ? link->right : link->left), key);
    (before ? link->right : link->left) = std::move(before ? left : right);
    return before ? std::pair(std::move(link), std::move(right)) : std::pair(std::move(left), std::move(link));
  }
  static Link join(Link left, Link right) {
    if (!left || !right) return left ? left : right;
    if (above(left->priority, left->entry.first, *right)) {
      own(left);
      left->right = join(std::move(left->right), std::move(right));
      return left;
    }
    own(right);
    right->left = join(std::move(left), std::move(right->left));
    return right;
  }
  static void remove(Link& link, const Key& key) {
    if (link->entry.first == key) {
      link = join(link->left, link->right);
      return;
    }
    own(link);
    remove(key < link->entry.first ? link->left : link->right, key);
  }
  template <class Visit>
  static void walk(const Node* node, const Visit& visit) {
    if (!node) return;
    walk(node->left.get(), visit);
    visit(node->entry.first, node->entry.second);
    walk(node->right.get(), visit);
  }
  template <class Visit>
  static void differ(const Link& a, const Link& b, const Visit& visit) {
    if (a == b) return;
    if (!a || (b && above(b->priority, b->entry.first, *a))) return differ(b, a, visit);
    const Key& key = a->entry.first;
    visit(key);  // whether b has it or not
    if (b && b->entry.first == key) {
      differ(a->left, b->left, visit);
      differ(a->right, b->right, visit);
      return;
    }
    auto [left, right] = split(b, key);
    differ(a->left, left, visit);
    differ(a->right, right, visit);
  }

  Link root_;
};

}  // namespace lac
