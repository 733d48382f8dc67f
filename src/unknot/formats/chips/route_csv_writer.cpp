// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// In quotes where it has to be.
std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

void append_router(fmt::memory_buffer& out, const Network& network, const Routing& routing, RouterId r,
                   const std::string& before) {
  for (const TerminalId t : network.terminals()) {
    const std::string destination = csv_field(network.terminal_name(t));
    if (network.router_of(t) == r) {
      append(out, "{}{},{},{}\n", before, destination, network.terminal_port(t), destination);
    } else if (const ChannelId c = routing.table().next(network, r, t); c.valid()) {
      append(out, "{}{},{},{}\n", before, destination, network.source_port(c),
             csv_field(network.router_name(network.target(c))));
    } else if (const std::uint16_t port = routing.table().stray_port(r, t); port != 0) {
      append(out, "{}{},{},\n", before, destination, port);
    }
  }
}

/// Names tell which device a row is about.
void require_names(std::vector<std::string> names, std::string_view what) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw InputError(
        fmt::format("two {}s are called '{}', and tables as CSV tell them by name", what, shown(*twice)));
  }
  for (const std::string& name : names) {
    if (name.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos) continue;
    throw InputError(fmt::format("{} '{}' has a line break in its name, which tables as CSV cannot hold",
                                 what, shown(name)));
  }
}

void require_csv_fits(const Network& network, const Routing& routing) {
  if (!routing.further.empty())
    throw InputError("tables as CSV have one address for each terminal, and these have several");
  std::vector<std::string> names;
  names.reserve(network.router_count());
  for (const RouterId r : network.routers()) names.push_back(network.router_name(r));
  require_names(std::move(names), "router");
  names.clear();
  names.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) names.push_back(network.terminal_name(t));
  require_names(std::move(names), "terminal");
}

}  // namespace

void write_route_csv(const Network& network, const Routing& routing, const std::string& path) {
  require_csv_fits(network, routing);
  write_file(path, [&](const FileSink& sink) {
    sink("router,destination,port,next hop\n");
    for (const RouterId r : network.routers()) {
      fmt::memory_buffer out;
      append_router(out, network, routing, r, csv_field(network.router_name(r)) + ',');
      sink({out.data(), out.size()});
    }
  });
}

void write_route_csv_folder(const Network& network, const Routing& routing, const std::string& path) {
  require_csv_fits(network, routing);
  for (const RouterId r : network.routers()) {
    const std::string name = network.router_name(r);
    if (!name.empty() && name.front() != '.' && name.find('/') == std::string::npos) continue;
    throw InputError(fmt::format("router '{}' cannot have a file of its name", shown(name)));
  }
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) throw InputError(fmt::format("{}: cannot make this folder: {}", path, failed.message()));
  for (const RouterId r : network.routers()) {
    fmt::memory_buffer out;
    out.append(std::string_view("destination,port,next hop\n"));
    append_router(out, network, routing, r, "");
    const std::filesystem::path file = std::filesystem::path(path) / (network.router_name(r) + ".csv");
    write_file(file.string(), fmt::to_string(out));
  }
}

}  // namespace unknot
