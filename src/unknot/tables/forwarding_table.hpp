// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// Destination-based forwarding: for each router and destination terminal, the channel a packet leaves by.
///
/// Router-major (a row is one router's table, as a switch holds it), one byte an entry, two where a router
/// has more than 252 outgoing channels. An entry is the position of the channel among network.out(router), or
/// one of three marks:
///   here   the destination is attached to this router;
///   none   no route;
///   stray  the port given leads nowhere useful: unconnected, or to another terminal (only tables read from
///   files). Its port is kept aside where it is known: one day something may be plugged in there.
/// Memory: routers * terminals * width, and some for each stray entry with its port.
class ForwardingTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kHere = 0xFFFFFFFEU;
  static constexpr std::uint32_t kStray = 0xFFFFFFFDU;

  /// Marks as stored in an entry of type Entry (std::uint8_t or std::uint16_t).
  template <class Entry>
  static constexpr Entry none = static_cast<Entry>(kNone);
  template <class Entry>
  static constexpr Entry here = static_cast<Entry>(kHere);
  template <class Entry>
  static constexpr Entry stray = static_cast<Entry>(kStray);

  ForwardingTable() = default;
  /// All entries none, but here for each terminal at its router.
  explicit ForwardingTable(const Network& network);
  /// For those who write every entry, which have no value yet: nothing is written twice.
  static ForwardingTable unfilled(const Network& network);

  /// Bytes an entry of the network's table takes: 1 or 2. InputError above 65,533 channels out of one router.
  static std::uint32_t width_for(const Network& network);

  [[nodiscard]] std::uint32_t router_count() const { return routers_; }
  [[nodiscard]] std::uint32_t terminal_count() const { return terminals_; }
  /// Bytes an entry: 1 or 2.
  [[nodiscard]] std::uint32_t width() const { return width_; }

  /// Position among out(router), or kHere, kNone, kStray.
  [[nodiscard]] std::uint32_t get(RouterId r, TerminalId t) const {
    assert(r.value < routers_ && t.value < terminals_);
    const std::size_t at = static_cast<std::size_t>(r.value) * terminals_ + t.value;
    return width_ == 1 ? position_of(bytes_[at]) : position_of(words_[at]);
  }
  /// What get() says of a stored entry.
  template <class Entry>
  static constexpr std::uint32_t position_of(Entry entry) {
    return entry >= stray<Entry> ? entry | ~std::uint32_t{static_cast<Entry>(~Entry{0})} : entry;
  }
  void set(RouterId r, TerminalId t, std::uint32_t position);
  /// A stray entry, and the port it names; 0 where that is not known. O(log of their number).
  void set_stray(RouterId r, TerminalId t, std::uint16_t port);
  /// Port of a stray entry; 0 where nobody has told it (or where it is 0: a router's own, nothing is ever
  /// plugged in there), and for other entries.
  [[nodiscard]] std::uint16_t stray_port(RouterId r, TerminalId t) const;
  /// Calls visit(router, terminal, port) for stray entries with their ports, router by router.
  template <class Visit>
  void for_each_stray_port(const Visit& visit) const {
    for (const auto& [at, port] : stray_ports_) {
      const RouterId r(static_cast<std::uint32_t>(at / terminals_));
      const TerminalId t(static_cast<std::uint32_t>(at % terminals_));
      if (get(r, t) == kStray) visit(r, t, port);
    }
  }

  /// Channel a packet for `t` leaves `r` by; invalid for here, none and stray.
  [[nodiscard]] ChannelId next(const Network& network, RouterId r, TerminalId t) const {
    const std::uint32_t position = get(r, t);
    return position >= kStray ? ChannelId() : network.out(r)[position];
  }

  /// visit(std::uint8_t{}) or visit(std::uint16_t{}): code that is made for both types of entries goes on
  /// with that of this table.
  template <class Visit>
  decltype(auto) with_entry_type(const Visit& visit) const {
    return width_ == 1 ? visit(std::uint8_t{}) : visit(std::uint16_t{});
  }
  /// All entries; Entry must be the type of width() bytes.
  template <class Entry>
  [[nodiscard]] std::span<Entry> entries() {
    assert(sizeof(Entry) == width_);
    if constexpr (sizeof(Entry) == 1) {
      return bytes_;
    } else {
      return words_;
    }
  }
  template <class Entry>
  [[nodiscard]] std::span<const Entry> entries() const {
    assert(sizeof(Entry) == width_);
    if constexpr (sizeof(Entry) == 1) {
      return bytes_;
    } else {
      return words_;
    }
  }
  /// The same as bytes, in the machine's order.
  [[nodiscard]] std::span<std::uint8_t> bytes() {
    if (width_ == 1) return bytes_;
    return {reinterpret_cast<std::uint8_t*>(words_.data()), 2 * words_.size()};  // bytes may look at anything
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    if (width_ == 1) return bytes_;
    return {reinterpret_cast<const std::uint8_t*>(words_.data()), 2 * words_.size()};
  }

  /// Ports of stray entries do not count: packets cannot tell.
  bool operator==(const ForwardingTable& other) const {
    return routers_ == other.routers_ && terminals_ == other.terminals_ && bytes_ == other.bytes_ &&
           words_ == other.words_;
  }

 private:
  std::uint32_t routers_ = 0;
  std::uint32_t terminals_ = 0;
  std::uint32_t width_ = 1;
  BulkVector<std::uint8_t> bytes_;                      // of entries of one byte
  BulkVector<std::uint16_t> words_;                     // of entries of two
  std::map<std::uint64_t, std::uint16_t> stray_ports_;  // by router * terminals + terminal
};

}  // namespace unknot
