// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/formats/chips/constellation.hpp"
#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using ScalaRow = std::vector<std::int64_t>;

/// The numbers of an object that write_constellation() has written.
struct ScalaObject {
  std::string name;
  std::uint32_t routers = 0, terminals = 0, lanes = 0;
  ScalaRow homes;
  std::vector<ScalaRow> links, next, levels, hops;
  bool by_hop = false;  // there is a list of hops
};

constexpr std::uint64_t kMostOfScala = 8000;  // rows that write_constellation() puts into a list
constexpr std::uint64_t kMostScalaLanes = Routing::kAnyLanes;

class ScalaReader {
 public:
  ScalaReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  ScalaObject run() {
    while (lines_.next()) {
      Cursor line(lines_.line());
      if (object_.name.empty() && line.eat("object ")) {
        object_.name = line.word();
      } else if (line.eat("  val nRouters = ")) {
        object_.routers = count(line, kMostOfScala);
      } else if (line.eat("  val nTerminals = ")) {
        object_.terminals = count(line, kMostOfScala);
      } else if (line.eat("  val nChannels = ")) {
        object_.lanes = count(line, kMostScalaLanes);
      } else if (line.eat("  private val routers = numbers(\"")) {
        object_.homes = numbers(line, object_.terminals);
      } else if (line.eat("  private lazy val ")) {
        list(line.word());
      }
    }
    const std::size_t routers = object_.routers;
    if (routers == 0 || object_.terminals == 0 || object_.lanes == 0 || object_.links.size() != routers ||
        object_.next.size() != routers || object_.homes.size() != object_.terminals ||
        object_.levels.size() != object_.terminals) {
      throw InputError(
          fmt::format("{}: expected the object that unknot writes for Constellation, with rows of "
                      "links, next and level",
                      lines_.file()));
    }
    return std::move(object_);
  }

 private:
  std::uint32_t count(Cursor& line, std::uint64_t most) const {
    const std::string_view text = line.rest();
    const auto number = line.decimal(most);
    if (!number || *number == 0 || !line.at_end()) {
      lines_.fail(fmt::format("expected a whole number from 1 to {}, not {}", most, place_shown(text)));
    }
    return static_cast<std::uint32_t>(*number);
  }

  /// Up to the quote.
  ScalaRow numbers(Cursor& line, std::uint64_t most) const {
    ScalaRow row;
    while (!line.eat('"')) {
      if (!row.empty() && !line.eat(' ')) break;
      const bool below = line.eat('-');
      const auto number = line.decimal(kMostOfScala);
      if (!number || row.size() == most) {
        lines_.fail(fmt::format("expected at most {} whole numbers up to {}, not {}", most, kMostOfScala,
                                place_shown(line.rest())));
      }
      row.push_back(below ? -static_cast<std::int64_t>(*number) : static_cast<std::int64_t>(*number));
    }
    return row;
  }

  void list(std::string_view name) {
    const bool hops = name == "hops";
    std::vector<ScalaRow>* rows = name == "links"   ? &object_.links
                                  : name == "next"  ? &object_.next
                                  : name == "level" ? &object_.levels
                                  : hops            ? &object_.hops
                                                    : nullptr;
    if (rows == nullptr || !rows->empty())
      lines_.fail("expected one list of each of links, next, level, hops");
    object_.by_hop = object_.by_hop || hops;
    const std::uint64_t most = name == "links" ? object_.routers
                               : hops          ? 3 + LaneMap::kLevels
                                               : object_.terminals;
    while (lines_.next() && !lines_.line().starts_with("  )")) {
      Cursor line(lines_.line());
      if (!line.eat("    \"") || rows->size() == kMostOfScala)
        lines_.fail(fmt::format("expected a row of numbers in quotes, not {}", place_shown(lines_.line())));
      rows->push_back(numbers(line, most));
      if (name != "links" && rows->back().size() != most)
        lines_.fail(fmt::format("expected {} numbers, not {}", most, rows->back().size()));
    }
  }

