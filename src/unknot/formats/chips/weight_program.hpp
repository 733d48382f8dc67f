// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/formats/chips/link_weights.hpp"

namespace unknot {

/// The linear program of find_link_weights(). Rows are added where the weights found so far break them.
class WeightProgram {
 public:
  /// What is asked of a link that packets are not to take.
  enum class Others : std::uint8_t {
    heavier,   ///< its ways weigh more
    begin_so,  ///< or as much where it never has to be taken before the one it stands behind, and weighs more
    not_less,  ///< its ways do not weigh less: no weights without it
  };
  enum class Outcome : std::uint8_t { found, impossible, too_large };

  /// InputError where the wanted ways go in a circle. Both must outlive the program.
  WeightProgram(const Network& network, const WantedWays& wanted);
  /// Weights by channel, whole numbers, where the outcome is `found` (of `not_less`: none).
  Outcome solve(Others others, std::vector<std::uint32_t>& weights);

 private:
  using Row = std::vector<std::pair<std::uint32_t, int>>;  // channel and coefficient, by channel
  struct Bounds {
    double lower, upper;
  };
  struct Broken {
    bool any = false, fresh = false;
  };

  [[nodiscard]] std::uint32_t channel(RouterId r, std::uint16_t position) const;
  void find_preferences();
  void require(const std::map<std::uint32_t, int>& sum, double lower, double upper,
               const std::vector<double>& weight, Broken& broken);
  Broken look(Others others, const std::vector<double>& weight);
  [[nodiscard]] std::optional<std::vector<double>> minimise() const;

  const Network& network_;
  const WantedWays& wanted_;
  std::vector<std::vector<std::uint32_t>> order_;  // by destination: routers, each behind those it sends to
  /// Pairs of channels of which the first is taken while the second begins an equally short way, and never
  /// the other way round.
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> before_;
  std::map<Row, Bounds> rows_;
};

}  // namespace unknot
