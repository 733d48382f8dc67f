// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/network/faults.hpp"

namespace unknot::python {
namespace {

std::uint32_t checked(const char* what, std::int64_t index, std::uint32_t count) {
  if (index < 0 || index >= count)
    throw py::index_error(fmt::format("there is no {} {}: the network has {}", what, index, count));
  return static_cast<std::uint32_t>(index);
}

std::shared_ptr<Network> shared(Network network) {
  return std::make_shared<Network>(std::move(network));
}

std::shared_ptr<Network> make(const PathText& spec_or_path, const std::string& faults) {
  const py::gil_scoped_release release;
  Network network = read_fabric(spec_or_path.text);
  if (!faults.empty()) network = with_faults(network, parse_faults(network, faults));
  return shared(std::move(network));
}

template <class Id>
py::object range_of(const IdRange<Id>& ids) {
  return py::module_::import("builtins").attr("range")(ids.first(), ids.last());
}

py::object coordinates_of(const py::object& self) {
  const Coordinates* const where = self.cast<const Network&>().coordinates();
  if (where == nullptr) return py::none();
  const py::ssize_t routers = self.cast<const Network&>().router_count();
  return view<std::uint32_t>(std::span<const std::uint32_t>(where->value), self,
                             {routers, where->dimensions});
}

template <class Port, class Ids>
py::array ports_of(const Ids& ids, Port port) {
  std::vector<std::uint16_t> ports;
  ports.reserve(ids.size());
  for (const auto id : ids) ports.push_back(port(id));
  return read_only(adopt(std::move(ports)));
}

template <class Capacity, class Ids>
py::array capacities_of(const Ids& ids, Capacity capacity) {
  std::vector<std::uint32_t> capacities;
  capacities.reserve(ids.size());
  for (const auto id : ids) capacities.push_back(capacity(id));
  return read_only(adopt(std::move(capacities)));
}

/// The names are those of `unknot info --json`.
py::dict properties_of(const Network& network) {
  Properties p;
  {
    const py::gil_scoped_release release;
    p = properties(network);
  }
  py::dict made("routers"_a = p.routers, "terminals"_a = p.terminals, "channels"_a = p.channels,
                "cables"_a = p.cables, "radix"_a = p.radix, "diameter"_a = p.distances.diameter,
                "router_diameter"_a = p.distances.router_diameter,
                "mean_distance"_a = p.distances.mean_distance, "mean_hops"_a = p.distances.mean_hops,
                "distances_exact"_a = p.distances.exact, "moore_ratio"_a = p.moore_ratio,
                "ports_per_terminal"_a = p.ports_per_terminal, "links_per_terminal"_a = p.links_per_terminal);
  made["degree"] = py::dict("min"_a = p.min_degree, "max"_a = p.max_degree, "mean"_a = p.mean_degree);
  made["bisection_per_terminal"] = py::none();
  made["bisection_cut"] = py::none();
  made["bisection_bound_per_terminal"] = py::none();
  made["bisection_bound_cut"] = py::none();
  if (p.bisection) {
    made["bisection_per_terminal"] = p.bisection->per_terminal;
    made["bisection_cut"] = p.bisection->cut;
  }
  if (p.bisection_bound) {
    made["bisection_bound_per_terminal"] = p.bisection_bound->per_terminal;
    made["bisection_bound_cut"] = p.bisection_bound->cut;
  }
  return made;
}

void bind_builder(py::module_& module) {
  py::class_<NetworkBuilder>(module, "NetworkBuilder",
                             "Collects routers, cables and terminals, and makes a network of them.")
      .def(py::init<>())
      .def_property_readonly("router_count", &NetworkBuilder::router_count)
      .def_property_readonly("terminal_count", &NetworkBuilder::terminal_count)
      .def(
          "add_routers", [](NetworkBuilder& b, std::uint32_t count) { return b.add_routers(count).value; },
          "count"_a, "Adds routers with consecutive numbers; returns the first.")
      .def(
          "add_router",
          [](NetworkBuilder& b, const std::string& name) {
            const RouterId made = b.add_router();
            std::vector<std::string>& names = b.labels().router_name;
            if (!name.empty()) {
              for (std::size_t r = names.size(); r < made.value; ++r)
                names.push_back("S-" + std::to_string(r));
              names.push_back(name);
            }
            return made.value;
          },
          "name"_a = "", "Adds a router, and returns its number.")
      .def(
          "add_cable",
          [](NetworkBuilder& b, std::uint32_t from, std::uint32_t to, std::uint16_t from_port,
             std::uint16_t to_port) {
            checked("router", from, b.router_count());
            checked("router", to, b.router_count());
            if ((from_port == 0) != (to_port == 0))
              throw py::value_error("give the ports of both ends, or of none");
            if (from_port == 0) {
              b.add_cable(RouterId(from), RouterId(to));
            } else {
              b.add_cable(RouterId(from), from_port, RouterId(to), to_port);
            }
          },
          "a"_a, "b"_a, "port_a"_a = 0, "port_b"_a = 0,
          "A cable, a channel each way. Port 0: the next that is free.")
      .def(
          "add_channel",
          [](NetworkBuilder& b, std::uint32_t from, std::uint32_t to) {
            checked("router", from, b.router_count());
            checked("router", to, b.router_count());
            b.add_channel(RouterId(from), RouterId(to));
          },
          "source"_a, "target"_a, "A one-way link.")
      .def(
          "add_terminal",
          [](NetworkBuilder& b, std::uint32_t router, const std::string& name) {
            checked("router", router, b.router_count());
            const TerminalId made = b.add_terminal(RouterId(router));
            std::vector<std::string>& names = b.labels().terminal_name;
            if (!name.empty()) {
              for (std::size_t t = names.size(); t < made.value; ++t)
                names.push_back("H-" + std::to_string(t));
              names.push_back(name);
            }
            return made.value;
          },
          "router"_a, "name"_a = "",
          "Adds a terminal. The network numbers terminals by router; the number returned counts calls.")
      .def(
          "build",
          [](NetworkBuilder& b, const std::string& description) {
            // Once some have names, all have.
            std::vector<std::string>& routers = b.labels().router_name;
            std::vector<std::string>& terminals = b.labels().terminal_name;
            if (!routers.empty()) {
              for (std::size_t r = routers.size(); r < b.router_count(); ++r) {
                routers.push_back("S-" + std::to_string(r));
              }
            }
            if (!terminals.empty()) {
              for (std::size_t t = terminals.size(); t < b.terminal_count(); ++t) {
                terminals.push_back("H-" + std::to_string(t));
              }
            }
            b.set_description(description);
            Network made = NetworkBuilder(b).build();  // what cannot be built stays as it is
            b = NetworkBuilder();
            return shared(std::move(made));
          },
          "description"_a = "network", "The network; the builder is empty after it.");
}

}  // namespace

RouterId router_at(const Network& network, std::int64_t index) {
  return RouterId(checked("router", index, network.router_count()));
}
TerminalId terminal_at(const Network& network, std::int64_t index) {
  return TerminalId(checked("terminal", index, network.terminal_count()));
}
ChannelId channel_at(const Network& network, std::int64_t index) {
  return ChannelId(checked("channel", index, network.channel_count()));
}

void bind_network(py::module_& module) {
  using N = Network;
  py::class_<N, std::shared_ptr<N>>(
      module, "Network", "Routers, terminals and directed channels; immutable. Arrays are read-only views.")
      .def_property_readonly("router_count", &N::router_count)
      .def_property_readonly("terminal_count", &N::terminal_count)
      .def_property_readonly("channel_count", &N::channel_count)
      .def_property_readonly("description", &N::description, "Spec or file name it came from.")
      .def_property_readonly("fingerprint", &N::fingerprint, "Hash of structure, ports and addresses.")
      .def_property_readonly(
          "sources",
          [](const py::object& self) { return view<std::uint32_t>(self.cast<const N&>().sources(), self); },
          "By channel: the router it leaves.")
      .def_property_readonly(
          "targets",
          [](const py::object& self) { return view<std::uint32_t>(self.cast<const N&>().targets(), self); },
          "By channel: the router it enters.")
      .def_property_readonly(
          "reverses",
          [](const py::object& self) { return view<std::uint32_t>(self.cast<const N&>().reverses(), self); },
          "By channel: the other direction of its cable; 4294967295 for a one-way channel.")
      .def_property_readonly(
          "terminal_routers",
          [](const py::object& self) {
            return view<std::uint32_t>(self.cast<const N&>().routers_of(), self);
          },
          "By terminal: its router.")
      .def_property_readonly(
          "source_ports",
          [](const N& n) { return ports_of(n.channels(), [&](ChannelId c) { return n.source_port(c); }); },
          "By channel.")
      .def_property_readonly(
          "target_ports",
          [](const N& n) { return ports_of(n.channels(), [&](ChannelId c) { return n.target_port(c); }); },
          "By channel.")
      .def_property_readonly(
          "terminal_ports",
          [](const N& n) {
            return ports_of(n.terminals(), [&](TerminalId t) { return n.terminal_port(t); });
          },
          "By terminal: the port of its router.")
      .def_property_readonly(
          "capacities",
          [](const N& n) {
            return capacities_of(n.channels(), [&](ChannelId c) { return n.channel_capacity(c); });
          },
          "By channel: megabits a second of data that are stated; 0 where none are.")
      .def_property_readonly(
          "terminal_capacities",
          [](const N& n) {
            return capacities_of(n.terminals(), [&](TerminalId t) { return n.terminal_capacity(t); });
          },
          "By terminal: the same of its cable.")
      .def_property_readonly(
          "levels",
          [](const py::object& self) { return view<std::uint32_t>(self.cast<const N&>().levels(), self); },
          "By router: level of a tree; empty where the family has none.")
      .def_property_readonly("coordinates", &coordinates_of,
                             "By router and dimension, or None where the family has none.")
      .def(
          "out", [](const N& n, std::int64_t router) { return range_of(n.out(router_at(n, router))); },
          "router"_a, "Channels that leave a router: a range.")
      .def(
          "terminals_at",
          [](const N& n, std::int64_t router) { return range_of(n.terminals_at(router_at(n, router))); },
          "router"_a, "Terminals of a router: a range.")
      .def(
          "router_name", [](const N& n, std::int64_t router) { return n.router_name(router_at(n, router)); },
          "router"_a)
      .def(
          "terminal_name",
          [](const N& n, std::int64_t terminal) { return n.terminal_name(terminal_at(n, terminal)); },
          "terminal"_a)
      .def(
          "channel_name",
          [](const N& n, std::int64_t channel) { return n.channel_name(channel_at(n, channel)); },
          "channel"_a, "\"S-3 port 2 -> S-7 port 1\".")
      .def(
          "with_faults",
          [](const N& n, const std::string& faults) {
            return shared(with_faults(n, parse_faults(n, faults)));
          },
          "faults"_a,
          "The network without parts that have failed, named as --fail takes them: \"cables=3,routers=S-2\".")
      .def("properties", &properties_of, "Structure and cost, with the names of unknot info --json.")
      .def(
          "write",
          [](const N& n, const PathText& path, const std::string& format) {
            write_fabric(n, format, path.text);
          },
          "path"_a, "format"_a = "json", "Writes a file of one of fabric_formats().")
      .def(
          "__eq__",
          [](const N& a, const py::object& b) {
            return py::isinstance<N>(b) && a.fingerprint() == b.cast<const N&>().fingerprint();
          },
          "other"_a)
      .def("__hash__", [](const N& n) { return static_cast<py::ssize_t>(n.fingerprint() >> 1U); })
      .def("__repr__", [](const N& n) {
        return fmt::format("<unknot.Network {}: {} routers, {} terminals, {} channels>", n.description(),
                           n.router_count(), n.terminal_count(), n.channel_count());
      });
  module.def("network", &make, "spec_or_path"_a, "faults"_a = "",
             "A network from a spec (\"torus:4x4,p=2\") or a file, its format told by its content.");
  bind_builder(module);
}

}  // namespace unknot::python
