// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/process_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostEntries = 64'000'000;

std::uint64_t share_of(std::uint64_t bytes, std::uint64_t parts) {
  return bytes / parts + (bytes % parts != 0 ? 1 : 0);
}

/// What a member sends to the one that many places on, around.
std::uint64_t bytes_to(const GroupDimension& dimension, std::uint32_t from, std::uint32_t distance) {
  const std::uint64_t n = dimension.size;
  const std::uint64_t bytes = dimension.bytes;
  switch (dimension.collective) {
    case GroupCollective::all_reduce:
      return distance == 1 ? 2 * (n - 1) * share_of(bytes, n) : 0;
    case GroupCollective::all_gather:
      return distance == 1 ? (n - 1) * bytes : 0;
    case GroupCollective::reduce_scatter:
      return distance == 1 ? (n - 1) * share_of(bytes, n) : 0;
    case GroupCollective::all_to_all:
      return share_of(bytes, n);
    case GroupCollective::pipeline:
      return distance == 1 && from + 1 < n ? bytes : 0;
    case GroupCollective::none:
      break;
  }
  return 0;
}

}  // namespace

const std::vector<GroupCollectiveRow>& group_collectives() {
  static const std::vector<GroupCollectiveRow> rows = {
      {"none", "nothing", GroupCollective::none},
      {"all-reduce", "around a ring, there and back", GroupCollective::all_reduce},
      {"all-gather", "around a ring", GroupCollective::all_gather},
      {"reduce-scatter", "around a ring", GroupCollective::reduce_scatter},
      {"all-to-all", "a share to each other", GroupCollective::all_to_all},
      {"pipeline", "from each to the next", GroupCollective::pipeline},
  };
  return rows;
}

GroupCollective find_group_collective(std::string_view name) {
  return find_row(group_collectives(), "collective of groups", name).collective;
}

CommunicationMatrix process_group_matrix(std::span<const GroupDimension> dimensions) {
  std::uint64_t ranks = 1;
  std::uint64_t most_entries = 0;  // of a rank
  for (const GroupDimension& dimension : dimensions) {
    if (dimension.size == 0) throw InputError("process groups: a dimension of 0 ranks");
    ranks *= dimension.size;
    if (ranks > kMostRanks) throw InputError(fmt::format("process groups: more than {} ranks", kMostRanks));
    most_entries += dimension.collective == GroupCollective::all_to_all ? dimension.size - 1 : 1;
  }
  if (ranks * most_entries > kMostEntries)
    throw InputError(fmt::format("process groups: more than {} messages", kMostEntries));
  CommunicationMatrix matrix;
  matrix.ranks = static_cast<std::uint32_t>(ranks);
  matrix.first.reserve(ranks + 1);
  std::vector<CommunicationMatrix::Entry> row;
  for (std::uint32_t rank = 0; rank < matrix.ranks; ++rank) {
    row.clear();
    std::uint32_t stride = 1;
    for (const GroupDimension& dimension : dimensions) {
      const std::uint32_t at = rank / stride % dimension.size;
      for (std::uint32_t distance = 1; distance < dimension.size; ++distance) {
        const std::uint64_t bytes = bytes_to(dimension, at, distance);
        const std::uint32_t to = (at + distance) % dimension.size;
        if (bytes > 0) row.push_back({rank - at * stride + to * stride, bytes});
        if (dimension.collective != GroupCollective::all_to_all) break;
      }
      stride *= dimension.size;
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    matrix.entries.insert(matrix.entries.end(), row.begin(), row.end());
    matrix.first.push_back(matrix.entries.size());
  }
  if (matrix.entries.empty()) throw InputError("process groups: nothing is exchanged");
  return matrix;
}

}  // namespace unknot
