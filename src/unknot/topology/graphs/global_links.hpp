// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/support/parameters.hpp"

namespace unknot {

/// Which group each global port of a group leads to, in port order. [Hastings et al. 2015, "Comparing global
/// link arrangements for dragonfly networks"]
enum class Arrangement : std::uint8_t {
  absolute,   ///< groups 0, 1, 2, ... without the own one ("consecutive")
  relative,   ///< the next group, the one after, ... round the ring of groups
  circulant,  ///< the next and the previous group, those at distance two, ...
};

/// Global ports of the groups of a dragonfly and how they are joined.
struct GlobalLinks {
  std::uint32_t groups = 1;
  std::uint32_t ports = 0;  ///< of one group, at least groups - 1
  Arrangement arrangement = Arrangement::absolute;
};

struct GlobalCable {
  std::uint32_t group, port, far_group, far_port;
};

/// The cables between groups: every two groups share ports / (groups - 1) of them, rounded down; ports that
/// are left join groups by distance round the ring of groups, nearest first. Where groups and left ports are
/// both odd, the last port of each group stays free. Ordered by the lower group, then its port.
std::vector<GlobalCable> global_cables(const GlobalLinks& links);
std::uint64_t global_cable_count(const GlobalLinks& links);

/// The parameters "groups" and "arrangement" of a family, and their values. InputError where `ports` cannot
/// join that many groups.
std::vector<Parameter> global_link_parameters();
GlobalLinks global_links_from(const char* family, const Parameters& parameters, std::uint32_t ports);

}  // namespace unknot
