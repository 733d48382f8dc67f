// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/live/live_fabric.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::python {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A fabric that changes, held by Python.
struct Live {
  std::shared_ptr<Network> network;  // as Python gave it
  std::unique_ptr<LiveFabric> fabric;
};

std::shared_ptr<Live> open(const std::shared_ptr<Network>& network, bool exact, std::uint32_t threads,
                           const std::vector<std::uint64_t>& roots, const std::string& faults,
                           const py::object& progress) {
  return run_long(progress, [&](Progress& sink) {
    const LiveFabricOptions options{exact, threads, roots};
    const Faults dead = faults.empty() ? Faults{} : parse_faults(*network, faults);
    return std::make_shared<Live>(Live{network, std::make_unique<LiveFabric>(*network, dead, options, sink)});
  });
}

/// What the event has changed: router, terminal, port before, port after.
py::array changed(const Live& live) {
  std::vector<std::uint32_t> rows;
  rows.reserve(live.fabric->last().entries.size() * 4);
  for (const EntryChange& change : live.fabric->last().entries) {
    for (const std::uint32_t number :
         {change.router.value, change.destination.value,
          std::uint32_t{live.fabric->port(change.router, change.destination, change.before)},
          std::uint32_t{live.fabric->port(change.router, change.destination, change.after)}})
      rows.push_back(number);
  }
  const auto count = static_cast<py::ssize_t>(rows.size() / 4);
  return adopt(std::move(rows), {count, 4});
}

template <class Work>
py::array take(const Live& live, const Work& work) {
  run_long(py::none(), [&](Progress& sink) {
    work(sink);
    return std::vector<bool>();
  });
  return changed(live);
}

LiveChange change_of(const Network& network, const Numbers& dead_routers, const Numbers& back_routers,
                     const Numbers& dead_channels, const Numbers& back_channels) {
  LiveChange change;
  for (const std::int64_t r : dead_routers) change.dead_routers.push_back(router_at(network, r));
  for (const std::int64_t r : back_routers) change.back_routers.push_back(router_at(network, r));
  const auto both = [&](const Numbers& numbers, std::vector<ChannelId>& list) {
    for (const std::int64_t number : numbers) {
      const ChannelId c = channel_at(network, number);
      list.push_back(c);
      if (network.reverse(c).valid()) list.push_back(network.reverse(c));
    }
  };
  both(dead_channels, change.dead_channels);
  both(back_channels, change.back_channels);
  return change;
}

std::uint16_t port_at(const Live& live, std::int64_t router, std::int64_t terminal) {
  const RouterId r = router_at(*live.network, router);
  const TerminalId t = terminal_at(*live.network, terminal);
  return live.fabric->port(r, t, live.fabric->entry(r, t));
}

py::array row(const Live& live, std::int64_t router) {
  const RouterId r = router_at(*live.network, router);
  std::vector<std::uint16_t> ports;
  ports.reserve(live.network->terminal_count());
  for (const TerminalId t : live.network->terminals())
    ports.push_back(live.fabric->port(r, t, live.fabric->entry(r, t)));
  return adopt(std::move(ports));
}

}  // namespace

