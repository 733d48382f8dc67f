// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// One traffic pattern. Terminals are numbered as in the network; where a pattern needs a square or a power
/// of two, the terminals beyond the largest one that fits stay idle.
struct Pattern {
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;
  std::vector<Parameter> parameters;
  /// Each terminal sends at most once and receives at most once in a sample.
  bool one_to_one = false;
  /// A terminal may send more than one flow in a sample.
  bool several = false;
  /// False where only some networks suit: the others are refused.
  bool any_network = true;
  /// InputError where the parameters do not suit the network. name is filled by make_pattern().
  std::function<TrafficPattern(const Network&, const Parameters&, Progress&)> make;
  /// Instead of `make`: takes what follows the colon as it stands, the name of a file.
  std::function<TrafficPattern(const Network&, const std::string& path)> read;
};

const std::vector<Pattern>& patterns();
/// Row of that name or alias; InputError with the near names otherwise.
const Pattern& find_pattern(std::string_view name);
/// Pattern for a spec such as "shift:4" or "hotspot:fraction=0.2". Throws InputError as find_pattern() and
/// parse_parameters() do, "file:PATH" as read_file() and parse_flows(). Most take no time; "longest-matching"
/// is searched for, and reports to `progress`.
TrafficPattern make_pattern(const Network& network, std::string_view spec, Progress& progress);
/// The same, in silence.
TrafficPattern make_pattern(const Network& network, std::string_view spec);

}  // namespace unknot
