// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Routers that cables join, named by the lowest of them.
struct Part {
  RouterId first;
  std::uint32_t routers = 0;
  std::uint32_t terminals = 0;
};

std::vector<Part> parts_of(const Network& network) {
  std::vector<Part> parts;
  std::vector<bool> seen(network.router_count(), false);
  std::vector<RouterId> queue;
  for (const RouterId start : network.routers()) {
    if (seen[start.value]) continue;
    parts.push_back({start});
    queue.assign(1, start);
    seen[start.value] = true;
    const auto visit = [&](RouterId r) {
      if (seen[r.value]) return;
      seen[r.value] = true;
      queue.push_back(r);
    };
    while (!queue.empty()) {
      const RouterId r = queue.back();
      queue.pop_back();
      ++parts.back().routers;
      parts.back().terminals += network.terminals_at(r).size();
      for (const ChannelId c : network.out(r)) visit(network.target(c));
      for (const ChannelId c : network.in(r)) visit(network.source(c));
    }
  }
  return parts;
}

}  // namespace

void require_connected(const Network& network, const std::string& file) {
  constexpr std::size_t kNamed = 4;
  std::vector<Part> parts = parts_of(network);
  if (parts.size() <= 1) return;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& x, const Part& y) { return x.routers > y.routers; });
  std::string list;
  for (std::size_t i = 0; i < std::min(parts.size(), kNamed); ++i) {
    const Part& part = parts[i];
    const std::string more = part.routers == 1   ? std::string()
                             : part.routers == 2 ? std::string(" and 1 more router")
                                                 : fmt::format(" and {} more routers", part.routers - 1);
    list +=
        fmt::format("{}\"{}\"{} ({} terminal{})", i == 0 ? "" : "; ", shown(network.router_name(part.first)),
                    more, part.terminals, part.terminals == 1 ? "" : "s");
  }
  if (parts.size() > kNamed) list += fmt::format("; and {} more parts", parts.size() - kNamed);
  throw InputError(fmt::format(
      "{}: the fabric is in {} parts that no cable joins: {}: connect them, or leave one part in the file",
      file, parts.size(), list));
}

}  // namespace unknot
