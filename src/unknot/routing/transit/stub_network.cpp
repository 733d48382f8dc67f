// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/transit/stub_network.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNoPart = 0xFFFFFFFFU;

class StubMaker {
 public:
  StubMaker(const Network& network, const std::vector<RouterId>& closed)
      : network_(network), closed_(network.router_count(), false), stub_of_(network.channel_count()) {
    for (const RouterId r : closed) closed_[r.value] = true;
    result_.stubs.resize(network.router_count());
    number_parts();
  }

  StubNetwork run() {
    for (const RouterId r : network_.routers()) {
      if (closed_[r.value]) {
        close(r);
      } else {
        add_router(r, part_of_[r.value]);
        for (const TerminalId t : network_.terminals_at(r)) dealt_.emplace_back(t, result_.stubs[r.value][0]);
        for (const ChannelId c : network_.out(r)) stub_of_[c.value] = result_.stubs[r.value][0];
      }
    }
    add_cables();
    add_terminals();
    add_labels();
    result_.network = std::move(builder_).build();
    find_ids();
    return std::move(result_);
  }

 private:
  /// Parts of the open routers, over channels of either direction.
  void number_parts() {
    part_of_.assign(network_.router_count(), kNoPart);
    std::vector<RouterId> queue;
    const auto reach = [&](RouterId r, std::uint32_t part) {
      if (closed_[r.value] || part_of_[r.value] != kNoPart) return;
      part_of_[r.value] = part;
      queue.push_back(r);
    };
    for (const RouterId start : network_.routers()) {
      const std::uint32_t part = parts_;
      reach(start, part);
      if (queue.empty()) continue;
      ++parts_;
      while (!queue.empty()) {
        const RouterId r = queue.back();
        queue.pop_back();
        for (const ChannelId c : network_.out(r)) reach(network_.target(c), part);
        for (const ChannelId c : network_.in(r)) reach(network_.source(c), part);
      }
    }
  }

  RouterId add_router(RouterId r, std::uint32_t part) {
    const RouterId id = builder_.add_router();
    result_.part.push_back(part);
    result_.router.push_back(r);
    result_.stubs[r.value].push_back(id);
    return id;
  }

  /// Cables to open routers, as channels that leave `r`, part by part.
  [[nodiscard]] std::vector<ChannelId> cables_out(RouterId r) const {
    std::vector<ChannelId> cables;
    for (const ChannelId c : network_.out(r)) {
      if (network_.reverse(c).valid() && !closed_[network_.target(c).value]) cables.push_back(c);
    }
    std::stable_sort(cables.begin(), cables.end(), [&](ChannelId a, ChannelId b) {
      return part_of_[network_.target(a).value] < part_of_[network_.target(b).value];
    });
    return cables;
  }

  void close(RouterId r) {
    const IdRange<TerminalId> terminals = network_.terminals_at(r);
    if (terminals.empty()) return;
    const std::vector<ChannelId> cables = cables_out(r);
    if (cables.empty()) {  // nobody reaches it but by closed routers
      const RouterId alone = add_router(r, parts_++);
      for (const TerminalId t : terminals) dealt_.emplace_back(t, alone);
      return;
    }
    for (std::span<const ChannelId> rest = cables; !rest.empty();) {
      const std::uint32_t part = part_of_[network_.target(rest[0]).value];
      const auto end = std::find_if(rest.begin(), rest.end(),
                                    [&](ChannelId c) { return part_of_[network_.target(c).value] != part; });
      const auto count = static_cast<std::size_t>(end - rest.begin());
      deal(r, terminals, rest.first(count), part);
      rest = rest.subspan(count);
    }
  }

