// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A network as a cut sees it: neighbours with the number of channels to and fro, and the weight of each
/// router (its terminals; 1 where the network has no terminals).
struct CutGraph {
  struct Neighbour {
    std::uint32_t router, channels;
  };
  explicit CutGraph(const Network& network);
  [[nodiscard]] std::span<const Neighbour> at(std::uint32_t r) const {
    return {neighbours.data() + first[r], neighbours.data() + first[r + 1]};
  }
  std::vector<std::uint32_t> first;  // routers + 1
  std::vector<Neighbour> neighbours;
  std::vector<std::uint32_t> weight;
  std::uint64_t total_weight = 0;
  std::uint32_t max_weight = 0;
  std::uint32_t max_channels = 0;  ///< of one router, both directions
};

/// Local search for a small cut in two halves: passes of single moves by gain, each router moving once a
/// pass, of which the best prefix is kept. [Fiduccia, Mattheyses 1982]
class LocalCut {
 public:
  explicit LocalCut(const CutGraph& graph);
  /// Improves `side` (0 or 1 by router) until a pass gains nothing and returns the number of channels cut.
  /// The weights of the sides must differ by at most that of one router, and still do after. O(channels) a
  /// pass.
  std::uint64_t improve(std::vector<std::uint8_t>& side);
  /// Moves routers, best gain first, until the weights of the sides differ by at most that of one router.
  /// O(routers) a move.
  static void even_out(const CutGraph& graph, std::vector<std::uint8_t>& side);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  bool pass(std::vector<std::uint8_t>& side);
  void fill(const std::vector<std::uint8_t>& side);
  /// Index of a gain in head_.
  [[nodiscard]] std::uint32_t slot(std::int32_t gain) const {
    return static_cast<std::uint32_t>(gain + static_cast<std::int32_t>(graph_.max_channels));
  }
  void link(std::uint32_t r, std::uint8_t side);
  void unlink(std::uint32_t r, std::uint8_t side);
  [[nodiscard]] std::uint32_t pick(const std::vector<std::uint8_t>& side) const;
  [[nodiscard]] bool may_move(std::uint32_t r, std::uint8_t side) const;

  const CutGraph& graph_;
  std::int64_t cut_ = 0;
  std::int64_t balance_ = 0;            // weight of side 0 minus that of side 1
  std::vector<std::int32_t> gain_;      // by router: channels that moving it takes out of the cut
  std::vector<bool> moved_;             // by router: in this pass
  std::vector<std::uint32_t> head_[2];  // by gain + max_channels: first router of that gain
  std::int32_t top_[2] = {0, 0};        // no router of a side has a gain above
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> moves_;
};

}  // namespace unknot
