// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/live/live_fabric_base.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::python {

using Numbers = std::vector<std::int64_t>;

/// A fabric that changes, held by Python: Fabric is what it is to C++. Events take their time without the
/// interpreter's lock, so that each use has a lock of its own: one thread at a time, the others wait.
template <class Fabric>
class Held {
 public:
  Held(std::shared_ptr<Network> given, std::unique_ptr<Fabric> fabric)
      : network(std::move(given)), fabric_(std::move(fabric)) {}

  /// The fabric while the value lives. Who waits leaves the interpreter to others.
  class Use {
   public:
    explicit Use(const Held& held) : fabric_(held.fabric_.get()), lock_(held.mutex_, std::try_to_lock) {
      if (lock_.owns_lock()) return;
      if (PyGILState_Check() == 0) {
        lock_.lock();
      } else {
        const py::gil_scoped_release release;
        lock_.lock();
      }
    }
    Fabric* operator->() const { return fabric_; }
    Fabric& operator*() const { return *fabric_; }

   private:
    Fabric* fabric_;
    std::unique_lock<std::recursive_mutex> lock_;
  };
  [[nodiscard]] Use use() const { return Use(*this); }

  const std::shared_ptr<Network> network;  ///< as Python gave it

 private:
  std::unique_ptr<Fabric> fabric_;
  mutable std::recursive_mutex mutex_;
};

/// What the last event has changed: router, terminal, port before, port after.
inline std::vector<std::uint32_t> changed_entries(const LiveFabricBase& fabric) {
  std::vector<std::uint32_t> rows;
  rows.reserve(fabric.last().entries.size() * 4);
  for (const EntryChange& change : fabric.last().entries) {
    for (const std::uint32_t number :
         {change.router.value, change.destination.value,
          std::uint32_t{fabric.port(change.router, change.destination, change.before)},
          std::uint32_t{fabric.port(change.router, change.destination, change.after)}})
      rows.push_back(number);
  }
  return rows;
}

/// What work(fabric, progress) changes.
template <class Live, class Work>
py::array take_event(const Live& live, const Work& work) {
  auto rows = run_long(py::none(), [&](Progress& sink) {
    const auto fabric = live.use();
    work(*fabric, sink);
    return changed_entries(*fabric);
  });
  const auto count = static_cast<py::ssize_t>(rows.size() / 4);
  return adopt(std::move(rows), {count, 4});
}

inline LiveChange change_of(const Network& network, const Numbers& dead_routers, const Numbers& back_routers,
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

/// Of all terminals, what value_of(terminal) is at the router.
template <class Number, class ValueOf>
py::array row_of(const Network& network, const ValueOf& value_of) {
  std::vector<Number> row;
  row.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) row.push_back(value_of(t));
  return adopt(std::move(row));
}

