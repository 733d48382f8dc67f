// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/connectivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/network/bfs.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kPartsNamed = 4;
constexpr std::size_t kRoutersNamed = 3;

/// Renumbers arbitrary part numbers below `count` by their smallest router.
void number_by_smallest(RouterParts& parts) {
  std::vector<std::uint32_t> rename(parts.count, kNone);
  std::uint32_t next = 0;
  for (std::uint32_t& part : parts.part) {
    if (rename[part] == kNone) rename[part] = next++;
    part = rename[part];
  }
}

struct PartSummary {
  std::uint32_t routers = 0;
  std::uint32_t terminals = 0;
  std::vector<RouterId> first;  // a few to name
};

std::string plural(std::uint32_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string describe(const Network& network, const PartSummary& part) {
  std::string names;
  for (const RouterId r : part.first) names += (names.empty() ? "" : ", ") + network.router_name(r);
  if (part.routers > part.first.size()) names += ", ...";
  return fmt::format("{} with {} ({})", plural(part.routers, "router"), plural(part.terminals, "terminal"),
                     names);
}

}  // namespace

RouterParts weakly_connected_parts(const Network& network) {
  RouterParts parts{0, std::vector<std::uint32_t>(network.router_count(), kNone)};
  std::vector<RouterId> stack;
  for (const RouterId root : network.routers()) {
    if (parts.part[root.value] != kNone) continue;
    const std::uint32_t number = parts.count++;
    const auto visit = [&](RouterId r) {
      if (parts.part[r.value] != kNone) return;
      parts.part[r.value] = number;
      stack.push_back(r);
    };
    visit(root);
    while (!stack.empty()) {
      const RouterId r = stack.back();
      stack.pop_back();
      for (const ChannelId c : network.out(r)) visit(network.target(c));
      for (const ChannelId c : network.in(r)) visit(network.source(c));
    }
  }
  return parts;
}

RouterParts strongly_connected_parts(const Network& network) {
  const std::uint32_t n = network.router_count();
  RouterParts parts{0, std::vector<std::uint32_t>(n, kNone)};
  std::vector<std::uint32_t> index(n, kNone);  // order of discovery
  std::vector<std::uint32_t> low(n, 0);        // smallest index reachable, as far as known
  std::vector<std::uint32_t> open;             // discovered, part not yet known
  struct Frame {
    std::uint32_t router, channel;
  };
  std::vector<Frame> path;
  std::uint32_t discovered = 0;
  const auto enter = [&](std::uint32_t r) {
    index[r] = low[r] = discovered++;
    open.push_back(r);
    path.push_back({r, network.out(RouterId(r)).first()});
  };
  for (std::uint32_t root = 0; root < n; ++root) {
    if (index[root] != kNone) continue;
    enter(root);
    while (!path.empty()) {
      Frame& top = path.back();
      const std::uint32_t r = top.router;
      if (top.channel < network.out(RouterId(r)).last()) {
        const std::uint32_t v = network.target(ChannelId(top.channel++)).value;
        if (index[v] == kNone) {
          enter(v);
        } else if (parts.part[v] == kNone) {
          low[r] = std::min(low[r], index[v]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().router] = std::min(low[path.back().router], low[r]);
      if (low[r] != index[r]) continue;
      for (std::uint32_t v = kNone; v != r;) {
        v = open.back();
        open.pop_back();
        parts.part[v] = parts.count;
      }
      ++parts.count;
    }
  }
  number_by_smallest(parts);
  return parts;
}

std::string describe_disconnection(const Network& network) {
  const RouterParts parts = strongly_connected_parts(network);
  if (parts.count <= 1) return "";
  std::vector<PartSummary> summaries(parts.count);
  for (const RouterId r : network.routers()) {
    PartSummary& summary = summaries[parts.part[r.value]];
    ++summary.routers;
    summary.terminals += network.terminals_at(r).size();
    if (summary.first.size() < kRoutersNamed) summary.first.push_back(r);
  }
  if (network.terminal_count() > 0) {
    std::erase_if(summaries, [](const PartSummary& part) { return part.terminals == 0; });
  }
  if (summaries.size() <= 1) return "";

  const RouterParts weak = weakly_connected_parts(network);
  const bool one_way = std::all_of(summaries.begin(), summaries.end(), [&](const PartSummary& part) {
    return weak.part[part.first[0].value] == weak.part[summaries[0].first[0].value];
  });
  std::stable_sort(summaries.begin(), summaries.end(), [](const PartSummary& a, const PartSummary& b) {
    return a.terminals != b.terminals ? a.terminals > b.terminals : a.routers > b.routers;
  });
  std::string text = fmt::format(
      "the fabric is in {} parts {}: ", summaries.size(),
      one_way ? "that one-way channels do not join both ways" : "that cannot all reach each other");
  for (std::size_t i = 0; i < std::min(summaries.size(), kPartsNamed); ++i) {
    text += (i == 0 ? "" : "; ") + describe(network, summaries[i]);
  }
  if (summaries.size() > kPartsNamed) {
    text += fmt::format("; and {} more", summaries.size() - kPartsNamed);
  }
  return text;
}

DisconnectedPairs disconnected_pairs(const Network& network) {
  DisconnectedPairs result;
  if (strongly_connected_parts(network).count <= 1) return result;
  BreadthFirstSearch search(network);
  for (const RouterId from : network.routers()) {
    const IdRange<TerminalId> sources = network.terminals_at(from);
    if (sources.empty()) continue;
    const auto distance = search.from(from);
    for (const RouterId to : network.routers()) {
      const IdRange<TerminalId> destinations = network.terminals_at(to);
      if (destinations.empty() || distance[to.value] != BreadthFirstSearch::kUnreached) continue;
      if (result.count == 0) {
        result.source = sources[0];
        result.destination = destinations[0];
      }
      result.count += std::uint64_t{sources.size()} * destinations.size();
    }
  }
  return result;
}

}  // namespace unknot
