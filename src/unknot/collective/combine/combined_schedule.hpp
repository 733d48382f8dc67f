// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

/// What moves as a whole where messages are combined: a message, a piece of one, or a result that grows.
/// `origin` is a node, `part` a number; what they say depends on the collective, see CombinedProblem.
struct Block {
  NodeId origin;
  std::uint32_t part = 0;
  auto operator<=>(const Block&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// A schedule whose transfers carry several blocks at once, each along one path: transfers, step by step, in
/// flat arrays. What a node sends is what it holds of these blocks when the step begins. Where a transfer
/// combines, the receiver adds what comes to what it holds (a partial result); else it keeps a copy in its
/// place.
///
///     CombinedSchedule schedule;
///     schedule.add_step();
///     schedule.add(path, blocks);
class CombinedSchedule {
 public:
  void add_step() { step_first_.push_back(transfer_count()); }
  /// To the last step; there must be one. The path has a node or more.
  void add(std::span<const NodeId> path, std::span<const Block> blocks, bool combines = false) {
    nodes_.insert(nodes_.end(), path.begin(), path.end());
    path_first_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
    block_first_.push_back(blocks_.size());
    combines_.push_back(combines ? 1 : 0);
    step_first_.back() = transfer_count();
  }

  [[nodiscard]] std::uint32_t step_count() const {
    return static_cast<std::uint32_t>(step_first_.size()) - 1;
  }
  [[nodiscard]] std::uint32_t transfer_count() const { return static_cast<std::uint32_t>(combines_.size()); }
  /// Transfers of a step, counted from 0: [step_begin, step_end).
  [[nodiscard]] std::uint32_t step_begin(std::uint32_t step) const { return step_first_[step]; }
  [[nodiscard]] std::uint32_t step_end(std::uint32_t step) const { return step_first_[step + 1]; }
  [[nodiscard]] std::span<const NodeId> path(std::uint32_t transfer) const {
    return {nodes_.data() + path_first_[transfer], nodes_.data() + path_first_[transfer + 1]};
  }
  [[nodiscard]] NodeId sender(std::uint32_t transfer) const { return path(transfer).front(); }
  [[nodiscard]] NodeId receiver(std::uint32_t transfer) const { return path(transfer).back(); }
  [[nodiscard]] std::span<const Block> blocks(std::uint32_t transfer) const {
    return {blocks_.data() + block_first_[transfer], blocks_.data() + block_first_[transfer + 1]};
  }
  [[nodiscard]] bool combines(std::uint32_t transfer) const { return combines_[transfer] != 0; }

  bool operator==(const CombinedSchedule&) const = default;

 private:
  std::vector<std::uint32_t> step_first_{0};  // steps + 1
  std::vector<std::uint32_t> path_first_{0};  // transfers + 1
  std::vector<NodeId> nodes_;
  std::vector<std::uint64_t> block_first_{0};  // transfers + 1
  std::vector<Block> blocks_;
  std::vector<std::uint8_t> combines_;  // by transfer
};

/// Last step first, every path backwards. Copies that reach every node once become a reduction: each
/// transfer then combines; where `reduction` is false all stay copies (scatters become gathers, and the
/// origins and parts of their blocks change places). O(schedule).
CombinedSchedule time_reversed(const CombinedSchedule& schedule, bool reduction);

}  // namespace unknot