/// The members that all of them have, under the name of the class.
template <class L>
void bind_fabric(py::class_<L, std::shared_ptr<L>>& type, const char* name) {
  type.def(
          "apply",
          [](const L& live, const Numbers& dead_routers, const Numbers& back_routers,
             const Numbers& dead_channels, const Numbers& back_channels) {
            const LiveChange change =
                change_of(*live.network, dead_routers, back_routers, dead_channels, back_channels);
            return take_event(live, [&](auto& fabric, Progress& sink) { fabric.apply(change, sink); });
          },
          "dead_routers"_a = Numbers{}, "back_routers"_a = Numbers{}, "dead_channels"_a = Numbers{},
          "back_channels"_a = Numbers{}, "An event by numbers. A cable is named by one of its channels.")
      .def(
          "apply_events",
          [](const L& live, const std::string& text) {
            return take_event(
                live, [&](auto& fabric, Progress& sink) { fabric.apply_events(text, "events", sink); });
          },
          "text"_a,
          "An event by lines: 'dead 0x<guid>:<port>' (a cable), 'back 0x<guid>' (a switch), and the like.")
      .def(
          "apply_cable_list",
          [](const L& live, const std::string& text) {
            return take_event(live, [&](auto& fabric, Progress& sink) {
              fabric.apply_cable_list(text, "cable list", sink);
            });
          },
          "text"_a,
          "An event by all that is there: lines '0x<guid>:<port> 0x<guid>:<port>' of cables between "
          "switches, '0x<guid>' of switches; what no line names is dead.")
      .def(
          "make_anew",
          [](const L& live) {
            return take_event(live, [](auto& fabric, Progress& sink) { fabric.make_anew(sink); });
          },
          "All tables as they are made from nothing.")
      .def(
          "cable_list", [](const L& live) { return live.use()->cable_list(); },
          "What lives, as apply_cable_list() takes it.")
      .def(
          "difference", [](const L& live) { return live.use()->difference(); },
          "What the last event has changed, as the text of a file of one transition step.")
      .def(
          "write_difference",
          [](const L& live, const PathText& path) { write_file(path.text, live.use()->difference()); },
          "path"_a)
      .def(
          "port",
          [](const L& live, std::int64_t router, std::int64_t terminal) {
            const RouterId r = router_at(*live.network, router);
            const TerminalId t = terminal_at(*live.network, terminal);
            return live.use()->port(r, t, live.use()->entry(r, t));
          },
          "router"_a, "terminal"_a, "Port that the router sends by; 0: no route.")
      .def(
          "row",
          [](const L& live, std::int64_t router) {
            const RouterId r = router_at(*live.network, router);
            return row_of<std::uint16_t>(
                *live.network, [&](TerminalId t) { return live.use()->port(r, t, live.use()->entry(r, t)); });
          },
          "router"_a, "All of a router's ports, by terminal.")
      .def(
          "router_alive",
          [](const L& live, std::int64_t router) {
            return live.use()->live().alive(router_at(*live.network, router));
          },
          "router"_a)
      .def(
          "channel_alive",
          [](const L& live, std::int64_t channel) {
            return live.use()->live().alive(channel_at(*live.network, channel));
          },
          "channel"_a)
      .def_property_readonly("network", [](const L& live) { return live.network; })
      .def_property_readonly("proven", [](const L& live) { return live.use()->verdict().proven(); })
      .def_property_readonly("pairs", [](const L& live) { return live.use()->verdict().pairs; })
      .def_property_readonly("delivered_pairs",
                             [](const L& live) { return live.use()->verdict().delivered_pairs(); })
      .def_property_readonly(
          "lost_pairs", [](const L& live) { return live.use()->verdict().lost_pairs(); },
          "Joined by a path, but not by the tables.")
      .def_property_readonly(
          "disconnected_pairs", [](const L& live) { return live.use()->verdict().disconnected_pairs; },
          "Joined by no path.")
      .def_property_readonly("dependencies", [](const L& live) { return live.use()->verdict().dependencies; })
      .def_property_readonly("deadlock_free",
                             [](const L& live) { return live.use()->verdict().deadlock_free; })
      .def_property_readonly(
          "anew", [](const L& live) { return live.use()->last().anew; },
          "Whether the last event had all tables made anew.")
      .def("__bool__", [](const L& live) { return live.use()->verdict().proven(); })
      .def("__repr__", [name = std::string(name)](const L& live) {
        const auto fabric = live.use();
        const LiveVerdict& verdict = fabric->verdict();
        const std::uint32_t lanes = fabric->lanes();
        return fmt::format("<unknot.{}: {}{}, {} of {} pairs lost, {} disconnected>", name,
                           verdict.deadlock_free ? "deadlock-free" : "can deadlock",
                           lanes > 1 ? fmt::format(" on {} lanes", lanes) : "", verdict.lost_pairs(),
                           verdict.pairs, verdict.disconnected_pairs);
      });
}

}  // namespace unknot::python
