// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// What proves a routing relation deadlock-free.
enum class AdaptiveMethod : std::uint8_t {
  none,
  /// The dependency graph over all choices has no cycle. Enough for any switch, whatever a waiting packet is
  /// committed to (Dally and Seitz 1987).
  acyclic,
  /// Channels can be numbered so that each packet that may stand at the head of one always has a choice with
  /// a larger number, and packets without a choice of their own only larger ones: those choices are an escape
  /// subnetwork (Duato 1996, for virtual cut-through and store-and-forward: a packet lies in one buffer, and
  /// one that waits may still take any of its choices).
  escape,
};

/// Packets of one level and kind.
struct PacketClass {
  std::uint8_t level = 0;
  bool adaptive = false;
  bool operator==(const PacketClass&) const = default;
};

/// What an adaptive routing does to some packets that it does not deliver.
struct AdaptiveFinding {
  enum class Kind : std::uint8_t {
    no_route,
    stray_port,
    empty_group,
    dropped_lane,
    loop,  ///< choices can be made so that the packet comes back, time and again
  } kind = Kind::no_route;
  TerminalId destination;
  PacketClass packets;
  RouterId at;                 ///< router where it shows; of a loop, the first
  std::vector<RouterId> loop;  ///< routers of the loop in order, without `at` again; else empty
  bool at_source = false;      ///< dropped_lane: by the adapter of a terminal of `at`
};

/// A packet that stands at the head of a buffer, with all that it may wait for.
struct BlockedPacket {
  LaneChannel holds;
  TerminalId source, destination;
  PacketClass packets;
  ChoiceKind choice = ChoiceKind::fixed;  ///< what the router does with it; fixed for packets of that kind
  std::vector<LaneChannel> waits_for;     ///< all of its choices, or where it is committed the one
};

struct AdaptiveVerifyOptions {
  std::uint32_t threads = 0;
  bool certificate = false;
  /// A packet that waits is committed to one of its choices: acyclic alone counts.
  bool committed = false;
  std::uint32_t max_findings = 8;
};

struct AdaptiveVerdict {
  std::uint64_t lost_destinations = 0;     ///< some choices of some packets lose them on the way
  std::uint64_t looping_destinations = 0;  ///< some choices never end
  /// Every packet arrives, whatever choices are made.
  [[nodiscard]] bool delivers() const { return lost_destinations == 0 && looping_destinations == 0; }
  /// Most channels between routers on any way, and on a shortest path of the same packets. Where it does not
  /// deliver, the first is of no use.
  std::uint32_t max_hops = 0, max_distance = 0;
  bool minimal = false;  ///< it delivers, and each way is a shortest path

  AdaptiveMethod method = AdaptiveMethod::none;
  [[nodiscard]] bool deadlock_free() const { return method != AdaptiveMethod::none; }
  bool committed = false;          ///< asked for
  std::uint32_t lanes_used = 0;    ///< distinct lanes of channels between routers
  std::uint64_t dependencies = 0;  ///< arcs of the dependency graph over all choices
  std::uint64_t classes = 0;       ///< groups of destinations that all routers treat alike
  std::uint32_t most_choices = 0;  ///< channels in the widest group that some router offers

  /// Where not deadlock-free: a set of buffers none of which can ever be emptied once they are full of these
  /// packets, as each packet waits for buffers of the set alone. With `committed`, and where packets have no
  /// choice, a cycle. A configuration, not a run: that traffic can fill the buffers so is not said.
  std::vector<BlockedPacket> witness;
  std::optional<Certificate> certificate;
  std::vector<AdaptiveFinding> findings;
};

/// Checks a routing relation, by whomever it was made. Shares no code with what makes relations.
///
/// Packets of every terminal go to every other, on each level of the relation's masks (or the pair's own) and
/// of each kind that the level has; only what they can reach counts. Delivery: no choice loses a packet, and
/// none goes on for ever. Deadlock: acyclic over all choices where that is so, else the greatest set of
/// buffers that can block each other for ever is looked for, from which escape follows exactly: no set, no
/// deadlock; a set is the witness. Exact for buffers of whole packets (virtual cut-through,
/// store-and-forward), up to the question whether traffic can fill the set; sufficient for wormhole switching
/// where acyclic.
///
/// O(routers * terminals) to find destinations that all routers treat alike, then O(arcs * classes / 64),
/// where classes count those. Memory: what the blocks of 512 classes need, channels * lanes * 64 bytes a
/// thread; for escape, channels * lanes * classes / 8 bytes. The same verdict at any number of threads.
AdaptiveVerdict verify_adaptive(const Network& network, const AdaptiveRouting& routing,
                                const AdaptiveVerifyOptions& options, Progress& progress);

/// True when the numbers prove the relation deadlock-free: for each reachable packet at the head of a channel
/// all choices have larger numbers where it is fixed or hashed (with `committed`: always), else at least one.
/// Needs no search: each destination's states are walked once. `why` (optional) gets one sentence when it
/// does not hold.
bool check_adaptive_certificate(const Network& network, const AdaptiveRouting& routing,
                                const Certificate& certificate, bool committed, std::uint32_t threads,
                                std::string* why);

/// Lines of text for people.
std::string describe(const Network& network, const BlockedPacket& packet);
std::string describe(const Network& network, const AdaptiveFinding& finding);

}  // namespace unknot
