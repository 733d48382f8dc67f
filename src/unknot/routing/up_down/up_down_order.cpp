// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down/up_down_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/number.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kUnreached = PathDags::kUnreached;

/// Hops from the nearest of the starting routers, over channels in their direction.
std::vector<std::uint32_t> hops_from(const LiveNetwork& network, std::vector<std::uint32_t> queue) {
  std::vector<std::uint32_t> hops(network.router_count(), kUnreached);
  for (const std::uint32_t r : queue) hops[r] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const ChannelId c : network.out(RouterId(queue[head]))) {
      const std::uint32_t next = network.target(c).value;
      if (hops[next] != kUnreached) continue;
      hops[next] = hops[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return hops;
}

/// Routers whose value is the largest, if that is above zero and finite.
std::vector<RouterId> highest(const std::vector<std::uint32_t>& value) {
  std::uint32_t most = 0;
  for (const std::uint32_t v : value) most = v == kUnreached ? most : std::max(most, v);
  std::vector<RouterId> routers;
  for (std::uint32_t r = 0; most > 0 && r < value.size(); ++r) {
    if (value[r] == most) routers.emplace_back(r);
  }
  return routers;
}

}  // namespace

std::vector<std::uint32_t> ranks_below(const LiveNetwork& network, const std::vector<RouterId>& roots) {
  std::vector<std::uint32_t> start;
  start.reserve(roots.size());
  for (const RouterId r : roots) start.push_back(r.value);
  std::vector<std::uint32_t> rank = hops_from(network, start);
  // Parts without a root get their router with most channels as root, ranked below all that went before.
  std::uint32_t base = 0;
  for (;;) {
    for (const std::uint32_t r : rank) base = r == kUnreached ? base : std::max(base, r + 1);
    std::uint32_t root = kUnreached;
    for (const RouterId r : network.routers()) {
      if (rank[r.value] != kUnreached || !network.alive(r)) continue;
      if (root == kUnreached || network.out(r).size() > network.out(RouterId(root)).size()) root = r.value;
    }
    if (root == kUnreached) break;
    const std::vector<std::uint32_t> part = hops_from(network, {root});
    for (std::uint32_t r = 0; r < part.size(); ++r) {
      if (rank[r] == kUnreached && part[r] != kUnreached) rank[r] = base + part[r];
    }
  }
  std::replace(rank.begin(), rank.end(), kUnreached, std::uint32_t{0});  // dead
  return rank;
}

UpDownOrder order_below(const Network& network, const std::vector<RouterId>& roots) {
  UpDownOrder order;
  order.rank = ranks_below(network, roots);
  const std::vector<std::uint32_t>& rank = order.rank;
  order.top_down.resize(network.router_count());
  std::iota(order.top_down.begin(), order.top_down.end(), 0U);
  std::stable_sort(order.top_down.begin(), order.top_down.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
  order.place.resize(network.router_count());
  for (std::uint32_t i = 0; i < order.top_down.size(); ++i) order.place[order.top_down[i]] = i;
  return order;
}

std::vector<std::uint8_t> UpDownOrder::channels_up(const Network& network) const {
  std::vector<std::uint8_t> all;
  all.reserve(network.channel_count());
  for (const ChannelId c : network.channels())
    all.push_back(up(network.source(c), network.target(c)) ? 1 : 0);
  return all;
}

RouterId central_router(const Network& network) {
  RouterId best(0);
  std::uint64_t best_key[3] = {~0ULL, ~0ULL, ~0ULL};
  for (const RouterId r : network.routers()) {
    const std::vector<std::uint32_t> hops = hops_from(network, {r.value});
    std::uint64_t far = 0;
    std::uint64_t sum = 0;
    std::uint64_t missed = 0;
    for (const RouterId other : network.routers()) {
      const std::uint64_t terminals = network.terminals_at(other).size();
      if (terminals == 0) continue;
      if (hops[other.value] == kUnreached) {
        missed += terminals;
        continue;
      }
      far = std::max<std::uint64_t>(far, hops[other.value]);
      sum += terminals * hops[other.value];
    }
    const std::uint64_t key[3] = {missed, far, sum};
    if (std::lexicographical_compare(key, key + 3, best_key, best_key + 3)) {
      std::copy(key, key + 3, best_key);
      best = r;
    }
  }
  return best;
}

std::vector<std::vector<RouterId>> tree_roots(const Network& network) {
  std::vector<std::vector<RouterId>> candidates;
  const auto add = [&](std::vector<RouterId> roots) {
    if (!roots.empty() && std::find(candidates.begin(), candidates.end(), roots) == candidates.end()) {
      candidates.push_back(std::move(roots));
    }
  };
  add(highest({network.levels().begin(), network.levels().end()}));
  std::vector<std::uint32_t> with_terminals;
  for (const RouterId r : network.endpoint_routers()) with_terminals.push_back(r.value);
  add(highest(hops_from(network, with_terminals)));
  return candidates;
}

std::vector<RouterId> parse_roots(const Network& network, const std::string& text) {
  std::unordered_map<std::string, RouterId> by_name;
  std::unordered_map<std::uint64_t, RouterId> by_guid;
  for (const RouterId r : network.routers()) {
    by_name.emplace(network.router_name(r), r);
    by_guid.emplace(network.router_guid(r), r);
  }
  std::vector<RouterId> roots;
  const auto add = [&](std::string_view item, const std::string& place) {
    RouterId root;
    const bool hex = item.starts_with("0x");
    const auto number = number_in<std::uint64_t>(hex ? item.substr(2) : item, hex ? 16 : 10);
    if (const auto named = by_name.find(std::string(item)); named != by_name.end()) {
      root = named->second;
    } else if (number) {
      if (hex) {
        const auto known = by_guid.find(*number);
        if (known != by_guid.end()) root = known->second;
      } else if (*number < network.router_count()) {
        root = RouterId(static_cast<std::uint32_t>(*number));
      }
    }
    if (!root.valid()) {
      throw InputError(
          fmt::format("{}: '{}' is no router: expected an id below {}, a name, or a GUID as 0x...", place,
                      item, network.router_count()));
    }
    roots.push_back(root);
  };
  if (text.starts_with('@')) {
    const std::string path = text.substr(1);
    const std::string content = read_file(path);
    std::size_t line_number = 0;
    for (std::string_view rest = content; !rest.empty();) {
      ++line_number;
      const std::size_t cut = rest.find('\n');
      std::string_view line = rest.substr(0, cut);
      rest.remove_prefix(cut == std::string_view::npos ? rest.size() : cut + 1);
      line = line.substr(0, line.find('#'));
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0)
        line.remove_prefix(1);
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
        line.remove_suffix(1);
      if (!line.empty()) add(line, fmt::format("{}:{}", path, line_number));
    }
    if (roots.empty()) throw InputError(fmt::format("{}: names no root", path));
    return roots;
  }
  for (std::string_view rest = text;;) {
    const std::size_t cut = rest.find('+');
    add(rest.substr(0, cut), "roots");
    if (cut == std::string_view::npos) break;
    rest.remove_prefix(cut + 1);
  }
  return roots;
}

}  // namespace unknot
