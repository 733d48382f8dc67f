// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "unknot/formats/chips/chip_names.hpp"
#include "unknot/formats/chips/constellation.hpp"
#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

std::string object_of(const std::string& path) {
  if (path == "-") return "UnknotNoC";
  const std::filesystem::path file(path);
  std::string stem = file.stem().string();
  const bool name = !stem.empty() && stem.front() >= 'A' && stem.front() <= 'Z' &&
                    std::all_of(stem.begin(), stem.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
                    });
  if (file.extension() != ".scala" || !name) {
    throw InputError(
        fmt::format("{}: the name of the file is that of a Scala object, expected a name such as "
                    "MyMesh.scala",
                    path));
  }
  return stem;
}

/// The virtual machine of Java takes so many strings in the code that makes one list of them.
constexpr std::uint64_t kMostStrings = 8000;

void require_rows(std::uint64_t rows) {
  if (rows <= kMostStrings) return;
  throw InputError(
      fmt::format("Constellation's relation would be lists of up to {} rows, more than the {} that "
                  "one method of the Java virtual machine holds",
                  rows, kMostStrings));
}

/// Rows of numbers as strings; `each` appends a row.
template <class Each>
void append_rows(fmt::memory_buffer& out, std::string_view name, std::uint32_t count, const Each& each) {
  require_rows(count);
  append(out, "  private lazy val {} = Seq(\n", name);
  for (std::uint32_t i = 0; i < count; ++i) {
    out.append(std::string_view("    \""));
    each(i);
    append(out, "\"{}\n", i + 1 < count ? "," : "");
  }
  out.append(std::string_view("  ).map(numbers)\n"));
}

class ScalaWriter {
 public:
  ScalaWriter(const Network& network, const Routing& routing)
      : network_(network), routing_(routing), lanes_(routing) {}

