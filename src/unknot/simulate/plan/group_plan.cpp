// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/group_plan.hpp"

#include <fmt/format.h>

#include <numeric>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

/// Routers that cables have joined.
class Parts {
 public:
  explicit Parts(std::uint32_t routers) : of_(routers) { std::iota(of_.begin(), of_.end(), 0U); }
  /// False: they were one already.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    of_[a] = b;
    return a != b;
  }

 private:
  std::uint32_t find(std::uint32_t r) {
    while (of_[r] != r) r = of_[r] = of_[of_[r]];
    return r;
  }
  std::vector<std::uint32_t> of_;
};

bool has_port(std::span<const std::uint16_t> ports, std::uint16_t port) {
  for (const std::uint16_t one : ports) {
    if (one == port) return true;
  }
  return false;
}

void require_tree(const Network& network, const MulticastGroup& group) {
  Parts parts(network.router_count());
  for (const RouterId r : group.routers()) {
    for (const std::uint16_t port : group.ports(r)) {
      const ChannelId c = port == 0 ? ChannelId() : network.channel_at(r, port);
      if (!c.valid()) continue;
      const RouterId to = network.target(c);
      if (!has_port(group.ports(to), network.target_port(c))) {
        throw InputError(
            fmt::format("simulate: {} copies group 0x{:04x} to {}, which does not lead back: no tree",
                        network.router_name(r), group.lid(), network.router_name(to)));
      }
      if (r < to && !parts.join(r.value, to.value)) {
        throw InputError(fmt::format("simulate: group 0x{:04x} goes round by {}: no tree", group.lid(),
                                     network.channel_name(c)));
      }
      if (group.ports(to).size() == 1) {
        throw InputError(fmt::format("simulate: copies of group 0x{:04x} end at {}, which sends them nowhere",
                                     group.lid(), network.router_name(to)));
      }
    }
  }
}

GroupPlan plan_group(const Network& network, const Ports& ports, const MulticastGroup& group) {
  GroupPlan plan;
  plan.lid = group.lid();
  plan.level = group.level();
  for (const RouterId r : network.routers()) {
    plan.first.push_back(static_cast<std::uint32_t>(plan.places.size()));
    const auto row = group.ports(r);
    for (std::uint32_t o = ports.first_output[r.value]; o < ports.first_output[r.value + 1]; ++o) {
      if (ports.output_to[o] == Ports::kSink || !has_port(row, ports.output_number[o])) continue;
      plan.places.push_back(static_cast<std::uint16_t>(ports.local(o)));
      plan.numbers.push_back(ports.output_number[o]);
    }
  }
  plan.first.push_back(static_cast<std::uint32_t>(plan.places.size()));
  return plan;
}

}  // namespace

GroupTraffic plan_groups(const Network& network, const Ports& ports, const MulticastTables& tables,
                         double share) {
  GroupTraffic traffic;
  traffic.share = share;
  for (const MulticastGroup& group : tables.groups) {
    if (group.router_count() != network.router_count()) {
      throw InputError(fmt::format("simulate: the multicast tables are of {} routers, the network has {}",
                                   group.router_count(), network.router_count()));
    }
    require_tree(network, group);
    traffic.groups.push_back(plan_group(network, ports, group));
  }
  for (const TerminalId t : network.terminals()) {
    traffic.first_of_sender.push_back(static_cast<std::uint32_t>(traffic.of_sender.size()));
    for (std::size_t g = 0; g < traffic.groups.size(); ++g) {
      if (traffic.groups[g].next_copy(network.router_of(t).value, network.terminal_port(t), 0) !=
          GroupPlan::kNone)
        traffic.of_sender.push_back(static_cast<std::uint16_t>(g));
    }
  }
  traffic.first_of_sender.push_back(static_cast<std::uint32_t>(traffic.of_sender.size()));
  return traffic;
}

}  // namespace unknot::simulate