void bind_live(py::module_& module) {
  using L = Live;
  py::class_<L, std::shared_ptr<L>>(
      module, "Live",
      "A fabric that changes, its tables (engine clos) and their proof, held in this process: each event is "
      "routed and proven, what it changes is returned as an array of rows router, terminal, port before, "
      "port after (0: no route). Numbers are those of the network. True: no deadlock, and every pair that a "
      "path joins is delivered.")
      .def(py::init(&open), "network"_a, "exact"_a = false, "threads"_a = 1,
           "roots"_a = std::vector<std::uint64_t>{}, "faults"_a = "", "progress"_a = py::none())
      .def(
          "apply",
          [](const L& live, const Numbers& dead_routers, const Numbers& back_routers,
             const Numbers& dead_channels, const Numbers& back_channels) {
            const LiveChange change =
                change_of(*live.network, dead_routers, back_routers, dead_channels, back_channels);
            return take(live, [&](Progress& sink) { live.fabric->apply(change, sink); });
          },
          "dead_routers"_a = Numbers{}, "back_routers"_a = Numbers{}, "dead_channels"_a = Numbers{},
          "back_channels"_a = Numbers{}, "An event by numbers. A cable is named by one of its channels.")
      .def(
          "apply_events",
          [](const L& live, const std::string& text) {
            return take(live, [&](Progress& sink) { live.fabric->apply_events(text, "events", sink); });
          },
          "text"_a,
          "An event by lines: 'dead 0x<guid>:<port>' (a cable), 'back 0x<guid>' (a switch), and the like.")
      .def(
          "apply_cable_list",
          [](const L& live, const std::string& text) {
            return take(live,
                        [&](Progress& sink) { live.fabric->apply_cable_list(text, "cable list", sink); });
          },
          "text"_a,
          "An event by all that is there: lines '0x<guid>:<port> 0x<guid>:<port>' of cables between "
          "switches, '0x<guid>' of switches; what no line names is dead.")
      .def(
          "make_anew",
          [](const L& live) { return take(live, [&](Progress& sink) { live.fabric->make_anew(sink); }); },
          "All tables as the engine makes them from nothing.")
      .def(
          "cable_list", [](const L& live) { return live.fabric->cable_list(); },
          "What lives, as apply_cable_list() takes it.")
      .def(
          "difference", [](const L& live) { return live.fabric->difference(); },
          "What the last event has changed, as the text of a file of one transition step.")
      .def(
          "write_difference",
          [](const L& live, const PathText& path) { write_file(path.text, live.fabric->difference()); },
          "path"_a)
      .def("port", &port_at, "router"_a, "terminal"_a, "Port that the router sends by; 0: no route.")
      .def("row", &row, "router"_a, "All of a router's ports, by terminal.")
      .def(
          "router_alive",
          [](const L& live, std::int64_t router) {
            return live.fabric->live().alive(router_at(*live.network, router));
          },
          "router"_a)
      .def(
          "channel_alive",
          [](const L& live, std::int64_t channel) {
            return live.fabric->live().alive(channel_at(*live.network, channel));
          },
          "channel"_a)
      .def_property_readonly("network", [](const L& live) { return live.network; })
      .def_property_readonly("proven", [](const L& live) { return live.fabric->verdict().proven(); })
      .def_property_readonly("pairs", [](const L& live) { return live.fabric->verdict().pairs; })
      .def_property_readonly("delivered_pairs",
                             [](const L& live) { return live.fabric->verdict().delivered_pairs(); })
      .def_property_readonly(
          "lost_pairs", [](const L& live) { return live.fabric->verdict().lost_pairs(); },
          "Joined by a path, but not by the tables.")
      .def_property_readonly(
          "disconnected_pairs", [](const L& live) { return live.fabric->verdict().disconnected_pairs; },
          "Joined by no path.")
      .def_property_readonly("looping_pairs",
                             [](const L& live) { return live.fabric->verdict().looping_pairs; })
      .def_property_readonly("dependencies",
                             [](const L& live) { return live.fabric->verdict().dependencies; })
      .def_property_readonly("deadlock_free",
                             [](const L& live) { return live.fabric->verdict().deadlock_free; })
      .def_property_readonly(
          "anew", [](const L& live) { return live.fabric->last().anew; },
          "Whether the last event had all tables made anew.")
      .def("__bool__", [](const L& live) { return live.fabric->verdict().proven(); })
      .def("__repr__", [](const L& live) {
        const LiveVerdict& verdict = live.fabric->verdict();
        return fmt::format("<unknot.Live: {}, {} of {} pairs lost, {} disconnected>",
                           verdict.deadlock_free ? "deadlock-free" : "can deadlock", verdict.lost_pairs(),
                           verdict.pairs, verdict.disconnected_pairs);
      });
}

}  // namespace unknot::python
