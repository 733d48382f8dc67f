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
  /// Its paths for the pairs of a demand. InputError where a pair has none, or there are too many. Null where
  /// they are those of tables: address_path_lists().
  std::function<PathLists(const Network&, const RouterDemand&, const Parameters&, Progress&)> make;
  /// All shortest paths: flow_by_potential() does without lists.
  bool by_next_hops = false;
  /// There is a routing that takes these paths without regard to the load.
  bool blind = true;
};

const std::vector<PathSetRow>& path_sets();

/// Row of a spec; InputError where it names no set, or has wrong parameters.
const PathSetRow& find_path_set(std::string_view spec);
/// The paths of a spec such as "minimal" or "shortest:8". InputError where they are those of tables, too.
PathLists make_path_lists(const Network& network, const RouterDemand& demand, std::string_view spec,
                          Progress& progress);

}  // namespace unknot
