// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/formats/chips/link_weights.hpp"

namespace unknot {

/// The search of find_link_weights() by linear programs.
///
/// A way by a link that packets are not to take must weigh more than theirs, or as much where the link itself
/// weighs more than the one they take. Which of the two is decided for each pair of links of a router: in any
/// weights the second link weighs more than the first, or it does not and all its ways must be heavier. So
/// the search divides by pairs that the weights of the program break, and is exact where it comes to an end.
class WeightProgram {
 public:
  enum class Outcome : std::uint8_t { found, none, unknown };

  /// InputError where the wanted ways go in a circle. Both must outlive the program.
  WeightProgram(const Network& network, const WantedWays& wanted);
  /// Weights by channel, whole numbers, where the outcome is `found`. `none`: there are no weights.
  Outcome solve(std::vector<std::uint32_t>& weights);

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;    // a channel that is taken, another of its router
  using Decisions = std::map<Pair, bool>;                  // whether the second weighs more itself
  using Row = std::vector<std::pair<std::uint32_t, int>>;  // channel and coefficient, by channel
  /// What a look at weights has found.
  struct Found {
    bool broken = false, fresh = false;  // rows; such as the program did not have yet
    std::optional<Pair> open;            // no decision yet, and one is needed
  };

  [[nodiscard]] std::uint32_t channel(RouterId r, std::uint16_t position) const;
  [[nodiscard]] double least(const Pair& pair, const Decisions& decisions) const;
  void require(const Pair& pair, const std::map<std::uint32_t, int>& sum, const Decisions& decisions,
               const std::vector<double>& weight, Found& found);
  Found look(const Decisions& decisions, const std::vector<double>& weight);
  [[nodiscard]] std::optional<std::vector<double>> minimise(const Decisions& decisions) const;
  Outcome search(Decisions& decisions, std::vector<std::uint32_t>& weights);

  const Network& network_;
  const WantedWays& wanted_;
  std::vector<std::vector<std::uint32_t>> order_;  // by destination: routers, each behind those it sends to
  std::map<std::pair<Pair, Row>, bool> rows_;      // whether it is an equation
  std::uint32_t programs_ = 0;
};

}  // namespace unknot