  Lines lines_;
  ScalaObject object_;
};

[[noreturn]] void refuse_scala(const std::string& file, const std::string& message) {
  throw InputError(fmt::format("{}: {}", file, message));
}

/// Ports are the links in their order, then those that lead here alone, then the terminals.
Network network_of(const ScalaObject& object, const std::string& file) {
  NetworkBuilder builder;
  builder.add_routers(object.routers);
  std::vector<std::uint16_t> ports(object.routers, 0);
  const auto port_to = [&](std::int64_t from, std::int64_t to) {
    const ScalaRow& row = object.links[static_cast<std::size_t>(from)];
    const auto found = std::find(row.begin(), row.end(), to);
    return found == row.end() ? std::uint16_t{0} : static_cast<std::uint16_t>(found - row.begin() + 1);
  };
  for (std::int64_t r = 0; r < object.routers; ++r) {
    const ScalaRow& row = object.links[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] < 0 || row[i] >= object.routers || row[i] == r || port_to(r, row[i]) != i + 1)
        refuse_scala(file, fmt::format("links of router {}: expected other routers, each once", r));
    }
    ports[static_cast<std::size_t>(r)] = static_cast<std::uint16_t>(row.size());
  }
  for (std::int64_t r = 0; r < object.routers; ++r) {
    for (const std::int64_t to : object.links[static_cast<std::size_t>(r)]) {
      const RouterId a(static_cast<std::uint32_t>(r));
      const RouterId b(static_cast<std::uint32_t>(to));
      const std::uint16_t back = port_to(to, r);
      if (back == 0) {
        builder.add_channel(a, port_to(r, to), b, ++ports[b.value]);
      } else if (r < to) {
        builder.add_cable(a, port_to(r, to), b, back);
      }
    }
  }
  for (std::size_t t = 0; t < object.homes.size(); ++t) {
    const std::int64_t home = object.homes[t];
    if (home < 0 || home >= object.routers || (t > 0 && home < object.homes[t - 1]))
      refuse_scala(file, "expected the routers of the terminals in ascending order");
    const RouterId r(static_cast<std::uint32_t>(home));
    builder.add_terminal(r, ++ports[r.value]);
  }
  builder.set_description(file);
  Network network = std::move(builder).build();
  require_connected(network, file);
  return network;
}

/// The channel between two routers by their numbers; none where there is no link, or where there are several.
ChannelId only_channel(const Network& network, std::int64_t from, std::int64_t to) {
  ChannelId found;
  if (from < 0 || from >= network.router_count()) return found;
  for (const ChannelId c : network.out(RouterId(static_cast<std::uint32_t>(from)))) {
    if (network.target(c).value != to) continue;
    if (found.valid()) return {};
    found = c;
  }
  return found;
}

class ScalaTables {
 public:
  ScalaTables(const Network& network, const ScalaObject& object, const std::string& file)
      : network_(network), object_(object), file_(file) {}

  Routing run() {
    require_same_size();
    Routing routing;
    routing.engine = file_;
    routing.virtual_lanes = routing.lanes_needed = object_.lanes;
    routing.paths = table();
    routing.service_levels = levels();
    if (object_.by_hop) routing.lane_map = lane_map();
    return routing;
  }

 private:
  void require_same_size() const {
    bool same = network_.router_count() == object_.routers && network_.terminal_count() == object_.terminals;
    for (const TerminalId t : network_.terminals())
      same = same && network_.router_of(t).value == object_.homes[t.value];
    if (!same) {
      refuse_scala(file_, fmt::format("is of {} routers and {} terminals that are not those of the fabric",
                                      object_.routers, object_.terminals));
    }
  }

  ChannelId link(std::int64_t from, std::int64_t to) const {
    const ChannelId c = only_channel(network_, from, to);
    if (!c.valid())
      refuse_scala(file_, fmt::format("expected one link of the fabric from router {} to {}", from, to));
    return c;
  }

