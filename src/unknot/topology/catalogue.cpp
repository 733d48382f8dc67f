// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

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
  const auto [family, values] = split_spec(spec);
  const Topology* row = find(family);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const Topology& known : topologies()) names.push_back(known.name);
    const std::string near = near_names(family, names);
    throw InputError(fmt::format("unknown topology '{}'; {}", family,
                                 near.empty() ? "'unknot list topologies' names them all" : near));
  }
  return {row, parse_parameters(fmt::format("topology {}", row->name), row->parameters, values)};
}

}  // namespace

const std::vector<Topology>& topologies() {
  static const std::vector<Topology> rows = [] {
#define UNKNOT_ROW(name) name##_topology(),
    std::vector<Topology> all{UNKNOT_TOPOLOGIES(UNKNOT_ROW)};
#undef UNKNOT_ROW
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
  return find(split_spec(text).name) != nullptr;
}

}  // namespace unknot
