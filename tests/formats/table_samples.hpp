// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::test {

/// Folder of its own for one test, removed with what is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its path.
  std::string put(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

struct RoutedSample {
  std::string name;
  Network network;
};

/// Two leaves and a spine with parallel cables, a two-port adapter, a service node and LIDs of their own:
/// what the malformed files of tests/data were written for.
Network small_fabric();
/// Networks of all kinds that tables can be about: multigraphs, one-way links, switches without terminals,
/// generated and labelled ones, more than 252 channels at a router.
std::vector<RoutedSample> samples();
/// Net file of the fabric simulator, in the plain form its examples have.
Network read_plain_net(const std::string& path);

/// Shortest paths, with chance between equal ones, and levels with chance.
Routing some_routing(const Network& network, ServiceLevels::Rows rows, std::uint32_t lanes,
                     std::uint64_t seed);
/// Lanes that look at every port.
LaneMap some_lane_map(const Network& network, std::uint64_t seed);

/// Whether any routing of the network can be written in the format and is read back: not what is for
/// generators of hardware, and no names that two devices have in a format that goes by names.
bool comes_back(const TableFormat& format, const Network& network);

/// Sentence of the InputError that an action throws; "" when it throws nothing.
std::string error_of(const std::function<void()>& action);

}  // namespace unknot::test