  ForwardingTable table() const {
    ForwardingTable table(network_);
    for (const RouterId r : network_.routers()) {
      for (const TerminalId t : network_.terminals()) {
        const std::int64_t to = object_.next[r.value][t.value];
        if (to != -1) table.set(r, t, link(r.value, to).value - network_.out(r).first());
      }
    }
    return table;
  }

  ServiceLevels levels() const {
    const std::int64_t most = object_.by_hop ? LaneMap::kLevels : object_.lanes;
    ServiceLevels levels(network_, ServiceLevels::Rows::by_terminal);
    for (const TerminalId s : network_.terminals()) {
      for (const TerminalId t : network_.terminals()) {
        const std::int64_t level = object_.levels[s.value][t.value];
        if (level < 0 || level >= most)
          refuse_scala(file_, fmt::format("level: expected numbers from 0 to {}, not {}", most - 1, level));
        levels.row(levels.row_of(s))[t.value] = static_cast<std::uint8_t>(level);
      }
    }
    if (levels.all_zero()) return {};
    return levels.compacted(network_);
  }

  std::shared_ptr<const LaneMap> lane_map() const {
    auto map = std::make_shared<LaneMap>(network_, static_cast<std::uint8_t>(object_.lanes));
    for (const ScalaRow& hop : object_.hops) {
      const ChannelId out = link(hop[1], hop[2]);
      const RouterId at = network_.source(out);
      std::uint16_t in_port = 0;
      if (hop[0] >= 0) {
        in_port = network_.target_port(link(hop[0], hop[1]));
      } else if (-1 - hop[0] < network_.terminal_count() &&
                 network_.router_of(TerminalId(static_cast<std::uint32_t>(-1 - hop[0]))) == at) {
        in_port = network_.terminal_port(TerminalId(static_cast<std::uint32_t>(-1 - hop[0])));
      } else {
        refuse_scala(file_, fmt::format("hops: terminal {} is not on router {}", -1 - hop[0], hop[1]));
      }
      LaneMap::Row row{};
      for (std::size_t level = 0; level < row.size(); ++level) {
        const std::int64_t lane = hop[3 + level];
        row[level] = lane < 0 || lane >= LaneMap::kDrop ? LaneMap::kDrop : static_cast<std::uint8_t>(lane);
      }
      map->set(at, in_port, network_.source_port(out), row);
    }
    return map;
  }

  const Network& network_;
  const ScalaObject& object_;
  const std::string& file_;
};

/// What the file says beside its numbers is what is written with these: nobody has changed the relation by
/// hand. The first line is a comment.
void require_as_written(std::string_view text, const Network& network, const ScalaObject& object,
                        const std::string& file) {
  const Routing routing = ScalaTables(network, object, file).run();
  const std::string again = constellation_text(network, routing, object.name);
  Lines found(text, file);
  Lines wanted(again, file);
  bool first = true;
  while (wanted.next()) {
    if (!found.next()) refuse_scala(file, "ends before the object that unknot writes does");
    if (!first && found.line() != wanted.line()) {
      found.fail(
          fmt::format("not as unknot writes it for these numbers, which it alone can read: expected {}",
                      place_shown(wanted.line())));
    }
    first = false;
  }
  if (found.next()) found.fail("not as unknot writes it, which it alone can read: expected the end");
}

}  // namespace

bool looks_like_constellation(std::string_view head) {
  return head.find("\nimport constellation.routing._\n") != std::string_view::npos &&
         head.find("\nobject ") != std::string_view::npos;
}

Network read_constellation(std::string_view text, const std::string& name) {
  const ScalaObject object = ScalaReader(text, name).run();
  Network network = network_of(object, name);
  require_as_written(text, network, object, name);
  return network;
}

Routing read_constellation_tables(const Network& network, std::string_view text, const std::string& name) {
  const ScalaObject object = ScalaReader(text, name).run();
  require_as_written(text, network_of(object, name), object, name);
  return ScalaTables(network, object, name).run();
}

}  // namespace unknot
