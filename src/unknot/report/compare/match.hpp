// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

// What two pages both have, by what it is called.
namespace unknot::report {

/// One of the first page and one of the second that are the same, or one without a counterpart.
struct Match {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t before = kNone, after = kNone;
  [[nodiscard]] bool both() const { return before != kNone && after != kNone; }
};

/// Parts by what they are called; of several of one name one after the other is found.
template <class Key>
class Known {
 public:
  void add(Key key, std::uint32_t id) { ids_[std::move(key)].push_back(id); }
  std::uint32_t take(const Key& key) {
    const auto found = ids_.find(key);
    if (found == ids_.end() || found->second.size() == taken_[key]) return Match::kNone;
    return found->second[taken_[key]++];
  }

 private:
  std::map<Key, std::vector<std::uint32_t>> ids_;
  std::map<Key, std::size_t> taken_;
};

/// Those of the first in their order, each with its counterpart, then what the second has alone. `key` gives
/// what they are called. O(n log n).
template <class Item, class KeyOf>
std::vector<Match> matched(const std::vector<Item>& before, const std::vector<Item>& after, KeyOf key) {
  Known<decltype(key(before.front()))> known;
  for (std::uint32_t i = 0; i < after.size(); ++i) known.add(key(after[i]), i);
  std::vector<Match> matches;
  std::vector<bool> found(after.size());
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    matches.push_back({i, known.take(key(before[i]))});
    if (matches.back().both()) found[matches.back().after] = true;
  }
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    if (!found[i]) matches.push_back({Match::kNone, i});
  }
  return matches;
}

}  // namespace unknot::report
