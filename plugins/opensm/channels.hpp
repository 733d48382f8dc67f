// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric.hpp"

namespace unknot::opensm {

/// The directions of the cables between switches, numbered switch by switch and port by port.
struct Channels {
  struct Channel {
    std::uint32_t from = 0, to = 0;      // switches
    std::uint8_t port = 0, to_port = 0;  // of each
    std::uint8_t lanes = 0;
    std::size_t next = 0;  // first of the pairs of this channel and a port of `to`
  };

  explicit Channels(const unknot_fabric& fabric);
  std::uint32_t count() const { return static_cast<std::uint32_t>(all.size()); }
  const Channel& operator[](std::uint32_t c) const { return all[c]; }

  std::vector<Channel> all;
  std::vector<std::vector<std::uint32_t>> at;  // by switch and port; kNone
  std::size_t pairs = 0;                       // of a channel and a port behind it
};

/// Takes away vertices that no other leads to until none is left; what cannot be taken away, and is returned,
/// is on a cycle or behind one. `next(v, visit)` visits the vertices that v leads to.
template <class Next>
std::vector<std::uint32_t> on_or_behind_cycles(std::uint32_t count, const Next& next) {
  std::vector<std::uint32_t> before(count, 0);
  for (std::uint32_t v = 0; v < count; ++v) next(v, [&](std::uint32_t n) { ++before[n]; });
  std::vector<std::uint32_t> free;
  for (std::uint32_t v = 0; v < count; ++v) {
    if (before[v] == 0) free.push_back(v);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    next(free[i], [&](std::uint32_t n) {
      if (--before[n] == 0) free.push_back(n);
    });
  }
  std::vector<std::uint32_t> left;
  for (std::uint32_t v = 0; v < count; ++v) {
    if (before[v] != 0) left.push_back(v);
  }
  return left;
}

/// Through `start`; empty where there is none.
template <class Next>
std::vector<std::uint32_t> shortest_cycle(std::uint32_t start, std::uint32_t count, const Next& next) {
  std::vector<std::uint32_t> parent(count, kNone);
  std::vector<std::uint32_t> queue{start};
  for (std::size_t i = 0; i < queue.size() && parent[start] == kNone; ++i) {
    next(queue[i], [&](std::uint32_t n) {
      if (parent[n] != kNone) return;
      parent[n] = queue[i];
      if (n != start) queue.push_back(n);
    });
  }
  std::vector<std::uint32_t> cycle;
  if (parent[start] == kNone) return cycle;
  for (std::uint32_t v = parent[start]; v != start; v = parent[v]) cycle.push_back(v);
  cycle.push_back(start);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace unknot::opensm