  void deal(RouterId r, IdRange<TerminalId> terminals, std::span<const ChannelId> cables,
            std::uint32_t part) {
    std::vector<std::pair<RouterId, RouterId>> stub_to;  // neighbour, stub
    const auto stub_towards = [&](RouterId neighbour) {
      const auto known = std::find_if(stub_to.begin(), stub_to.end(),
                                      [&](const auto& entry) { return entry.first == neighbour; });
      return known == stub_to.end() ? RouterId() : known->second;
    };
    // Not all routers begin at their first cable: where they have fewer terminals than cables, all would load
    // the same neighbour.
    const std::size_t count = cables.size();
    for (std::uint32_t i = 0; i < terminals.size(); ++i) {
      const std::size_t place = terminals.size() < count ? i * count / terminals.size() : i;
      const RouterId neighbour = network_.target(cables[(place + turn_) % count]);
      RouterId stub = stub_towards(neighbour);
      if (!stub.valid()) {
        stub = add_router(r, part);
        stub_to.emplace_back(neighbour, stub);
      }
      dealt_.emplace_back(terminals[i], stub);
    }
    for (const ChannelId c : cables) stub_of_[c.value] = stub_towards(network_.target(c));
    turn_ += std::min<std::size_t>(terminals.size(), count);
  }

  void add_cables() {
    for (const ChannelId c : network_.channels()) {
      const ChannelId back = network_.reverse(c);
      if (back.valid() && back < c) continue;
      const RouterId from = stub_of_[c.value];
      if (!from.valid()) continue;
      if (back.valid()) {
        if (!stub_of_[back.value].valid()) continue;
        builder_.add_cable(from, network_.source_port(c), stub_of_[back.value], network_.target_port(c),
                           network_.channel_rate(c));
      } else if (!closed_[network_.target(c).value]) {
        builder_.add_channel(from, network_.source_port(c), result_.stubs[network_.target(c).value][0],
                             network_.target_port(c), network_.channel_rate(c));
      }
    }
  }

  void add_terminals() {
    Labels& labels = builder_.labels();
    for (const auto& [t, stub] : dealt_) {
      builder_.add_terminal(stub, network_.terminal_port(t));
      labels.terminal_name.push_back(network_.terminal_name(t));
      labels.terminal_node_guid.push_back(network_.terminal_node_guid(t));
      labels.terminal_port_guid.push_back(network_.terminal_port_guid(t));
      if (!network_.labels().terminal_rate.empty()) labels.terminal_rate.push_back(network_.terminal_rate(t));
    }
  }

  void add_labels() {
    Labels& labels = builder_.labels();
    std::vector<std::uint32_t> levels;
    for (const RouterId r : result_.router) {
      labels.router_name.push_back(network_.router_name(r));
      labels.router_guid.push_back(network_.router_guid(r));
      labels.router_ports.push_back(network_.port_count(r));
      if (!network_.levels().empty()) levels.push_back(network_.levels()[r.value]);
    }
    builder_.set_levels(std::move(levels));
    builder_.set_description(network_.description() + " without transit through some routers");
  }

  /// By port: build() numbers channels and terminals.
  void find_ids() {
    const Network& made = result_.network;
    result_.channel.reserve(made.channel_count());
    for (const ChannelId c : made.channels()) {
      const IdRange<ChannelId> out = network_.out(result_.router[made.source(c).value]);
      const auto same = std::find_if(out.begin(), out.end(), [&](ChannelId whole) {
        return network_.source_port(whole) == made.source_port(c);
      });
      result_.channel.push_back(*same);
    }
    result_.terminal.reserve(made.terminal_count());
    for (const TerminalId t : made.terminals()) {
      const IdRange<TerminalId> here = network_.terminals_at(result_.router[made.router_of(t).value]);
      const auto same = std::find_if(here.begin(), here.end(), [&](TerminalId whole) {
        return network_.terminal_port(whole) == made.terminal_port(t);
      });
      result_.terminal.push_back(*same);
    }
  }

  const Network& network_;
  std::vector<bool> closed_;                            // by router
  std::vector<RouterId> stub_of_;                       // by channel: what it leaves, of the result
  std::vector<std::pair<TerminalId, RouterId>> dealt_;  // terminals, and the stub each is at
  std::vector<std::uint32_t> part_of_;                  // by router; kNoPart where it is closed
  std::uint32_t parts_ = 0;
  std::size_t turn_ = 0;
  NetworkBuilder builder_;
  StubNetwork result_;
};

}  // namespace

StubNetwork stub_network(const Network& network, const std::vector<RouterId>& closed) {
  return StubMaker(network, closed).run();
}

}  // namespace unknot
