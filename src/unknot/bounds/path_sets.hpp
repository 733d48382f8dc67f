// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/bounds/path_lists.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// A set of paths that a routing may offer.
struct PathSetRow {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  /// Its paths for the pairs of a demand. InputError where a pair has none, or there are too many.
  std::function<PathLists(const Network&, const RouterDemand&, const Parameters&, Progress&)> make;
};

const std::vector<PathSetRow>& path_sets();

/// Refuses a spec that names no set, or has wrong parameters, before there is a network: InputError.
void check_path_set(std::string_view spec);
/// The paths of a spec such as "minimal" or "shortest:8".
PathLists make_path_lists(const Network& network, const RouterDemand& demand, std::string_view spec,
                          Progress& progress);

}  // namespace unknot
