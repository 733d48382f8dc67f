// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/addressed_network.hpp"

#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// LIDs that are given out.
class Lids {
 public:
  explicit Lids(const std::vector<KeptLids>& kept) {
    for (const KeptLids& one : kept) {
      for (std::uint32_t lid = one.first; lid <= one.last; ++lid) take(lid, 1);
    }
  }
  [[nodiscard]] bool free(std::uint32_t first, std::uint32_t count) const {
    for (std::uint32_t lid = first; lid < first + count && lid < taken_.size(); ++lid) {
      if (taken_[lid]) return false;
    }
    return first > 0;
  }
  void take(std::uint32_t first, std::uint32_t count) {
    if (first + std::size_t{count} > taken_.size()) taken_.resize(first + std::size_t{count}, false);
    for (std::uint32_t lid = first; lid < first + count; ++lid) taken_[lid] = true;
  }
  /// The lowest multiple of `count` that begins a free range, from `from` on, which moves past it.
  std::uint32_t next(std::uint32_t count, std::uint32_t& from) {
    while (!free(from, count)) from += count;
    const std::uint32_t first = from;
    take(first, count);
    from += count;
    return first;
  }

 private:
  std::vector<bool> taken_;
};

}  // namespace

Network addressed_network(const Network& network, std::uint32_t lmc) {
  const std::uint32_t count = 1U << lmc;
  const Labels& labels = network.labels();
  Lids lids(labels.kept_lids);
  std::vector<std::uint32_t> terminal(network.terminal_count(), 0);
  std::vector<std::uint32_t> router(network.router_count(), 0);
  std::vector<std::uint32_t> service(labels.service_nodes.size(), 0);
  const bool stated = !labels.terminal_lid.empty() || !labels.router_lid.empty();
  const auto keep = [&lids](std::uint32_t lid, std::uint32_t width, std::uint32_t& mine) {
    if (lid == 0 || lid % width != 0 || !lids.free(lid, width)) return;
    lids.take(lid, width);
    mine = lid;
  };
  if (stated && !labels.terminal_lid.empty()) {
    for (const TerminalId t : network.terminals()) keep(network.terminal_lid(t), count, terminal[t.value]);
  }
  std::uint32_t from = count;
  for (std::uint32_t& lid : terminal) {
    if (lid == 0) lid = lids.next(count, from);
  }
  if (stated && !labels.router_lid.empty()) {
    for (const RouterId r : network.routers()) keep(network.router_lid(r), 1, router[r.value]);
  }
  for (std::size_t i = 0; i < service.size(); ++i) keep(labels.service_nodes[i].lid, 1, service[i]);
  from = 1;
  for (auto* devices : {&router, &service}) {
    for (std::uint32_t& lid : *devices) {
      if (lid == 0) lid = lids.next(1, from);
    }
  }
  return NetworkBuilder::with_addresses(
      NetworkBuilder::with_lids(network, std::move(router), std::move(terminal), service), count);
}

}  // namespace unknot
