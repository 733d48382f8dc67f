// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/live/joined_network.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNowhere = RouterId::kNone;

bool same_terminals(const Network& a, RouterId in_a, const Network& b, RouterId in_b) {
  const IdRange<TerminalId> here = a.terminals_at(in_a);
  const IdRange<TerminalId> there = b.terminals_at(in_b);
  if (here.size() != there.size()) return false;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    if (a.terminal_port_guid(here[i]) != b.terminal_port_guid(there[i]) ||
        a.terminal_port(here[i]) != b.terminal_port(there[i]))
      return false;
  }
  return true;
}

/// Routers by GUID.
class RouterIndex {
 public:
  explicit RouterIndex(const Network& network) {
    all_.reserve(network.router_count());
    for (const RouterId r : network.routers()) all_.emplace_back(network.router_guid(r), r.value);
    std::sort(all_.begin(), all_.end());
  }
  [[nodiscard]] std::uint32_t find(std::uint64_t guid) const {
    const auto at = std::lower_bound(all_.begin(), all_.end(), std::pair(guid, std::uint32_t{0}));
    return at == all_.end() || at->first != guid ? kNowhere : at->second;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all_;
};

/// A router of the joined network; kNowhere where one of the two has it not.
struct Both {
  std::uint32_t in_a, in_b;
};

/// In an order that is that of either. Empty where there is none.
std::vector<Both> merged_routers(const Network& a, const Network& b) {
  const RouterIndex in_a(a);
  const RouterIndex in_b(b);
  std::vector<Both> merged;
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < a.router_count() || j < b.router_count()) {
    const std::uint32_t there =
        i < a.router_count() ? in_b.find(a.router_guid(RouterId(i))) : b.router_count();
    if (there == kNowhere) {
      merged.push_back({i++, kNowhere});
    } else if (there == j && j < b.router_count()) {
      merged.push_back({i++, j++});
    } else if (j < b.router_count() && in_a.find(b.router_guid(RouterId(j))) == kNowhere) {
      merged.push_back({kNowhere, j++});
    } else {
      return {};
    }
  }
  return merged;
}

/// A channel by its ends, routers numbered as in the joined network.
struct Link {
  std::uint32_t from;
  std::uint16_t from_port;
  std::uint32_t to;
  std::uint16_t to_port;
  auto operator<=>(const Link&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

std::vector<Link> links_of(const Network& network, const std::vector<std::uint32_t>& number) {
  std::vector<Link> links;
  links.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    links.push_back({number[network.source(c).value], network.source_port(c), number[network.target(c).value],
                     network.target_port(c)});
  }
  std::sort(links.begin(), links.end());
  return links;
}

void add_links(const std::vector<Link>& links, NetworkBuilder& builder) {
  for (const Link& link : links) {
    const Link back{link.to, link.to_port, link.from, link.from_port};
    const bool two_way = std::binary_search(links.begin(), links.end(), back);
    if (two_way && back < link) continue;
    if (two_way) {
      builder.add_cable(RouterId(link.from), link.from_port, RouterId(link.to), link.to_port);
    } else {
      builder.add_channel(RouterId(link.from), link.from_port, RouterId(link.to), link.to_port);
    }
  }
}

/// Whether a port is that of two links.
bool twice(const std::vector<Link>& links) {
  std::vector<std::tuple<std::uint32_t, std::uint16_t>> into;
  into.reserve(links.size());
  for (const Link& link : links) into.emplace_back(link.to, link.to_port);
  std::sort(into.begin(), into.end());
  return std::adjacent_find(into.begin(), into.end()) != into.end() ||
         std::adjacent_find(links.begin(), links.end(), [](const Link& x, const Link& y) {
           return x.from == y.from && x.from_port == y.from_port;
         }) != links.end();
}

}  // namespace

std::optional<Faults> lost_parts(const Network& whole, const Network& now) {
  Faults lost;
  std::vector<std::uint32_t> number(whole.router_count(), kNowhere);
  RouterId next(0);
  for (const RouterId r : whole.routers()) {
    if (next.value < now.router_count() && now.router_guid(next) == whole.router_guid(r)) {
      if (!same_terminals(whole, r, now, next)) return std::nullopt;
      number[r.value] = next.value++;
    } else {
      lost.routers.push_back(r);
    }
  }
  if (next.value != now.router_count()) return std::nullopt;
  std::uint32_t found = 0;
  for (const RouterId r : whole.routers()) {
    if (number[r.value] == kNowhere) continue;
    const IdRange<ChannelId> here = now.out(RouterId(number[r.value]));
    std::uint32_t at = here.first();
    for (const ChannelId c : whole.out(r)) {
      const std::uint32_t to = number[whole.target(c).value];
      if (at < here.last() && now.source_port(ChannelId(at)) == whole.source_port(c) &&
          now.target(ChannelId(at)).value == to && now.target_port(ChannelId(at)) == whole.target_port(c)) {
        ++at;
        ++found;
      } else if (to != kNowhere) {
        lost.channels.push_back(c);
      }
    }
  }
  if (found != now.channel_count()) return std::nullopt;
  return lost;
}

std::optional<Network> joined_network(const Network& a, const Network& b) {
  const std::vector<Both> routers = merged_routers(a, b);
  if (routers.empty()) return std::nullopt;
  NetworkBuilder builder;
  builder.add_routers(static_cast<std::uint32_t>(routers.size()));
  std::vector<std::uint32_t> number_of_a(a.router_count());
  std::vector<std::uint32_t> number_of_b(b.router_count());
  for (std::uint32_t r = 0; r < routers.size(); ++r) {
    const auto [in_a, in_b] = routers[r];
    if (in_a != kNowhere) number_of_a[in_a] = r;
    if (in_b != kNowhere) number_of_b[in_b] = r;
    if (in_a != kNowhere && in_b != kNowhere && !same_terminals(a, RouterId(in_a), b, RouterId(in_b)))
      return std::nullopt;
    const Network& network = in_a != kNowhere ? a : b;
    const RouterId here(in_a != kNowhere ? in_a : in_b);
    builder.labels().router_guid.push_back(network.router_guid(here));
    for (const TerminalId t : network.terminals_at(here)) {
      if (network.further_address(t)) return std::nullopt;
      builder.add_terminal(RouterId(r), network.terminal_port(t));
      builder.labels().terminal_port_guid.push_back(network.terminal_port_guid(t));
    }
  }
  const std::vector<Link> of_a = links_of(a, number_of_a);
  const std::vector<Link> of_b = links_of(b, number_of_b);
  std::vector<Link> links;
  links.reserve(std::max(of_a.size(), of_b.size()));
  std::set_union(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(links));
  if (twice(links)) return std::nullopt;
  add_links(links, builder);
  return std::move(builder).build();
}

}  // namespace unknot
