// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// One terminal sends to another, different one.
struct Flow {
  TerminalId source, destination;
  /// Rate, or size of the message, beside that of the other flows; positive. Most patterns leave it at 1.
  double weight = 1;
  bool operator==(const Flow&) const = default;
};

/// A destination for one packet: with probability `hot_fraction` one of `hotspots` terminals that are drawn
/// once, else any other terminal, or any at all.
struct PacketDraw {
  double hot_fraction = 0;
  std::uint32_t hotspots = 0;
  bool self = false;  ///< the sender may draw itself
};

/// Who sends to whom on one network. A value, made by a row of the catalogue.
struct TrafficPattern {
  std::string name;  ///< spec it was made from, "shift:4"
  /// False where every sample has the same flows: one is then enough.
  bool random = false;
  /// Every terminal sends to every other: `flows` would be terminals^2 long and is empty.
  bool all_pairs = false;
  /// The mean over all samples is that of all_pairs: every terminal sends to every other at one rate.
  bool uniform_mean = false;
  /// Where every packet of a simulation draws its destination anew. Nothing: one sample says it for all
  /// packets.
  std::optional<PacketDraw> packet_draw = {};
  /// Replaces `flows` by those of one sample; a function of (seed, sample) alone, whatever is routed. Safe to
  /// call from several threads. Null for all_pairs.
  std::function<void(std::uint64_t seed, std::uint32_t sample, std::vector<Flow>& flows)> flows;
};

}  // namespace unknot
