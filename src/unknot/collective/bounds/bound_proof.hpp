// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Messages that must cross between a set of nodes and the rest, over what crosses in a step: channels, or
/// the ports of who sends on one side and of who receives on the other. Of a broadcast, a message crosses
/// once where its owner is on one side and a receiver on the other; the one that crosses last has come to no
/// more receivers there in that step than cross, and takes steps to reach the others.
struct CutProof {
  enum class Direction : std::uint8_t { out, in, both };
  std::vector<NodeId> inside;  ///< ascending
  Direction direction = Direction::out;
  /// Only messages of this group, which then take only arcs that lie on a path from its owner with no more
  /// hops than the problem allows; Problem::kNone: all messages, all arcs. Scatters, direction out.
  std::uint32_t group = Problem::kNone;
};

/// Whatever its path, a message takes up at least the distance from source to destination in these lengths,
/// of a total of length times capacity in each step. Scatters. Unit lengths give the sum of distances over
/// the number of channels; the dual of the flow program gives the best of all.
struct LengthProof {
  static constexpr std::uint32_t kMaxLength = 1U << 20;  ///< keeps sums within 64 bits
  std::vector<std::uint32_t> arc;                        ///< by arc
  std::vector<std::uint32_t> link;                       ///< by link, both directions; empty: all 0
};

/// Who has a broadcast message, after each step at most: those that can send most first. Broadcasts.
struct GrowthProof {
  std::uint32_t group = 0;
  std::vector<std::uint64_t>
      informed;  ///< owner included; by step, from before the first; the last is enough
};

/// Deliveries, each over at least as many channels as lie between its receiver and the nearest who could send
/// it, over all channels; or over all ports that send. Broadcasts. Needs nothing kept: all is counted anew.
struct DeliveryProof {};

/// Messages whose routes take one line, over what it carries; under half duplex, one cable. Scatters on
/// routes.
struct RouteProof {
  std::uint32_t line = 0;
};

/// Under half duplex, a delivery takes up a link of who sends and one of who receives, of which there are
/// half as many together in a step, rounded down. Needs nothing kept.
struct PairingProof {};

using BoundProof = std::variant<CutProof, LengthProof, GrowthProof, DeliveryProof, RouteProof, PairingProof>;

/// No schedule of the problem has fewer steps.
struct LowerBound {
  std::string name;  ///< of the row of step_bounds() it comes from
  std::uint32_t steps = 0;
  std::string reason;     ///< one sentence, from the proof
  bool reversed = false;  ///< the proof is about time_reversed(problem)
  BoundProof proof;
};

/// What a proof proves, and why, counted from nothing but the problem and the proof.
struct ProvenSteps {
  std::uint32_t steps = 0;
  std::string reason;
};

/// Exact, in whole numbers. A proof that does not fit the problem (an unknown node, wrong sizes, another kind
/// of delivery) proves 0 steps, and the reason says what is wrong. Cuts: O(arcs + messages); lengths: a
/// search of shortest paths for each source.
ProvenSteps evaluate(const Problem& problem, const BoundProof& proof);

/// True when the proof that a bound keeps shows it for this problem: steps as it says, or more.
bool check_bound(const Problem& problem, const LowerBound& bound);

}  // namespace unknot
