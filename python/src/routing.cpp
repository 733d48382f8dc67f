// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/routing.hpp"

#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::python {
namespace {

constexpr std::int64_t kNoRoute = -1, kHere = -2, kStray = -3;

NetworkRouting route_by(const std::shared_ptr<Network>& network, const std::string& engine,
                        std::uint32_t virtual_lanes, std::uint64_t seed, std::uint32_t threads,
                        const py::object& progress) {
  if (virtual_lanes < 1 || virtual_lanes > kMaxLanes)
    throw InputError(fmt::format("virtual_lanes: 1 to {}, not {}", kMaxLanes, virtual_lanes));
  return {network, run_long(progress, [&](Progress& sink) {
            return route(*network, engine,
                         {.virtual_lanes = virtual_lanes, .seed = seed, .threads = threads, .parameters = {}},
                         sink);
          })};
}

NetworkRouting read_from(const std::shared_ptr<Network>& network, const PathText& path, const PathText& lanes,
                         const PathText& sl2vl) {
  const py::gil_scoped_release release;
  return {network, read_routing(*network, path.text, lanes.text, sl2vl.text)};
}

void write_to(const NetworkRouting& made, const PathText& path, const std::string& format,
              const PathText& lanes, const PathText& sl2vl, bool force) {
  const py::gil_scoped_release release;
  const std::string chosen(format.empty() ? default_table_format(made.routing) : std::string_view(format));
  cli::require_lanes_kept(cli::table_format(chosen), made.routing, !lanes.text.empty(), !sl2vl.text.empty(),
                          force);
  if (!lanes.text.empty() || !sl2vl.text.empty()) require_data_lanes(*made.network, made.routing);
  write_tables(*made.network, made.routing, chosen, path.text);
  if (!lanes.text.empty()) write_service_levels(*made.network, made.routing, lanes.text);
  if (!sl2vl.text.empty()) write_lane_map(*made.network, made.routing, sl2vl.text);
}

py::array table_of(const py::object& self) {
  const auto& made = self.cast<const NetworkRouting&>();
  require_tables(made.routing, "table");
  const ForwardingTable& table = made.routing.table();
  const std::vector<py::ssize_t> shape{table.router_count(), table.terminal_count()};
  if (table.width() == 1) return view<std::uint8_t>(table.entries<std::uint8_t>(), self, shape);
  return view<std::uint16_t>(table.entries<std::uint16_t>(), self, shape);
}

py::array_t<std::int64_t> next_channels_of(const NetworkRouting& made) {
  require_tables(made.routing, "next_channels");
  const Network& network = *made.network;
  const ForwardingTable& table = made.routing.table();
  std::vector<std::int64_t> channels;
  channels.reserve(std::size_t{table.router_count()} * table.terminal_count());
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const std::uint32_t at = table.get(r, t);
      channels.push_back(at == ForwardingTable::kNone    ? kNoRoute
                         : at == ForwardingTable::kHere  ? kHere
                         : at == ForwardingTable::kStray ? kStray
                                                         : std::int64_t{network.out(r)[at].value});
    }
  }
  return adopt(std::move(channels), {table.router_count(), table.terminal_count()});
}

ForwardingTable table_from(const Network& network, const py::array_t<std::int64_t>& channels) {
  if (channels.ndim() != 2 || channels.shape(0) != network.router_count() ||
      channels.shape(1) != network.terminal_count()) {
    throw InputError(fmt::format("next_channels: an array of {} routers by {} terminals is expected",
                                 network.router_count(), network.terminal_count()));
  }
  const auto given = channels.unchecked<2>();
  ForwardingTable table(network);
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const std::int64_t channel = given(r.value, t.value);
      if (network.router_of(t) == r || channel == kNoRoute || channel == kStray) continue;
      const IdRange<ChannelId> out = network.out(r);
      if (channel < out.first() || channel >= out.last()) {
        throw InputError(fmt::format("next_channels[{}, {}]: channel {} does not leave router {}", r.value,
                                     t.value, channel, r.value));
      }
      table.set(r, t, static_cast<std::uint32_t>(channel) - out.first());
    }
  }
  return table;
}

ServiceLevels levels_from(const Network& network, const py::array_t<std::int64_t>& levels,
                          std::uint32_t lanes) {
  const std::uint32_t terminals = network.terminal_count();
  if (levels.ndim() != 2 || levels.shape(0) != terminals || levels.shape(1) != terminals) {
    throw InputError(
        fmt::format("service_levels: an array of {} by {} terminals is expected", terminals, terminals));
  }
  const auto given = levels.unchecked<2>();
  ServiceLevels made(network, ServiceLevels::Rows::by_terminal);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const std::int64_t level = given(s.value, d.value);
      if (level < 0 || level >= lanes) {
        throw InputError(
            fmt::format("service_levels[{}, {}]: 0 to {}, not {}", s.value, d.value, lanes - 1, level));
      }
      made.row(made.row_of(s))[d.value] = s == d ? std::uint8_t{0} : static_cast<std::uint8_t>(level);
    }
  }
  return made.compacted(network);
}

