// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/chips/link_weights.hpp"
#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// gem5 finds the class of a topology by the name of its file.
std::string class_of(const std::string& path) {
  if (path == "-") return "Unknot";
  const std::filesystem::path file(path);
  std::string stem = file.stem().string();
  static const std::set<std::string_view> kWords{
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool name =
      !stem.empty() && letter(stem.front()) && !kWords.contains(stem) &&
      std::all_of(stem.begin(), stem.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  if (file.extension() != ".py" || !name) {
    throw InputError(
        fmt::format("{}: gem5 takes the name of the file for a class of Python, expected a name such "
                    "as My_Mesh.py",
                    path));
  }
  return stem;
}

/// Numbers, some to a line.
template <class Each>
void append_lines(fmt::memory_buffer& out, std::uint32_t count, std::uint32_t in_line, const Each& each) {
  for (std::uint32_t i = 0; i < count; ++i) {
    append(out, "{}", i % in_line == 0 ? "    " : " ");
    each(i);
    append(out, ",{}", i % in_line == in_line - 1 || i + 1 == count ? "\n" : "");
  }
}

constexpr std::string_view kMakeTopology = R"(
    def __init__(self, controllers):
        self.nodes = controllers

    def makeTopology(self, options, network, IntLink, ExtLink, Router):
        def cycles(latency):
            return latency or options.link_latency

        routers = [
            Router(router_id=i, latency=options.router_latency)
            for i in range(ROUTERS)
        ]
        places = [TERMINALS[i % len(TERMINALS)] for i in range(len(self.nodes))]
        network.routers = routers
        network.ext_links = [
            ExtLink(
                link_id=i,
                ext_node=node,
                int_node=routers[router],
                latency=cycles(latency),
            )
            for i, (node, (router, latency)) in enumerate(zip(self.nodes, places))
        ]
        network.int_links = [
            IntLink(
                link_id=len(places) + i,
                src_node=routers[source],
                dst_node=routers[target],
                latency=cycles(latency),
                weight=weight,
            )
            for i, (source, target, latency, weight) in enumerate(LINKS)
        ]
)";

void write_topology(const Network& network, const WantedWays& wanted, const std::string& source,
                    const std::string& path) {
  const std::string name = class_of(path);
  const std::vector<std::uint32_t> weights = find_link_weights(network, wanted);
  fmt::memory_buffer out;
  append(out, "# {} for gem5's Garnet: {} routers, {} terminals.\n", as_utf8(network.description()),
         network.router_count(), network.terminal_count());
  append(out, "# With --routing-algorithm=0 these weights give the tables of {}.\n", as_utf8(source));
  append(out, "# Put it into configs/topologies: --network=garnet --topology={}.\n", name);
  out.append(std::string_view("from topologies.BaseTopology import SimpleTopology\n\n"));
  append(out, "ROUTERS = {}\n", network.router_count());
  out.append(std::string_view(
      "# Router and latency of each terminal (0: --link-latency). Controller i is put where terminal\n"
      "# i % len(TERMINALS) is.\nTERMINALS = [\n"));
  append_lines(out, network.terminal_count(), 8, [&](std::uint32_t t) {
    append(out, "({}, {})", network.router_of(TerminalId(t)).value, network.terminal_latency(TerminalId(t)));
  });
  out.append(std::string_view("]\n# From router, to router, latency, weight.\nLINKS = [\n"));
  append_lines(out, network.channel_count(), 5, [&](std::uint32_t i) {
    const ChannelId c(i);
    append(out, "({}, {}, {}, {})", network.source(c).value, network.target(c).value,
           network.channel_latency(c), weights[i]);
  });
  append(out, "]\n\n\nclass {0}(SimpleTopology):\n    description = \"{0}\"\n", name);
  out.append(kMakeTopology);
  write_file(path, fmt::to_string(out));
}

}  // namespace

void write_garnet_topology(const Network& network, const Routing& routing, const std::string& path) {
  write_topology(network, wanted_ways(network, routing), routing.engine, path);
}

void write_garnet_topology(const Network& network, const AdaptiveRouting& routing, const std::string& path) {
  write_topology(network, wanted_ways(network, routing), routing.source, path);
}

}  // namespace unknot
