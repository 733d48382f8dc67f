// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/up_down_shape.hpp"

namespace unknot {

UpDownShape::UpDownShape(const Network& network)
    : height_(network.router_count(), PathDags::kUnreached),
      has_sources_(network.router_count(), 0),
      may_rise_(network.router_count(), 0) {
  std::vector<std::uint32_t> queue;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    has_sources_[r.value] = 1;
    height_[r.value] = 0;
    queue.push_back(r.value);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const ChannelId c : network.out(RouterId(queue[head]))) {
      const std::uint32_t next = network.target(c).value;
      if (height_[next] != PathDags::kUnreached) continue;
      height_[next] = height_[queue[head]] + 1;
      queue.push_back(next);
    }
  }
}

void UpDownShape::look_at(const PathDag& dag) {
  if (!up_down_) return;
  carries_ = has_sources_;
  may_rise_[dag.root] = 0;
  for (std::uint32_t i = 0; i < dag.positions(); ++i) {
    const std::uint32_t router = dag.order[i];
    bool rises = false;
    for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c)
      rises |= height_[dag.to[c]] >= height_[router];
    may_rise_[router] = rises ? 1 : 0;
  }
  for (std::uint32_t i = dag.positions(); i-- > 0;) {
    const std::uint32_t router = dag.order[i];
    if (carries_[router] == 0) continue;
    for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
      const std::uint32_t next = dag.to[c];
      carries_[next] = 1;
      if (height_[next] <= height_[router] && may_rise_[next] != 0) {
        up_down_ = false;  // not up, and then not down
        return;
      }
    }
  }
}

}  // namespace unknot
