// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/files/read_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <string_view>

#include "unknot/ethernet/files/readers.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::ethernet {
namespace {

namespace fs = std::filesystem;

enum File : std::uint8_t { kNeighbours, kNeighbourTable, kRoutes, kRoutes6, kConfig, kFiles };
constexpr std::array<std::string_view, kFiles> kNames = {"lldp.json", "lldp.txt", "routes.json",
                                                         "routes6.json", "config_db.json"};
using Paths = std::array<std::string, kFiles>;  // "" where there is none

constexpr std::uint64_t kMostBytes = 2048 * ReadLimits::kMebi;

std::string read_limited(const std::string& path) {
  ReadLimits limits;
  limits.most = kMostBytes;
  return read_file(path, limits);
}

/// What is no file, a pipe say, may never end, and nobody means it in a folder.
void add_file(std::map<std::string, Paths>& found, const std::string& name, std::size_t kind,
              const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw InputError(fmt::format("{}: expected a regular file", path));
  }
  std::string& known = found[name][kind];
  if (!known.empty()) {
    throw InputError(fmt::format("{}: {} has this file as {}, too: one of the two is expected",
                                 std::max(path, known), name, std::min(path, known)));
  }
  known = path;
}

std::map<std::string, Paths> find_files(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw InputError(fmt::format("{}: cannot be read as a folder: {}", folder, error.message()));
  std::map<std::string, Paths> found;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    for (std::size_t kind = 0; kind < kFiles; ++kind) {
      const std::string suffix = fmt::format(".{}", kNames[kind]);
      if (entry.is_directory(error)) {
        const fs::path inside = entry.path() / kNames[kind];
        if (fs::exists(inside, error)) add_file(found, name, kind, inside.string());
      } else if (name.size() > suffix.size() && name.ends_with(suffix)) {
        add_file(found, name.substr(0, name.size() - suffix.size()), kind, entry.path().string());
      }
    }
  }
  if (found.empty()) {
    throw InputError(
        fmt::format("{}: no switch in this folder: expected NAME/lldp.json and NAME/routes.json, or "
                    "NAME.lldp.json and NAME.routes.json",
                    folder));
  }
  return found;
}

SwitchParts read_switch(const std::string& name, const Paths& paths) {
  SwitchParts parts;
  parts.name = name;
  if (!paths[kNeighbours].empty() && !paths[kNeighbourTable].empty()) {
    throw InputError(fmt::format("{}: {} has neighbours in {}, too: one of the two is expected",
                                 paths[kNeighbourTable], name, paths[kNeighbours]));
  }
  const std::string& neighbours = paths[paths[kNeighbours].empty() ? kNeighbourTable : kNeighbours];
  const std::string& some =
      *std::find_if(paths.begin(), paths.end(), [](const std::string& path) { return !path.empty(); });
  if (neighbours.empty())
    throw InputError(fmt::format("{}: {} has no lldp.json or lldp.txt beside it", some, name));
  if (paths[kRoutes].empty() && paths[kRoutes6].empty())
    throw InputError(fmt::format("{}: {} has no routes.json beside it", some, name));
  parts.origin = neighbours;
  parts.neighbours = read_neighbours(read_limited(neighbours), neighbours);
  for (const File kind : {kRoutes, kRoutes6}) {
    if (paths[kind].empty()) continue;
    std::vector<RouteText> routes = read_routes(read_limited(paths[kind]), paths[kind], kind == kRoutes6);
    if (parts.routes.empty()) {
      parts.routes = std::move(routes);
    } else {
      parts.routes.insert(parts.routes.end(), routes.begin(), routes.end());
    }
  }
  if (!paths[kConfig].empty()) parts.config = read_config(read_limited(paths[kConfig]), paths[kConfig]);
  return parts;
}

}  // namespace

std::vector<SwitchParts> read_folder(const std::string& folder, std::uint32_t threads, Progress& progress) {
  const std::map<std::string, Paths> found = find_files(folder);
  const std::vector<std::pair<std::string, Paths>> all(found.begin(), found.end());
  std::vector<SwitchParts> parts(all.size());
  progress.begin("reading switches", all.size());
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(static_cast<std::uint32_t>(all.size()), 4, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t i = begin; i < end; ++i)
                      parts[i] = read_switch(all[i].first, all[i].second);
                    done += end - begin;
                    if (progress.interrupted()) throw Interrupted();
                    if (worker == 0) progress.update(done);
                  });
  return parts;
}

}  // namespace unknot::ethernet
