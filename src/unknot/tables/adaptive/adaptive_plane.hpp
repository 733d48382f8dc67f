// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// What a router does with packets that may be routed adaptively; the others take the fixed channel.
enum class ChoiceKind : std::uint8_t {
  fixed,     ///< the fixed channel, for all (LidState "Static")
  adaptive,  ///< any channel of the group, whichever is free: a packet that waits may still take another
             ///< ("Free")
  hashed,    ///< one channel of the group, by a hash that nobody knows: the packet is committed ("HBF")
};

/// What one router does with packets to some destinations. Channels are positions among network.out(router),
/// as in ForwardingTable.
struct Choice {
  static constexpr std::uint16_t kNone = 0xFFFF;   ///< no route
  static constexpr std::uint16_t kStray = 0xFFFD;  ///< a port that leads nowhere, or to another terminal

  ChoiceKind kind = ChoiceKind::fixed;
  std::uint16_t fixed = kNone;  ///< position, kNone or kStray: where packets go that may not be adaptive
  std::uint32_t group = 0;      ///< of AdaptivePlane::group(); means nothing where kind is fixed

  bool operator==(const Choice&) const = default;
};

/// Adaptive forwarding tables of a network: for each router and destination terminal which of the router's
/// choices holds. Choices and groups are numbered by router, each once, so that an entry takes two bytes.
///
/// A group holds channels alone. Who reads a file leaves out ports that are down or lead to a terminal: an
/// adaptive router takes none of them. A packet that finds an empty group is lost.
///
///     AdaptivePlane plane(network);
///     const std::uint32_t group = plane.add_group(r, {0, 1, 2});
///     plane.set(r, t, plane.add_choice(r, {ChoiceKind::adaptive, 1, group}));
///
/// Memory: routers * terminals * 2 bytes, and the choices.
class AdaptivePlane {
 public:
  static constexpr std::uint16_t kNone = 0xFFFF;  ///< entry: nobody has a route
  static constexpr std::uint16_t kHere = 0xFFFE;  ///< entry: the destination is attached to this router

  AdaptivePlane() = default;
  /// All entries kNone, but kHere for each terminal at its router.
  explicit AdaptivePlane(const Network& network);
  /// For those who write every entry, which have no value yet: nothing is written twice.
  static AdaptivePlane unfilled(const Network& network);

  [[nodiscard]] std::uint32_t router_count() const { return static_cast<std::uint32_t>(routers_.size()); }
  [[nodiscard]] std::uint32_t terminal_count() const { return terminals_; }

  /// Of choices(r), or kNone, kHere.
  [[nodiscard]] std::uint16_t entry(RouterId r, TerminalId t) const { return entries_[at(r, t)]; }
  void set(RouterId r, TerminalId t, std::uint16_t entry) { entries_[at(r, t)] = entry; }
  /// One router's table, by terminal. Rows follow each other by router.
  [[nodiscard]] std::span<const std::uint16_t> row(RouterId r) const {
    return {entries_.data() + at(r, TerminalId(0)), terminals_};
  }
  [[nodiscard]] std::span<std::uint16_t> row(RouterId r) {
    return {entries_.data() + at(r, TerminalId(0)), terminals_};
  }

  [[nodiscard]] std::span<const Choice> choices(RouterId r) const { return routers_[r.value].choices; }
  [[nodiscard]] std::uint32_t group_count(RouterId r) const {
    return static_cast<std::uint32_t>(routers_[r.value].groups.size());
  }
  /// Positions among network.out(r), ascending, each once; perhaps none.
  [[nodiscard]] std::span<const std::uint16_t> group(RouterId r, std::uint32_t index) const {
    return routers_[r.value].groups[index];
  }
  /// The group of these positions, in any order; the same number for the same positions. O(log groups).
  std::uint32_t add_group(RouterId r, std::vector<std::uint16_t> positions);
  /// The entry of this choice; the same for the same choice. Its group must have been added. InputError above
  /// 65,533 choices of one router. O(log choices).
  std::uint16_t add_choice(RouterId r, const Choice& choice);

  /// The same ports for every packet, however choices are numbered. O(entries).
  [[nodiscard]] bool same_ports(const AdaptivePlane& other) const;

 private:
  struct RouterChoices {
    std::vector<std::vector<std::uint16_t>> groups;
    std::vector<Choice> choices;
    std::map<std::vector<std::uint16_t>, std::uint32_t> group_of;
    std::map<std::uint64_t, std::uint16_t> entry_of;  // by kind, fixed channel and group in one number
  };
  [[nodiscard]] std::size_t at(RouterId r, TerminalId t) const {
    return static_cast<std::size_t>(r.value) * terminals_ + t.value;
  }
  std::uint32_t terminals_ = 0;
  std::vector<RouterChoices> routers_;
  BulkVector<std::uint16_t> entries_;
};

}  // namespace unknot
