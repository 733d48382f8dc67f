// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/rails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kNamed = 4;  // rails that a message names

struct Part {
  std::uint32_t number = 0;  // among the parts
  std::uint64_t terminals = 0;
  std::uint64_t routers = 0;
  std::uint64_t least_guid = ~std::uint64_t{0};
};

}  // namespace

std::vector<Rail> rails_of(const Network& network) {
  const RouterParts parts = weakly_connected_parts(network);
  std::vector<Part> found(parts.count);
  for (const RouterId r : network.routers()) {
    Part& part = found[parts.part[r.value]];
    part.number = parts.part[r.value];
    part.terminals += network.terminals_at(r).size();
    ++part.routers;
    part.least_guid = std::min(part.least_guid, network.router_guid(r));
  }
  std::erase_if(found, [](const Part& part) { return part.terminals == 0; });
  std::sort(found.begin(), found.end(), [](const Part& a, const Part& b) {
    return std::tuple(b.terminals, b.routers, a.least_guid, a.number) <
           std::tuple(a.terminals, a.routers, b.least_guid, b.number);
  });
  std::vector<Rail> rails;
  rails.reserve(found.size());
  for (const Part& part : found) {
    Faults others;
    for (const RouterId r : network.routers()) {
      if (parts.part[r.value] != part.number) others.routers.push_back(r);
    }
    const auto number = static_cast<std::uint32_t>(rails.size() + 1);
    Network rail = with_recognised_grid(with_faults(network, others));
    if (parts.count > 1)
      rail = std::move(rail).described_as(fmt::format("{} rail {}", network.description(), number));
    rails.push_back({number, std::move(rail)});
  }
  return rails;
}

Network rail_of(const Network& network, std::uint32_t number, const std::string& fabric) {
  std::vector<Rail> rails = rails_of(network);
  if (number >= 1 && number <= rails.size()) return std::move(rails[number - 1].network);
  std::string named;
  for (std::size_t i = 0; i < std::min(rails.size(), kNamed); ++i)
    named += (i == 0 ? ": " : "; ") + rail_line(rails[i]);
  throw InputError(
      fmt::format("{}: there is no rail {}, the fabric has {}{}", fabric, number, rails.size(), named));
}

std::string rail_line(const Rail& rail) {
  return fmt::format("rail {}: {} router{} from {} on, {} terminals", rail.number,
                     grouped(rail.network.router_count()), rail.network.router_count() == 1 ? "" : "s",
                     rail.network.router_name(RouterId(0)), grouped(rail.network.terminal_count()));
}

std::uint64_t hosts_in_several(const std::vector<Rail>& rails) {
  std::map<std::string, std::uint32_t> last_seen;
  std::map<std::string, bool> several;
  for (const Rail& rail : rails) {
    for (const TerminalId t : rail.network.terminals()) {
      // What diagnostics call an adapter begins with the host: "node-07 mlx5_0".
      std::string host = rail.network.terminal_name(t);
      host = host.substr(0, host.find(' '));
      const auto [entry, fresh] = last_seen.emplace(host, rail.number);
      if (!fresh && entry->second != rail.number) several[host] = true;
    }
  }
  return several.size();
}

std::string rail_path(const std::string& path, std::uint32_t number) {
  if (path.empty() || path == "-") return path;
  const std::filesystem::path file(path);
  return (file.parent_path() / fmt::format("rail-{}", number) / file.filename()).string();
}

}  // namespace unknot::cli
