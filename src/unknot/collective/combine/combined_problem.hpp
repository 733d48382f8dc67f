// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What is to be reached with the messages of a problem.
enum class Outcome : std::uint8_t {
  as_given,    ///< what the problem says, by its delivery
  all_reduce,  ///< of an all-to-all broadcast: all get the sum of what all have
  scan,        ///< of a scan: each gets the sum of what it and all before it have
};

/// A collective that may be offered to algorithms with combined messages: a row of collectives(), or one that
/// only combining makes sense of.
struct CombinedRow {
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;
  std::string base;  ///< name of the row of collectives() that says who sends to whom
  Outcome outcome = Outcome::as_given;
};

const std::vector<CombinedRow>& combined_collectives();
/// By name or alias; InputError with the near names where there is none.
const CombinedRow& find_combined_collective(std::string_view name);

/// A collective on whose nodes messages are taken apart, stored, put together and combined. The rules of
/// steps, channels, ports and paths are those of `base`. Who takes part may hold any block; switches hold
/// none.
///
/// Every block has sources, nodes that have it, or a contribution to it, at the outset, and targets, which
/// must hold the contributions of all sources at the end. By delivery of the base and outcome:
///
/// | | block (origin, part) | sources | targets |
/// |---|---|---|---|
/// | scatter | (source, destination) | the source | the destination |
/// | broadcast | (owner, piece) | the owner | its receivers |
/// | reduction | (owner, piece) | the contributors and the owner | the owner |
/// | all_reduce | (first node, piece) | all nodes | all nodes |
/// | scan | (first node, 0) | all nodes | all nodes; each those up to itself |
///
/// Of several groups (joined_groups()) an all_reduce and a scan have these blocks for each, among its nodes.
///
/// Blocks of scatters are whole messages; others may be divided into equal `pieces`.
struct CombinedProblem {
  std::string collective;
  Problem base;
  Outcome outcome = Outcome::as_given;
  std::uint32_t pieces = 1;
  std::vector<NodeId> nodes;                                    ///< who takes part, ascending
  std::vector<Block> block;                                     ///< ascending
  std::vector<std::uint64_t> first_source{0}, first_target{0};  ///< blocks + 1
  std::vector<NodeId> source, target;                           ///< by block, ascending in each

  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(block.size()); }
  [[nodiscard]] std::span<const NodeId> sources(std::uint32_t b) const {
    return {source.data() + first_source[b], source.data() + first_source[b + 1]};
  }
  [[nodiscard]] std::span<const NodeId> targets(std::uint32_t b) const {
    return {target.data() + first_target[b], target.data() + first_target[b + 1]};
  }
  /// True where contributions are added up; else blocks are copied.
  [[nodiscard]] bool reduces() const {
    return outcome != Outcome::as_given || base.delivery == Delivery::reduction;
  }
  /// Number of a block; Problem::kNone where there is none. O(log).
  [[nodiscard]] std::uint32_t block_of(const Block& named) const;
  /// Place among `nodes`, its rank; Problem::kNone where it takes no part. O(log).
  [[nodiscard]] std::uint32_t rank_of(NodeId n) const;
};

/// InputError for pieces of a scatter or scan, no piece at all, more than 2^24 blocks or 2^33 places for
/// contributions, nodes times sources of all blocks, and where a reduction for all, or a scan, is not among
/// all nodes of a group. O(sources + targets).
CombinedProblem make_combined(std::string collective, Problem base, Outcome outcome, std::uint32_t pieces);

/// The same for a row of combined_collectives().
CombinedProblem make_combined(std::shared_ptr<const NodeGraph> graph, const CombinedRow& row,
                              const Participants& participants = {}, std::uint32_t pieces = 1,
                              const ProblemRules& rules = {});

/// What MPI calls it: that of the base, or allreduce or scan; none for these in several groups. O(messages).
MpiCollective mpi_collective(const CombinedProblem& problem);

}  // namespace unknot
