// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/table_filler.hpp"

namespace unknot {

TableFiller::TableFiller(const Network& network)
    : network_(network), table_(network), begun_(network.router_count(), false) {
  // What a file does not say is not so: even a router's own terminals are reached by a row only.
  for (const TerminalId t : network.terminals()) {
    table_.set(network.router_of(t), t, ForwardingTable::kNone);
  }
}

bool TableFiller::begin(RouterId router) {
  router_ = router;
  if (begun_[router.value]) return false;
  begun_[router.value] = true;
  position_.assign(network_.port_count(router) + std::size_t{1}, ForwardingTable::kStray);
  const IdRange<ChannelId> out = network_.out(router);
  for (std::uint32_t i = 0; i < out.size(); ++i) position_[network_.source_port(out[i])] = i;
  return true;
}

}  // namespace unknot
