// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/topology/amp.hpp"
#include "unknot/topology/binary_tree.hpp"
#include "unknot/topology/circulant.hpp"
#include "unknot/topology/debruijn.hpp"
#include "unknot/topology/deimos.hpp"
#include "unknot/topology/dragonfly.hpp"
#include "unknot/topology/dragonflyplus.hpp"
#include "unknot/topology/fat.hpp"
#include "unknot/topology/fattree.hpp"
#include "unknot/topology/hypercube.hpp"
#include "unknot/topology/hyperx.hpp"
#include "unknot/topology/jellyfish.hpp"
#include "unknot/topology/kary_ntree.hpp"
#include "unknot/topology/kautz.hpp"
#include "unknot/topology/mlfm.hpp"
#include "unknot/topology/multistage.hpp"
#include "unknot/topology/named_graphs.hpp"
#include "unknot/topology/odin.hpp"
#include "unknot/topology/oft.hpp"
#include "unknot/topology/polarfly.hpp"
#include "unknot/topology/random_network.hpp"
#include "unknot/topology/ring.hpp"
#include "unknot/topology/slimfly.hpp"
#include "unknot/topology/spectralfly.hpp"
#include "unknot/topology/sspt.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/torus.hpp"
#include "unknot/topology/xgft.hpp"
#include "unknot/topology/xpander.hpp"

namespace unknot {
namespace {

std::string_view family_of(std::string_view spec) {
  return spec.substr(0, spec.find(':'));
}

const Topology* find(std::string_view family) {
  for (const Topology& row : topologies()) {
    if (row.name == family) return &row;
  }
  return nullptr;
}

void refuse_beyond(std::string_view spec, std::uint64_t count, std::uint64_t limit, const char* things) {
  if (count > limit) {
    throw InputError(fmt::format("topology {} would have {}{} {}; at most {} are supported", spec,
                                 count == UINT64_MAX ? "more than " : "", count, things, limit));
  }
}

struct Named {
  const Topology* row;
  Parameters parameters;
};

Named parse(std::string_view spec) {
  const std::string_view family = family_of(spec);
  const Topology* row = find(family);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const Topology& known : topologies()) names.push_back(known.name);
    const std::string near = near_names(family, names);
    throw InputError(fmt::format("unknown topology '{}'; {}", family,
                                 near.empty() ? "'unknot list topologies' names them all" : near));
  }
  const std::string_view values = spec.size() > family.size() ? spec.substr(family.size() + 1) : "";
  return {row, parse_parameters(fmt::format("topology {}", row->name), row->parameters, values)};
}

}  // namespace

const std::vector<Topology>& topologies() {
  static const std::vector<Topology> rows = [] {
    std::vector<Topology> all{
        ring_topology(),      uniring_topology(),       torus_topology(),     mesh_topology(),
        hypercube_topology(), hyperx_topology(),        xgft_topology(),      kary_ntree_topology(),
        fattree2_topology(),  fattree3_topology(),      oft_topology(),       mlfm_topology(),
        sspt_topology(),      kautz_topology(),         debruijn_topology(),  slimfly_topology(),
        dragonfly_topology(), dragonflyplus_topology(), polarfly_topology(),  spectralfly_topology(),
        xpander_topology(),   jellyfish_topology(),     random_topology(),    deimos_topology(),
        odin_topology(),      kring_topology(),         midimew_topology(),   spidergon_topology(),
        petersen_topology(),  heawood_topology(),       levi_topology(),      hoffman_singleton_topology(),
        amp_topology(),       omega_topology(),         butterfly_topology(), clos_topology(),
        btree_topology(),     fattree_topology(),       fulltree_topology(),  fat_topology()};
    for (Topology& row : all) {
      // what takes the rest of the text says itself how many terminals there are
      if (!row.parameters.empty() && row.parameters.back().kind == ParameterKind::rest) continue;
      for (const Parameter& parameter : placement_parameters()) {
        // a family may read its own "p"
        if (std::none_of(row.parameters.begin(), row.parameters.end(),
                         [&](const Parameter& own) { return own.name == parameter.name; }))
          row.parameters.push_back(parameter);
      }
    }
    return all;
  }();
  return rows;
}

Network make_network(std::string_view spec) {
  const Named named = parse(spec);
  const NetworkSize size = named.row->size(named.parameters);
  refuse_beyond(spec, size.routers, kMaxRouters, "routers");
  refuse_beyond(spec, size.cables, kMaxCables, "cables");
  refuse_beyond(spec, size.terminals, kMaxTerminals, "terminals");
  return named.row->make(named.parameters).described_as(std::string(spec));
}

NetworkSize network_size(std::string_view spec) {
  const Named named = parse(spec);
  return named.row->size(named.parameters);
}

std::optional<double> known_cut(std::string_view spec) {
  const Named named = parse(spec);
  if (named.row->known_cut == nullptr || named.parameters.has("terminals")) return std::nullopt;
  return named.row->known_cut(named.parameters);
}

bool is_spec(std::string_view text) {
  return find(family_of(text)) != nullptr;
}

}  // namespace unknot
