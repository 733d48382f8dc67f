// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

const std::vector<Topology>& topologies();

/// Network for a spec such as "torus:4x4,p=2". Throws InputError for an unknown family (with the near names),
/// a wrong parameter, or a size beyond kMaxRouters, kMaxCables or kMaxTerminals.
Network make_network(std::string_view spec);
/// Size of the network that a spec names, without making it. Throws InputError as make_network() does.
NetworkSize network_size(std::string_view spec);
/// Cables cut by the halves that the construction of a spec's network shows, an upper bound of its bisection:
/// half the columns of a Slim Fly, say. Nothing where no formula is known. Throws InputError as
/// make_network() does.
std::optional<double> known_cut(std::string_view spec);
/// True when the text before the first colon (or all of it) is a family's name.
bool is_spec(std::string_view text);

}  // namespace unknot
