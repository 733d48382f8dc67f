// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/cut_tree.hpp"

namespace unknot {

CutTree CutTreeFinder::find(TerminalId destination, std::span<const RouterId> roots) {
  CutTree tree;
  tree.destination = destination;
  ++search_;
  for (const RouterId root : roots) {
    seen_[root.value] = search_;
    tree.routers.push_back({root.value, table_->get(root, destination), 0, true});
  }
  for (std::size_t next = 0; next < tree.routers.size(); ++next) {
    for (const ChannelId c : network_->in(RouterId(tree.routers[next].router))) {
      const RouterId sender = network_->source(c);
      if (seen_[sender.value] == search_) continue;
      const std::uint32_t entry = table_->get(sender, destination);
      if (entry != c.value - network_->out(sender).first()) continue;
      seen_[sender.value] = search_;
      tree.routers.push_back({sender.value, entry, 0, false});
    }
  }
  return tree;
}

}  // namespace unknot
