// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {
namespace {

struct AdaptiveText {
  std::string path;
  std::size_t format = 0;
  std::string text;
};

std::size_t adaptive_format_of(std::string_view head, const std::string& path) {
  if (head.empty())
    throw InputError(fmt::format("{}: the file is empty, expected an adaptive routing", path));
  const std::vector<AdaptiveFormat>& formats = adaptive_formats();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (formats[i].recognises(head)) return i;
    names.push_back(formats[i].name);
  }
  throw InputError(
      fmt::format("{}: no adaptive routing of a known form (one of {})", path, fmt::join(names, ", ")));
}

/// A long line for each entry, and the square of the ports of each router.
std::uint64_t most_adaptive_bytes(const Network& network) {
  constexpr double kEntry = 192;
  const double routers = network.router_count();
  const double lids = std::max(49'152.0, routers + network.terminal_count());
  const double terminals = network.terminal_count();
  return ReadLimits::kMebi +
         static_cast<std::uint64_t>(std::min(kEntry * (16 * routers * lids + terminals * terminals), 1e18));
}

}  // namespace

const std::vector<AdaptiveFormat>& adaptive_formats() {
  static const std::vector<AdaptiveFormat> formats = {
      {"json", "all of an adaptive routing, for scripts", recognises_adaptive_json, read_adaptive_json, true,
       true,
       [](const Network& network, const AdaptiveRouting& routing, const std::string& path) {
         write_adaptive_json(network, routing, path);
         return std::vector<std::string>{path};
       }},
      {"far", "groups and tables as ibdiagnet dumps them (ibdiagnet2.far); what else there is beside it",
       recognises_far, read_far, true, false, write_adaptive_dumps},
      {"garnet", "weights of links: read from gem5's config.ini, written as a topology for it in Python",
       looks_like_garnet, read_garnet_weights, true, false,
       [](const Network& network, const AdaptiveRouting& routing, const std::string& path) {
         write_garnet_topology(network, routing, path);
         return std::vector<std::string>{path};
       }},
      {"plft", "private tables by port and lane or level (ibdiagnet2.plft)", recognises_plft,
       [](const Network& network, std::string_view text, const std::string& name, AdaptiveRouting& routing) {
         routing.plane_map = std::make_shared<PlaneMap>(read_plft(network, text, name));
       }},
      {"slvl", "SL-to-VL tables (ibdiagnet2.slvl)", recognises_slvl,
       [](const Network& network, std::string_view text, const std::string& name, AdaptiveRouting& routing) {
         routing.lane_map = std::make_shared<LaneMap>(parse_lane_map(network, text, name));
       }},
      {"vl2vl", "VL-to-VL tables (ibdiagnet2.vl2vl)", recognises_vl2vl,
       [](const Network& network, std::string_view text, const std::string& name, AdaptiveRouting& routing) {
         routing.lane_steps = std::make_shared<LaneMap>(read_vl2vl(network, text, name, routing.steps_at));
       }},
      {"fdbs", "unicast tables of switches that the .far file leaves out (ibdiagnet2.fdbs)", recognises_fdbs,
       add_static_tables},
  };
  return formats;
}

const AdaptiveFormat& written_adaptive_format(std::string_view name) {
  std::vector<std::string> names;
  for (const AdaptiveFormat& row : adaptive_formats()) {
    if (!row.write) continue;
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InputError(
      fmt::format("no form of adaptive routings '{}' to write; {}", name, near_or_all_names(name, names)));
}

AdaptiveRouting read_adaptive(const Network& network, const std::vector<std::string>& paths) {
  const std::vector<AdaptiveFormat>& formats = adaptive_formats();
  std::vector<AdaptiveText> files;
  for (const std::string& path : paths) {
    AdaptiveText file{path, 0, {}};
    ReadLimits limits;
    limits.most = limits.most_streamed = most_adaptive_bytes(network);
    limits.judge = [&](std::string_view head) { file.format = adaptive_format_of(head, path); };
    file.text = read_file(path, limits);
    for (const AdaptiveText& other : files) {
      if (other.format == file.format) {
        throw InputError(fmt::format("{} and {} are both of form {}, expected one of each", other.path, path,
                                     formats[file.format].name));
      }
    }
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const AdaptiveText& a, const AdaptiveText& b) { return a.format < b.format; });
  if (files.empty() || !formats[files.front().format].holds_tables) {
    throw InputError(fmt::format("{}: the forwarding tables are missing, expected a file that holds them",
                                 fmt::join(paths, ", ")));
  }
  AdaptiveRouting routing;
  routing.source = files.front().path;
  for (const AdaptiveText& file : files) formats[file.format].read(network, file.text, file.path, routing);
  require_fit(network, routing);
  return routing;
}

}  // namespace unknot
