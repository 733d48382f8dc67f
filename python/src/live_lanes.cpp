// SPDX-License-Identifier: Apache-2.0
#include "live_fabric.hpp"
#include "unknot/live/live_lane_fabric.hpp"

namespace unknot::python {
namespace {

using LaneFabric = Held<LiveLaneFabric>;

Faults lane_faults(const Network& network, const std::string& faults) {
  return faults.empty() ? Faults{} : parse_faults(network, faults);
}

std::shared_ptr<LaneFabric> open_lanes(const std::shared_ptr<Network>& network, const std::string& engine,
                                       std::uint32_t lanes, std::uint64_t seed, std::uint32_t threads,
                                       const std::string& faults, const py::object& progress) {
  return run_long(progress, [&](Progress& sink) {
    const LiveLaneOptions options{engine, lanes, seed, threads};
    return std::make_shared<LaneFabric>(
        network, std::make_unique<LiveLaneFabric>(*network, lane_faults(*network, faults), options, sink));
  });
}

std::shared_ptr<LaneFabric> lanes_of_routing(const NetworkRouting& made, std::uint32_t lanes,
                                             const std::string& faults) {
  return run_long(py::none(), [&](Progress& /*sink*/) {
    return std::make_shared<LaneFabric>(
        made.network, std::make_unique<LiveLaneFabric>(*made.network, made.routing,
                                                       lane_faults(*made.network, faults), lanes));
  });
}

/// What the last event has changed: router, terminal, level before, level after.
py::array changed_levels(const LaneFabric& live) {
  const auto fabric = live.use();
  const std::span<const LevelChange> levels = fabric->last().levels;
  std::vector<std::uint32_t> rows;
  rows.reserve(levels.size() * 4);
  for (const LevelChange& change : levels) {
    for (const std::uint32_t number : {fabric->router_of_row(change.row).value, change.destination.value,
                                       std::uint32_t{change.before}, std::uint32_t{change.after}})
      rows.push_back(number);
  }
  return adopt(std::move(rows), {static_cast<py::ssize_t>(levels.size()), 4});
}

NetworkRouting lane_routing(const LaneFabric& live) {
  const py::gil_scoped_release release;
  const auto fabric = live.use();
  auto now = std::make_shared<Network>(with_faults(*live.network, fabric->live().faults()));
  Routing routing = fabric->routing_now();
  routing.engine = "live";
  return {std::move(now), std::move(routing)};
}

}  // namespace

void bind_live_lanes(py::module_& module) {
  using L = LaneFabric;
  py::class_<L, std::shared_ptr<L>> type(
      module, "LiveLanes",
      "Live for any network: tables on virtual lanes, by an engine that makes deadlock-free ones, follow "
      "each event on at most so many lanes, one of which is kept for what is cut off. Events return the same "
      "rows; levels that change with them are in changed_levels(). What is proven is that of the tables with "
      "all changes in force, levels too: of hosts that go on with a level from before nothing is.");
  type.def(py::init(&open_lanes), "network"_given, "engine"_a = "unknot", "lanes"_a = 8, "seed"_a = 1,
           "threads"_a = 1, "faults"_a = "", "progress"_a = py::none());
  type.def_static("from_routing", &lanes_of_routing, "routing"_a, "lanes"_a = 8, "faults"_a = "",
                  "Follows tables of the whole network by anyone, on fewer than so many lanes.");
  bind_fabric(type, "LiveLanes");
  type.def("changed_levels", &changed_levels,
           "What the last event has changed besides: rows router, terminal, level before, level after. "
           "Terminals of the router send to the terminal on that level.")
      .def(
          "level",
          [](const L& live, std::int64_t router, std::int64_t terminal) {
            return live.use()->level(router_at(*live.network, router), terminal_at(*live.network, terminal));
          },
          "router"_a, "terminal"_a,
          "Level, and lane, on which the router's terminals send to the terminal. Without meaning where "
          "there is no route.")
      .def(
          "levels",
          [](const L& live, std::int64_t router) {
            const RouterId r = router_at(*live.network, router);
            return row_of<std::uint8_t>(*live.network, [&](TerminalId t) { return live.use()->level(r, t); });
          },
          "router"_a, "All of them, by terminal.")
      .def("routing", &lane_routing,
           "What is in force as a Routing of the network without its dead parts: for verify(), write() and "
           "the rest.")
      .def_property_readonly(
          "lanes", [](const L& live) { return live.use()->lanes(); }, "Lanes that tables may use.")
      .def_property_readonly(
          "why", [](const L& live) { return live.use()->why(); },
          "One sentence where something is not proven.");
}

}  // namespace unknot::python
