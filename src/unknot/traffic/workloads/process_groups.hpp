// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot {

/// What the members of a group exchange, of messages of B bytes among n.
enum class GroupCollective : std::uint8_t {
  none,
  all_reduce,      ///< around a ring, twice: 2 (n-1) B/n to the next
  all_gather,      ///< around a ring: what each has goes all the way, (n-1) B to the next
  reduce_scatter,  ///< around a ring: (n-1) B/n to the next
  all_to_all,      ///< B/n to each other
  pipeline,        ///< B from each to the next, none from the last
};

struct GroupCollectiveRow {
  std::string name;
  std::string summary;
  GroupCollective collective;
};
const std::vector<GroupCollectiveRow>& group_collectives();
/// InputError with the near names where there is none of that name.
GroupCollective find_group_collective(std::string_view name);

/// Ranks in a grid, and what those exchange that differ in one dimension alone: data, tensor, pipeline and
/// expert groups of a parallel program, all at the same time.
struct GroupDimension {
  std::uint32_t size = 1;
  GroupCollective collective = GroupCollective::none;
  std::uint64_t bytes = 0;
};

/// Bytes from each rank to each, the first dimension fastest; shares are rounded up. InputError for no
/// dimension, one without a rank, more than 2^24 ranks, or where nothing is exchanged. O(entries log
/// entries).
CommunicationMatrix process_group_matrix(std::span<const GroupDimension> dimensions);

}  // namespace unknot
