// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

// Packets that are followed through the network, as BookSim2's watch files do it.
namespace unknot::simulate {

/// Packets to follow: those from a terminal to another, or one of them.
struct Watched {
  static constexpr std::uint32_t kAny = 0xFFFFFFFFU;
  static constexpr std::uint64_t kEvery = ~std::uint64_t{0};
  std::uint32_t source = kAny, destination = kAny;
  std::uint64_t number = kEvery;  ///< among all packets that the source sends, in their order, from 0
};
/// Lines "source destination [number]", terminals by number or name, * for any; empty ones and what follows a
/// # are skipped. InputError with file and line for anything else, and where there is none. O(text).
std::vector<Watched> parse_watch(const Network& network, std::string_view text, const std::string& file);

/// The same of "source:destination[:number]", joined by commas. `what` is in front of messages.
std::vector<Watched> parse_watch_list(const Network& network, std::string_view list, const std::string& what);

/// A wish that no packet of a run has met, and what is the nearest to it.
struct Unmet {
  Watched wish;
  std::uint64_t sent = 0;  ///< packets that its source sent; 0 for any source
  /// The first packet between these terminals, where only the number is another.
  std::optional<Watched> first;
};

/// What happens to a packet or a flit.
struct WatchEvent {
  enum class Kind : std::uint8_t {
    created,   ///< the packet, at its terminal
    injected,  ///< a flit leaves the terminal
    buffered,  ///< a flit is in a router's input buffer
    routed,    ///< the head has got an output, and `lanes` of it that it may take
    lane,      ///< the head has got a lane of the output
    crossing,  ///< a flit has won the switch
    sent,      ///< a flit leaves on the channel behind the output
    arrived,   ///< a flit is at the terminal
  };
  static constexpr std::uint32_t kNoPort = 0xFFFFFFFFU;

  std::uint64_t step = 0;
  std::uint64_t number = 0;  ///< of the packet: see Watched
  std::uint32_t source = 0, destination = 0;
  std::uint32_t place = 0;       ///< terminal (created, injected, arrived) or router
  std::uint32_t port = kNoPort;  ///< of Ports: input (buffered) or output (routed, lane, crossing, sent)
  std::uint32_t lanes = 0;       ///< a bit each
  std::uint8_t flit = 0;         ///< of the packet, from 0
  Kind kind = Kind::created;
};
/// "created", "injected", ..., "switch" for crossing.
const char* name_of(WatchEvent::Kind kind);

/// Follows packets through a run: the core says what happens, in any order of time.
class PacketWatch {
 public:
  PacketWatch(std::vector<Watched> wanted, std::uint32_t terminals);

  /// A packet, which the core knows as number `p` until it gives that to another, begins to leave.
  void begin(std::uint32_t p, std::uint32_t source, std::uint32_t destination);
  /// Whether the packet is followed.
  [[nodiscard]] bool follows(std::uint32_t p) const { return p < followed_.size() && followed_[p] != 0; }
  /// Something happens to packet p, if it is followed: all of the event but what names the packet.
  void see(std::uint32_t p, WatchEvent event);

  /// By time; of the same step, those of a packet and flit in the order of the kinds.
  [[nodiscard]] std::vector<WatchEvent> events() const;
  /// After the run, in the order of the wishes.
  [[nodiscard]] std::vector<Unmet> unmet() const;

 private:
  std::vector<Watched> wanted_;
  std::vector<bool> met_;                      // by wish
  std::vector<std::optional<Watched>> first_;  // by wish: between its terminals
  std::vector<std::uint64_t> sent_;            // by terminal: packets
  std::vector<std::uint32_t> followed_;  // by the core's number: index in packets_, and 1; 0: not followed
  struct Packet {
    std::uint64_t number;
    std::uint32_t source, destination;
  };
  std::vector<Packet> packets_;
  std::vector<WatchEvent> events_;
};

}  // namespace unknot::simulate
