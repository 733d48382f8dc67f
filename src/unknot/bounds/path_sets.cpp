// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/path_sets.hpp"

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

PathLists minimal(const Network& network, const RouterDemand& demand, const Parameters&, Progress& progress) {
  return shortest_path_lists(network, demand, progress);
}

PathLists shortest(const Network& network, const RouterDemand& demand, const Parameters& parameters,
                   Progress& progress) {
  return k_shortest_path_lists(network, demand, parameters.number32("count"), progress);
}

PathLists valiant(const Network& network, const RouterDemand& demand, const Parameters&, Progress& progress) {
  return valiant_path_lists(network, demand, false, progress);
}

PathLists ugal(const Network& network, const RouterDemand& demand, const Parameters&, Progress& progress) {
  return valiant_path_lists(network, demand, true, progress);
}

}  // namespace

const std::vector<PathSetRow>& path_sets() {
  static const std::vector<PathSetRow> rows = {
      {"minimal", "all shortest paths", {}, minimal, true},
      {"shortest",
       "the shortest paths that pass no router twice, so many for each pair of routers",
       {{.name = "count",
         .help = "paths of a pair, where it has as many",
         .fallback = "8",
         .min = 1,
         .max = 10'000}},
       shortest},
      {"valiant", "shortest paths to any other router with terminals, and on from there", {}, valiant},
      {"ugal",
       "both, minimal and valiant: what UGAL chooses from",
       {{.name = "indirect",
         .help = "paths of Valiant's that are looked at for a packet: what it loads at most",
         .fallback = "4",
         .min = 1,
         .max = 1'000}},
       ugal,
       false,
       false},
      {"addresses", "the paths of tables to all addresses (LIDs) of a host", {}, nullptr, false, false},
  };
  return rows;
}

const PathSetRow& find_path_set(std::string_view spec) {
  return *choose_row(path_sets(), "path set", spec).row;
}

PathLists make_path_lists(const Network& network, const RouterDemand& demand, std::string_view spec,
                          Progress& progress) {
  const Chosen<PathSetRow> chosen = choose_row(path_sets(), "path set", spec);
  if (!chosen.row->make) throw InputError("path set " + chosen.row->name + " is one of tables");
  return chosen.row->make(network, demand, chosen.parameters, progress);
}

}  // namespace unknot
