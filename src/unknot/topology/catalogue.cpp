// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/other_names.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

void refuse_beyond(std::string_view spec, std::uint64_t count, std::uint64_t limit, const char* things) {
  if (count > limit) {
    throw InputError(fmt::format("topology {} would have {}{} {}; at most {} are supported", spec,
                                 count == UINT64_MAX ? "more than " : "", count, things, limit));
  }
}

Chosen<Topology> chosen(std::string_view spec) {
  const std::string_view name = split_spec(spec).name;
  if (look_up_row(topologies(), name) == nullptr) {
    if (const OtherName* other = find_other_name(name)) {
      throw InputError(fmt::format("unknown topology '{}'; {} here as '{}'", name, other->what, other->spec));
    }
  }
  try {
    return choose_row(topologies(), "topology", spec, "unknot list topologies");
  } catch (const InputError& error) {
    const std::string_view meaning = other_meaning(name);
    if (meaning.empty()) throw;
    throw InputError(fmt::format("{}; {}", error.what(), meaning));
  }
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
  const auto [row, parameters] = chosen(spec);
  const NetworkSize size = row->size(parameters);
  refuse_beyond(spec, size.routers, kMaxRouters, "routers");
  refuse_beyond(spec, size.cables, kMaxCables, "cables");
  refuse_beyond(spec, size.terminals, kMaxTerminals, "terminals");
  return row->make(parameters).described_as(std::string(spec));
}

NetworkSize network_size(std::string_view spec) {
  const auto [row, parameters] = chosen(spec);
  return row->size(parameters);
}

std::optional<double> known_cut(std::string_view spec) {
  const auto [row, parameters] = chosen(spec);
  if (row->known_cut == nullptr || parameters.has("terminals")) return std::nullopt;
  return row->known_cut(parameters);
}

bool is_spec(std::string_view text) {
  return look_up_row(topologies(), split_spec(text).name) != nullptr;
}

}  // namespace unknot