  std::string run(const std::string& name) {
    append(out_, "// {} for Constellation: {} routers, {} terminals, tables of {}.\n",
           one_line(network_.description()), network_.router_count(), network_.terminal_count(),
           one_line(routing_.engine));
    out_.append(
        std::string_view("import constellation.channel._\nimport constellation.noc._\n"
                         "import constellation.routing._\nimport constellation.topology._\n\n"));
    append(out_, "object {} {{\n", name);
    out_.append(
        std::string_view("  private def numbers(row: String): Array[Int] = row.split(\" "
                         "\").filter(_.nonEmpty).map(_.toInt)\n\n"));
    append(out_, "  val nRouters = {}\n  val nTerminals = {}\n  val nChannels = {}\n",
           network_.router_count(), network_.terminal_count(),
           std::max<std::uint32_t>(routing_.virtual_lanes, 1));
    write_links();
    write_next();
    write_lanes();
    append(out_, R"(
  val topology = CustomTopology(nRouters, for {{
    from <- 0 until nRouters
    to <- links(from).toSeq
  }} yield TopologyEdge(from, to))

  val relation: PhysicalTopology => RoutingRelation = topo => new RoutingRelation(topo) {{
    def rel(srcC: ChannelRoutingInfo, nxtC: ChannelRoutingInfo, flow: FlowRoutingInfo): Boolean =
      next(nxtC.src)(flow.egressId) == nxtC.dst && lane(srcC, nxtC, flow) == nxtC.vc
  }}

  val params = NoCParams(
    topology = topology,
    channelParamGen = (_, _) => UserChannelParams(Seq.fill(nChannels) {{ UserVirtualChannelParams(4) }}),
    ingresses = routers.map(r => UserIngressParams(r)),
    egresses = routers.map(r => UserEgressParams(r)),
    flows = for {{
      from <- 0 until nTerminals
      to <- 0 until nTerminals
      if from != to
    }} yield FlowParams(from, to, 0),
    routingRelation = relation,
    nocName = "{}"
  )
}}
)",
           name);
    return fmt::to_string(out_);
  }

 private:
  void write_links() {
    out_.append(std::string_view("  // Router of each terminal.\n  private val routers = numbers(\""));
    for (const TerminalId t : network_.terminals())
      append(out_, "{}{}", t.value == 0 ? "" : " ", network_.router_of(t).value);
    out_.append(std::string_view("\").toSeq\n  // By router: the routers that its links lead to.\n"));
    append_rows(out_, "links", network_.router_count(), [&](std::uint32_t r) {
      const char* between = "";
      for (const ChannelId c : network_.out(RouterId(r))) {
        append(out_, "{}{}", between, network_.target(c).value);
        between = " ";
      }
    });
  }

  /// Routers with terminals, and those that packets come by, have a link to take.
  void require_ways() const {
    const auto next = [&](RouterId r, TerminalId t) { return routing_.table().next(network_, r, t); };
    for (const TerminalId t : network_.terminals()) {
      std::vector<bool> needed(network_.router_count(), false);
      for (const RouterId r : network_.routers()) {
        if (!network_.terminals_at(r).empty()) needed[r.value] = true;
        if (const ChannelId c = next(r, t); c.valid()) needed[network_.target(c).value] = true;
      }
      for (const RouterId r : network_.routers()) {
        if (network_.router_of(t) == r || !needed[r.value] || next(r, t).valid()) continue;
        throw InputError(
            fmt::format("router \"{}\" has no link to take for \"{}\", where Constellation needs one",
                        shown(network_.router_name(r)), shown(network_.terminal_name(t))));
      }
    }
  }

  void write_next() {
    require_ways();
    out_.append(
        std::string_view("  // By router and destination: the next router; -1 at the destination, and where "
                         "no packet comes.\n"));
    append_rows(out_, "next", network_.router_count(), [&](std::uint32_t r) {
      for (const TerminalId t : network_.terminals()) {
        const bool here = network_.router_of(t).value == r;
        const ChannelId c = here ? ChannelId() : routing_.table().next(network_, RouterId(r), t);
        append(out_, "{}{}", t.value == 0 ? "" : " ",
               c.valid() ? std::int64_t{network_.target(c).value} : std::int64_t{-1});
      }
    });
  }

  void write_lanes() {
    out_.append(std::string_view("  // By source and destination: the service level.\n"));
    append_rows(out_, "level", network_.terminal_count(), [&](std::uint32_t s) {
      for (const TerminalId t : network_.terminals()) {
        const std::uint8_t level =
            t.value == s ? std::uint8_t{0} : routing_.service_levels.get(TerminalId(s), t);
        require_lane(level, TerminalId(s), t);
        append(out_, "{}{}", t.value == 0 ? "" : " ", level);
      }
    });
    if (routing_.lane_map == nullptr) {
      out_.append(std::string_view(
          "\n  // Level l travels on virtual channel l.\n"
          "  private def lane(srcC: ChannelRoutingInfo, nxtC: ChannelRoutingInfo, flow: FlowRoutingInfo): "
          "Int =\n    level(flow.ingressId)(flow.egressId)\n"));
      return;
    }
    write_hops();
  }

  void require_lane(std::uint8_t level, TerminalId s, TerminalId t) const {
    const bool lane =
        routing_.lane_map == nullptr ? level < routing_.virtual_lanes : level < LaneMap::kLevels;
    if (lane) return;
    throw InputError(fmt::format("\"{}\" has no lane to send to \"{}\" on", shown(network_.terminal_name(s)),
                                 shown(network_.terminal_name(t))));
  }

  /// The lanes of a hop: by where it came from (below 0: terminal -1 - s), the router and the next one.
  void write_hops() {
    std::uint64_t rows = 0;
    for (const RouterId r : network_.routers()) {
      const std::uint64_t ways = network_.in(r).size() + network_.terminals_at(r).size();
      rows += ways * network_.out(r).size();
    }
    require_rows(rows);
    out_.append(
        std::string_view("  // From router (terminal t: -1 - t), at router, to router, then the lane of each "
                         "level (-1: none).\n"));
    out_.append(std::string_view("  private lazy val hops = Seq(\n"));
    const char* between = "";
    for (const RouterId r : network_.routers()) {
      for (const ChannelId out : network_.out(r)) {
        const auto add = [&](std::int64_t from, std::uint16_t port) {
          append(out_, "{}    \"{} {} {}", between, from, r.value, network_.target(out).value);
          between = ",\n";
          for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) {
            const std::uint8_t lane = lanes_.lane(level, r, port, network_.source_port(out));
            append(out_, " {}", lane < routing_.virtual_lanes ? int{lane} : -1);
          }
          out_.push_back('"');
        };
        for (const TerminalId t : network_.terminals_at(r))
          add(-1 - std::int64_t{t.value}, network_.terminal_port(t));
        for (const ChannelId in : network_.in(r))
          if (in != network_.reverse(out)) add(network_.source(in).value, network_.target_port(in));
      }
    }
    out_.append(std::string_view(R"(
  ).map(numbers).map(row => (row(0), row(1), row(2)) -> row.drop(3)).toMap

  private def lane(srcC: ChannelRoutingInfo, nxtC: ChannelRoutingInfo, flow: FlowRoutingInfo): Int = {
    val from = if (srcC.isIngress) -1 - flow.ingressId else srcC.src
    hops.get((from, nxtC.src, nxtC.dst)).map(_(level(flow.ingressId)(flow.egressId))).getOrElse(-1)
  }
)"));
  }

  const Network& network_;
  const Routing& routing_;
  LaneFunction lanes_;
  fmt::memory_buffer out_;
};

}  // namespace

void write_constellation(const Network& network, const Routing& routing, const std::string& path) {
  const std::string name = object_of(path);
  require_tables(routing, "Constellation's relation");
  if (!routing.further.empty())
    throw InputError("Constellation has one address for each terminal, and these tables have several");
  if (routing.flow_control != FlowControl::credits)
    throw InputError("Constellation has no bubble flow control, which these tables need");
  require_single_cables(network, "Constellation");
  write_file(path, constellation_text(network, routing, name));
}

std::string constellation_text(const Network& network, const Routing& routing, const std::string& object) {
  return ScalaWriter(network, routing).run(object);
}

}  // namespace unknot
