// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/copied_routes.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/support/parallel.hpp"
#include "unknot/tables/model_terminal.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kMissing = ServiceLevels::kMissing;

class Copier {
 public:
  Copier(const Network& network, const Routing& data, const ManagedNetwork& managed, std::uint32_t threads)
      : network_(network),
        data_(data),
        managed_(managed),
        threads_(threads),
        model_(model_terminals(network, data.table())) {}

  Routing run() {
    Routing routing;
    routing.engine = data_.engine;
    routing.virtual_lanes = data_.virtual_lanes;
    routing.data_lanes = data_.data_lanes;
    routing.lanes_needed = data_.lanes_needed;
    routing.flow_control = data_.flow_control;
    routing.report = data_.report;
    routing.paths = copy_table();
    if (data_.lane_map != nullptr) routing.lane_map = copy_lane_map();
    return routing;
  }

  /// Levels of hosts, and of routers as of theirs; `bare` for routers that have none.
  [[nodiscard]] ServiceLevels levels(std::uint8_t bare) const {
    const Network& network = managed_.network;
    std::vector<bool> begins(network.terminal_count(), true);
    for (const TerminalId t : network_.terminals())
      begins[managed_.of_terminal[t.value].value] = data_.service_levels.begins_row(network_, t);
    ServiceLevels levels(network, begins, bare);
    for_each_router([&](RouterId at) {
      for (const TerminalId t : network.terminals_at(at)) {
        if (!levels.begins_row(network, t)) continue;
        const TerminalId host = managed_.host[t.value];
        const TerminalId sender = host.valid() ? host : model_[at.value];
        if (!sender.valid()) continue;  // a router without hosts
        fill_row(sender, !host.valid(), levels.row(levels.row_of(t)));
      }
    });
    return levels;
  }

 private:
  /// Rows of one router are nobody else's, so that several threads copy.
  template <class Copy>
  void for_each_router(const Copy& copy) const {
    parallel_blocks(network_.router_count(), 16, threads_,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                      for (RouterId r(begin); r.value < end; ++r.value) copy(r);
                    });
  }

  ForwardingTable copy_table() const {
    ForwardingTable table(managed_.network);
    const std::size_t from_width = network_.terminal_count();
    const std::size_t to_width = managed_.network.terminal_count();
    table.with_entry_type([&]<class Entry>(Entry) {
      const auto from = data_.table().entries<Entry>();
      const auto to = table.entries<Entry>();
      for_each_router([&](RouterId at) {
        const Entry* const row = from.data() + at.value * from_width;
        Entry* out = to.data() + at.value * to_width;
        for (const RouterId r : network_.routers()) {
          const IdRange<TerminalId> here = network_.terminals_at(r);
          out = std::copy(row + here.first(), row + here.last(), out);
          const TerminalId model = model_[r.value];
          if (r != at && model.valid()) *out = row[model.value];
          ++out;  // a router's own port is set, "here"
        }
      });
    });
    data_.table().for_each_stray_port([&](RouterId r, TerminalId t, std::uint16_t port) {
      table.set_stray(r, managed_.of_terminal[t.value], port);
    });
    return table;
  }

  /// A level on which hosts of one router reach each other.
  std::uint8_t level_at_home(RouterId r) const {
    const IdRange<TerminalId> here = network_.terminals_at(r);
    if (here.size() < 2) return 0;
    const std::uint8_t level = data_.service_levels.get(here[0], here[1]);
    return level == kMissing ? std::uint8_t{0} : level;
  }

  /// The terminals of a router follow each other, before its own port.
  void fill_row(TerminalId sender, bool own_port, std::span<std::uint8_t> row) const {
    const RouterId at = network_.router_of(sender);
    const ServiceLevels& levels = data_.service_levels;
    const std::span<const std::uint8_t> from =
        levels.empty() ? std::span<const std::uint8_t>() : levels.row(levels.row_of(sender));
    for (const RouterId r : network_.routers()) {
      const IdRange<TerminalId> here = network_.terminals_at(r);
      const std::uint32_t own = managed_.of_router[r.value].value;
      std::uint8_t* to = row.data() + own - here.size();
      if (levels.empty()) {
        std::fill_n(to, here.size(), std::uint8_t{0});
      } else {
        std::copy_n(from.data() + here.first(), here.size(), to);
      }
      const TerminalId model = model_[r.value];
      if (model.valid()) row[own] = levels.empty() ? std::uint8_t{0} : from[model.value];
    }
    row[managed_.of_router[at.value].value] = level_at_home(at);
    if (own_port) row[managed_.of_terminal[sender.value].value] = level_at_home(at);
  }

  std::shared_ptr<const LaneMap> copy_lane_map() const {
    const LaneMap& from = *data_.lane_map;
    auto map = std::make_shared<LaneMap>(from);
    map->forget_sources();
    for (const TerminalId t : network_.terminals()) {
      if (const LaneMap::Row* row = from.source(t))
        map->set_source(managed_.network, managed_.of_terminal[t.value], *row);
    }
    for (const RouterId r : network_.routers()) {
      const TerminalId model = model_[r.value];
      if (!model.valid()) continue;
      const std::uint16_t port = network_.terminal_port(model);
      for (std::uint16_t other = 1; other <= network_.port_count(r); ++other) {
        map->set(r, 0, other, from.get(r, port, other));
        map->set(r, other, 0, from.get(r, other, port));
      }
      const IdRange<TerminalId> here = network_.terminals_at(r);
      if (here.size() > 1) {
        const std::uint16_t first = network_.terminal_port(here[0]);
        const std::uint16_t second = network_.terminal_port(here[1]);
        map->set(r, 0, port, from.get(r, first, second));
        map->set(r, port, 0, from.get(r, first, second));
      }
    }
    return map;
  }

  const Network& network_;
  const Routing& data_;
  const ManagedNetwork& managed_;
  std::uint32_t threads_;
  std::vector<TerminalId> model_;  // by router: the host it does as; invalid where it has none
};

}  // namespace

Routing copied_routes(const Network& network, const Routing& data, const ManagedNetwork& managed,
                      std::uint32_t threads) {
  return Copier(network, data, managed, threads).run();
}

ServiceLevels copied_levels(const Network& network, const Routing& data, const ManagedNetwork& managed,
                            std::uint8_t bare, std::uint32_t threads) {
  return Copier(network, data, managed, threads).levels(bare);
}

}  // namespace unknot
