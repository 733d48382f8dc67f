// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/multicast/multicast_verdict.hpp"

namespace unknot {

/// A channel of the network on one virtual lane: a vertex of the channel dependency graph.
struct LaneChannel {
  ChannelId channel;
  std::uint8_t lane = 0;
  bool operator==(const LaneChannel&) const = default;
};

/// One arc of a deadlock cycle and a flow that makes it: packets of `source` to `destination` hold `from` and
/// wait for the next dependency's `from`.
struct WitnessStep {
  LaneChannel from;
  TerminalId source, destination;
  std::uint32_t address = 0;  ///< of the destination: 0 the lowest, 1 the next (Routing::further)
  std::uint16_t group = 0;    ///< LID of the multicast group they go to, without a destination then; else 0
};

/// A shortest cycle of the channel dependency graph: step i waits for step i+1, the last for the first.
struct Witness {
  std::vector<WitnessStep> steps;
};

/// What is wrong with one pair, for messages.
struct Finding {
  enum class Kind : std::uint8_t { unreachable, stray_port, loop, missing_service_level, dropped_lane } kind;
  TerminalId source, destination;
  RouterId at;                ///< router where it shows
  std::uint32_t address = 0;  ///< as in WitnessStep
  std::uint8_t lane = 0;      ///< of a dropped_lane: the one the packet would travel on
  std::uint8_t lanes = 0;     ///< of a dropped_lane: lanes 0 to this - 1 carry data
  bool at_source = false;     ///< dropped_lane by the adapter of the source, which sends it no further
};

/// Topological number of each channel and lane that the routing uses; kUnused for the others. Every
/// dependency goes from a smaller to a larger number; under bubble flow control it may also stay on one
/// number within one directed ring (ring_rule.hpp).
struct Certificate {
  static constexpr std::uint32_t kUnused = 0xFFFFFFFFU;
  std::uint64_t network_fingerprint = 0;
  std::uint32_t lanes = 0;
  std::vector<std::uint32_t> number;  ///< lane * channel_count + channel
};

struct VerifyOptions {
  std::uint32_t threads = 0;
  bool certificate = false;        ///< fill Verdict::certificate when deadlock-free
  std::uint32_t max_findings = 8;  ///< how many Findings to keep
};

/// What the checker found, over all ordered pairs of distinct terminals, once for each address.
struct Verdict {
  std::uint32_t addresses = 1;         ///< tables that were looked at: 1 + Routing::further
  std::uint64_t pairs = 0;             ///< terminals * (terminals - 1) * addresses
  std::uint64_t unroutable_pairs = 0;  ///< no entry, a stray port, a loop, or no usable lane on the way,
                                       ///< the cables of both terminals included
  std::uint64_t looping_pairs = 0;     ///< part of the above
  std::uint64_t laneless_pairs = 0;    ///< part of unroutable: led there, but by a lane that carries no data
  std::uint32_t lanes_wanted = 0;      ///< 1 + the highest lane that one of these would travel on
  std::uint64_t longer_pairs = 0;      ///< delivered by more hops than the shortest path has
  std::uint32_t lanes_used =
      0;  ///< distinct lanes that carry some channel hop; 0 when no path leaves its router
  std::uint32_t max_hops = 0;                       ///< channels between routers on a path
  std::uint64_t total_hops = 0;                     ///< over delivered pairs
  std::uint64_t dependencies = 0;                   ///< arcs of the channel dependency graph, all lanes
  FlowControl flow_control = FlowControl::credits;  ///< that deadlock_free is about
  bool deadlock_free = false;
  std::optional<Witness> witness;  ///< where not deadlock-free
  std::optional<Certificate> certificate;
  std::vector<Finding> findings;
  std::optional<MulticastVerdict> multicast;  ///< where the routing has groups

  [[nodiscard]] bool complete() const { return unroutable_pairs == 0; }
  [[nodiscard]] bool loop_free() const { return looping_pairs == 0; }
  /// Every pair is delivered, without loops, once where it is of a multicast group, and no deadlock is
  /// possible.
  [[nodiscard]] bool usable() const {
    return complete() && loop_free() && deadlock_free && (!multicast || multicast->complete());
  }
  [[nodiscard]] bool minimal() const { return complete() && longer_pairs == 0; }
  [[nodiscard]] double mean_hops() const {
    const std::uint64_t delivered = pairs - unroutable_pairs;
    return delivered == 0 ? 0 : static_cast<double>(total_hops) / static_cast<double>(delivered);
  }
};

/// Checks a routing, by whomever it was made: delivery of every pair, loops, shortest paths, and for each
/// lane whether the channel dependency graph has a cycle (acyclic is sufficient for deadlock freedom:
/// Dally and Seitz 1987), cycles within one directed ring aside under bubble flow control. Shares no code
/// with any engine. Time O(routers * terminals) where the lane depends on the path alone; O(pairs * hops)
/// where SL-to-VL tables look at ports or routes are the sources'; for each of the tables where terminals
/// have several addresses, all of which are in force together. Multicast groups are in force with them
/// (walk_multicast()). The same verdict at any number of threads.
Verdict verify(const Network& network, const Routing& routing, const VerifyOptions& options,
               Progress& progress);

/// True when every dependency of the routing goes from a smaller to a larger number of the certificate: a
/// proof of deadlock freedom that needs no search. `why` (optional) gets one sentence when it does not
/// hold. Linear time.
bool check_certificate(const Network& network, const Routing& routing, const Certificate& certificate,
                       std::string* why);

/// Lines of text for people: each held channel by name, the flow that holds it and the channel it waits for.
std::string describe(const Network& network, const Witness& witness);
std::string describe(const Network& network, const Finding& finding);

}  // namespace unknot
