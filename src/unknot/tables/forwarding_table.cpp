// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/forwarding_table.hpp"

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {

std::uint32_t ForwardingTable::width_for(const Network& network) {
  const std::uint32_t degree = network.max_out_degree();
  if (degree > stray<std::uint16_t>) throw InputError("a router has more than 65533 outgoing channels");
  return degree > stray<std::uint8_t> ? 2 : 1;
}

ForwardingTable ForwardingTable::unfilled(const Network& network) {
  ForwardingTable table;
  table.routers_ = network.router_count();
  table.terminals_ = network.terminal_count();
  table.width_ = width_for(network);
  const std::size_t entries = static_cast<std::size_t>(table.routers_) * table.terminals_;
  if (table.width_ == 1) {
    table.bytes_.resize(entries);
  } else {
    table.words_.resize(entries);
  }
  return table;
}

ForwardingTable::ForwardingTable(const Network& network) : ForwardingTable(unfilled(network)) {
  std::fill(bytes_.begin(), bytes_.end(), none<std::uint8_t>);
  std::fill(words_.begin(), words_.end(), none<std::uint16_t>);
  for (const TerminalId t : network.terminals()) set(network.router_of(t), t, kHere);
}

void ForwardingTable::set(RouterId r, TerminalId t, std::uint32_t position) {
  assert(r.value < routers_ && t.value < terminals_);
  const std::size_t at = static_cast<std::size_t>(r.value) * terminals_ + t.value;
  if (width_ == 1) {
    bytes_[at] = static_cast<std::uint8_t>(position);
  } else {
    words_[at] = static_cast<std::uint16_t>(position);
  }
}

void ForwardingTable::set_stray(RouterId r, TerminalId t, std::uint16_t port) {
  set(r, t, kStray);
  const std::uint64_t at = std::uint64_t{r.value} * terminals_ + t.value;
  if (port == 0) {
    stray_ports_.erase(at);
  } else {
    stray_ports_[at] = port;
  }
}

std::uint16_t ForwardingTable::stray_port(RouterId r, TerminalId t) const {
  if (stray_ports_.empty() || get(r, t) != kStray) return 0;
  const auto found = stray_ports_.find(std::uint64_t{r.value} * terminals_ + t.value);
  return found == stray_ports_.end() ? std::uint16_t{0} : found->second;
}

}  // namespace unknot