NetworkRouting from_channels(const std::shared_ptr<Network>& network, const py::object& channels,
                             std::uint32_t virtual_lanes, const py::object& service_levels,
                             const std::string& name) {
  if (virtual_lanes < 1 || virtual_lanes > kMaxLanes)
    throw InputError(fmt::format("virtual_lanes: 1 to {}, not {}", kMaxLanes, virtual_lanes));
  Routing routing;
  routing.engine = name;
  routing.paths = table_from(*network, whole_numbers<std::int64_t>(channels, "next_channels"));
  routing.virtual_lanes = routing.lanes_needed = virtual_lanes;
  if (!service_levels.is_none()) {
    routing.service_levels =
        levels_from(*network, whole_numbers<std::int64_t>(service_levels, "service_levels"), virtual_lanes);
  }
  return {network, std::move(routing)};
}

py::object path_of(const NetworkRouting& made, std::int64_t from, std::int64_t to) {
  const Network& network = *made.network;
  const TerminalId source = terminal_at(network, from), destination = terminal_at(network, to);
  const RouterId home = network.router_of(destination);
  py::list path;
  RouterId at = network.router_of(source);
  if (made.routing.routes()) {
    for (const ChannelId c : made.routing.routes()->route(source, destination)) {
      path.append(c.value);
      at = network.target(c);
    }
    return at == home ? py::object(path) : py::object(py::none());
  }
  for (std::uint32_t hops = 0; at != home; ++hops) {
    const ChannelId c = made.routing.table().next(network, at, destination);
    if (!c.valid() || hops == network.router_count()) return py::none();
    path.append(c.value);
    at = network.target(c);
  }
  return path;
}

}  // namespace

void bind_routing(py::module_& module) {
  using R = NetworkRouting;
  py::class_<R, std::shared_ptr<R>>(module, "Routing",
                                    "Tables or source routes of a network, with their lanes.")
      .def_readonly("network", &R::network)
      .def_property_readonly(
          "engine", [](const R& r) { return r.routing.engine; }, "Engine, or file, it came from.")
      .def_property_readonly(
          "virtual_lanes", [](const R& r) { return r.routing.virtual_lanes; }, "Lanes in use.")
      .def_property_readonly(
          "lanes_needed", [](const R& r) { return r.routing.lanes_needed; },
          "Lanes needed before paths were spread over spare ones.")
      .def_property_readonly(
          "load_bound", [](const R& r) { return r.routing.report.load_bound; },
          "Proven: no choice of routes has a smaller maximum load. None: the engine looks for no bound.")
      .def_property_readonly(
          "note", [](const R& r) { return r.routing.report.note; }, "What the engine has to say of it.")
      .def_property_readonly(
          "has_tables", [](const R& r) { return r.routing.routes() == nullptr; },
          "False where sources choose the whole route.")
      .def_property_readonly(
          "table", &table_of,
          "By router and terminal: position among network.out(router), without a copy. The highest "
          "value of the type: no route; the next lower: here; the next: stray.")
      .def("next_channels", &next_channels_of,
           "By router and terminal: the channel to take; -1 no route, -2 here, -3 a port that leads nowhere "
           "useful.")
      .def(
          "service_level",
          [](const R& r, std::int64_t source, std::int64_t destination) {
            return r.routing.service_levels.get(terminal_at(*r.network, source),
                                                terminal_at(*r.network, destination));
          },
          "source"_a, "destination"_a)
      .def(
          "service_levels",
          [](const R& r) {
            const std::uint32_t terminals = r.network->terminal_count();
            std::vector<std::uint8_t> all;
            all.reserve(std::size_t{terminals} * terminals);
            for (const TerminalId s : r.network->terminals()) {
              for (const TerminalId d : r.network->terminals())
                all.push_back(r.routing.service_levels.get(s, d));
            }
            return adopt(std::move(all), {terminals, terminals});
          },
          "By source and destination terminal.")
      .def("path", &path_of, "source"_a, "destination"_a,
           "Channels from one terminal to another; None where there is no route.")
      .def("write", &write_to, "path"_a, "format"_a = "", "lanes"_a = PathText{}, "sl2vl"_a = PathText{},
           "force"_a = false,
           "Writes tables in one of table_formats(), service levels and SL-to-VL tables beside them. "
           "InputError where a "
           "format drops lanes without which the tables can deadlock, and no file has them; force: all the "
           "same.")
      .def_static("from_next_channels", &from_channels, "network"_given, "next_channels"_a,
                  "virtual_lanes"_a = 1, "service_levels"_a = py::none(), "name"_a = "python",
                  "Tables of your own, in the form of next_channels(); entries of a terminal's own router do "
                  "not matter, and -3 is no route.")
      .def("__repr__", [](const R& r) {
        return fmt::format("<unknot.Routing {} of {}: {} lane{}>", r.routing.engine, r.network->description(),
                           r.routing.virtual_lanes, r.routing.virtual_lanes == 1 ? "" : "s");
      });
  module.def("route", &route_by, "network"_given, "engine"_a = "unknot", "virtual_lanes"_a = 8, "seed"_a = 1,
             "threads"_a = 0, "progress"_a = py::none(),
             "Tables by an engine, \"name\" or \"name:key=value\"; see engines().");
  module.def("read_tables", &read_from, "network"_given, "path"_a, "lanes"_a = PathText{},
             "sl2vl"_a = PathText{}, "Tables from a file, its format told by its content.");
}

}  // namespace unknot::python
