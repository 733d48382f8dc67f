// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {

/// One kind of finite exchange.
struct WorkloadRow {
  std::string name;
  std::vector<std::string> aliases = {};
  std::string summary = {};
  /// Where `rest` is set, the last one takes what remains of the spec as it stands, commas included: those
  /// before it are given as key=value, in front of it, as in "flows:bytes=4096,hotspot:0.2,hotspots=3".
  std::vector<Parameter> parameters = {};
  bool rest = false;
  /// The rest is the name of a file.
  bool reads_file = false;
  /// InputError where the parameters do not suit the network. name is filled by make_workload().
  std::function<Workload(const Network&, const Parameters&, const std::string& rest, std::uint64_t seed)>
      make;
};

const std::vector<WorkloadRow>& workloads();
/// Row of that name or alias; InputError with the near names otherwise.
const WorkloadRow& find_workload(std::string_view name);
/// Workload for a spec such as "all-to-all:bytes=4096" or "goal:trace.goal". What is random in it is a
/// function of `seed`. Throws InputError as find_workload(), parse_parameters(), make_pattern() and the
/// readers of files do.
Workload make_workload(const Network& network, std::string_view spec, std::uint64_t seed);

}  // namespace unknot
