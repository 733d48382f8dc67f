// SPDX-License-Identifier: Apache-2.0
// Ways out for routers that find no channel: the escape paths of a lane, and the detours by a neighbour.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/routing/nue/nue_lane.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = NueTree::kNone;

}  // namespace

/// Breadth first from the top router of each part.
void NueLane::make_spanning_tree(const UpDownOrder& up_down) {
  std::vector<std::uint8_t> seen(network_.router_count(), 0);
  std::vector<std::vector<std::uint32_t>> at(network_.router_count());
  std::vector<std::uint32_t> queue;
  for (const std::uint32_t top : up_down.top_down) {
    if (seen[top] != 0) continue;
    seen[top] = 1;
    queue.assign(1, top);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const ChannelId c : network_.out(RouterId(queue[head]))) {
        const std::uint32_t next = target_[c.value];
        if (seen[next] != 0) continue;
        seen[next] = 1;
        queue.push_back(next);
        at[queue[head]].push_back(c.value);
        at[next].push_back(network_.reverse(c).value);
      }
    }
  }
  tree_first_.push_back(0);
  for (const std::vector<std::uint32_t>& channels : at) {
    tree_channels_.insert(tree_channels_.end(), channels.begin(), channels.end());
    tree_first_.push_back(static_cast<std::uint32_t>(tree_channels_.size()));
  }
}

/// Channel of every router on the spanning tree towards the root.
void NueLane::escape_towards(RouterId root) {
  if (escape_root_ == root.value) return;
  escape_root_ = root.value;
  std::fill(escape_hops_.begin(), escape_hops_.end(), kFar);
  escape_hops_[root.value] = 0;
  escape_[root.value] = kNone;
  outward_.assign(1, root.value);
  for (std::size_t head = 0; head < outward_.size(); ++head) {
    const std::uint32_t r = outward_[head];
    for (std::uint32_t i = tree_first_[r]; i < tree_first_[r + 1]; ++i) {
      const std::uint32_t next = target_[tree_channels_[i]];
      if (escape_hops_[next] != kFar) continue;
      escape_hops_[next] = escape_hops_[r] + 1;
      escape_[next] = network_.reverse(ChannelId(tree_channels_[i])).value;
      outward_.push_back(next);
    }
  }
}

void NueLane::reserve_escape(RouterId root) {
  escape_towards(root);
  for (const std::uint32_t r : outward_) {
    if (escape_hops_[r] < 2) continue;
    const std::uint32_t arc = dependency(escape_[r], escape_[target_[escape_[r]]]);
    arcs_.add(arc);
    reserved_[arc] = 1;
  }
}

void NueLane::bind_to_escape(const std::vector<std::uint32_t>& routers) {
  for (std::uint32_t r : routers) {
    for (; r != root_ && bound_[r] == 0; r = target_[escape_[r]]) bound_[r] = 1;
  }
}

/// Whether the path of `from` leads through `router`.
bool NueLane::passes(std::uint32_t from, std::uint32_t router) const {
  for (; from != root_; from = target_[channel_[from]]) {
    if (from == router) return true;
  }
  return false;
}

/// Settles a router that no neighbour lets in, by letting one of them take another channel.
bool NueLane::detour(std::uint32_t router) {
  struct Way {
    std::uint32_t hops, channel, onward;
  };
  std::vector<Way> ways;
  for (const ChannelId c : network_.out(RouterId(router))) {
    const std::uint32_t by = target_[c.value];
    if (hops_[by] == kFar || by == root_ || bound_[by] != 0) continue;
    for (const ChannelId onward : network_.out(RouterId(by))) {
      const std::uint32_t next = target_[onward.value];
      if (hops_[next] == kFar || onward.value == channel_[by] || passes(next, by)) continue;
      ways.push_back({hops_[next], c.value, onward.value});
    }
  }
  std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.hops < b.hops; });
  return std::any_of(ways.begin(), ways.end(),
                     [&](const Way& way) { return redirect(router, way.channel, way.onward); });
}

/// Makes the neighbour behind `channel` send to `onward` if that suits all whose paths pass it.
bool NueLane::redirect(std::uint32_t router, std::uint32_t channel, std::uint32_t onward) {
  const std::size_t before = fresh_.size();
  const std::uint32_t by = target_[channel];
  const std::uint32_t next = target_[onward];
  bool fits = (next == root_ || use(dependency(onward, channel_[next]))) && use(dependency(channel, onward));
  for (const ChannelId c : network_.in(RouterId(by))) {
    if (fits && channel_[source_[c.value]] == c.value) fits = use(dependency(c.value, onward));
  }
  if (!fits) {
    take_back(before);
    return false;
  }
  channel_[by] = onward;
  channel_[router] = channel;
  count_hops();
  for (std::vector<std::uint32_t>& level : level_) level.clear();
  for (const std::uint32_t r : outward_) {
    if (level_.size() <= hops_[r]) level_.resize(hops_[r] + std::size_t{1});
    level_[hops_[r]].push_back(r);
  }
  return true;
}

}  // namespace unknot
