// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/verify/adaptive/class_bits.hpp"
#include "unknot/verify/adaptive/packet_ways.hpp"
#include "unknot/verify/adaptive/relation_view.hpp"

namespace unknot {

/// Packets of up to 512 classes, of one level and kind, that may still take another choice while they wait.
struct FreePackets {
  const PacketWays* ways = nullptr;
  const RelationView* view = nullptr;
  std::uint32_t first = 0;         ///< class of bit 0
  std::vector<ClassBits> choices;  ///< by plane * channels + channel
  std::vector<ClassBits> blocked;  ///< by buffer: those that may stand there; find_escape() takes away
};

struct EscapeResult {
  /// By vertex: each packet has a choice with a larger number. kUnused of Certificate for vertices without
  /// packets, and for those of `stuck`.
  std::vector<std::uint32_t> number;
  /// The greatest set of buffers all of which may hold packets that wait for nothing else; empty: there is an
  /// escape.
  std::vector<DependencyGraph::Vertex> stuck;
};

/// The greatest fixed point: a buffer always empties in the end when each packet that may stand at its head
/// is delivered, or has a choice whose buffer always empties, or where it has no choice of its own, when all
/// such do. Buffers are taken away in that order, which is the order of the numbers; what is left is stuck.
/// `all`: dependencies of all packets; `bound`: those of packets without a choice of their own. Vertices are
/// buffers. O(arcs) set operations for each of `free`.
EscapeResult find_escape(const Network& network, const DependencyGraph& all, const DependencyGraph& bound,
                         std::vector<FreePackets>& free);

/// One buffer of a stuck set, and what the packet at its head waits for: which of `free`, and which bit
/// there; kBound: a packet without a choice of its own.
struct StuckBuffer {
  static constexpr std::uint32_t kBound = 0xFFFFFFFFU;
  DependencyGraph::Vertex vertex = 0;
  std::uint32_t free = kBound;
  std::uint32_t bit = 0;
  std::vector<DependencyGraph::Vertex> waits_for;
};
/// A small stuck set within that of `escape`: a shortest cycle of packets that have one channel to go to,
/// where there is any; else the smallest that taking the packet of fewest choices in each buffer gives.
std::vector<StuckBuffer> small_stuck_set(const Network& network, const DependencyGraph& bound,
                                         const std::vector<FreePackets>& free, const EscapeResult& escape);

}  // namespace unknot
