// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/differing_entries.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace unknot {

std::vector<EntryChange> differing_entries(const ForwardingTable& before, const ForwardingTable& after) {
  constexpr std::size_t kAtOnce = 4096;  // entries; most stretches are the same
  std::vector<EntryChange> changes;
  const std::size_t terminals = after.terminal_count();
  after.with_entry_type([&]<class Entry>(Entry) {
    const std::span<const Entry> was = before.entries<Entry>();
    const std::span<const Entry> is = after.entries<Entry>();
    for (std::size_t begin = 0; begin < is.size(); begin += kAtOnce) {
      const std::size_t end = std::min(begin + kAtOnce, is.size());
      if (std::memcmp(was.data() + begin, is.data() + begin, (end - begin) * sizeof(Entry)) == 0) continue;
      for (std::size_t at = begin; at < end; ++at) {
        if (was[at] == is[at]) continue;
        changes.push_back({RouterId(static_cast<std::uint32_t>(at / terminals)),
                           TerminalId(static_cast<std::uint32_t>(at % terminals)),
                           ForwardingTable::position_of(was[at]), ForwardingTable::position_of(is[at])});
      }
    }
  });
  return changes;
}

}  // namespace unknot
