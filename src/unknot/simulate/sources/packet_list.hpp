// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/core/source.hpp"

// Packets given one by one. As text a line "cycle source destination [flits]" for each, by terminal numbers
// or names; empty lines and what follows a # are skipped.
namespace unknot::simulate {

struct ListedPacket {
  std::uint64_t created = 0;  ///< cycle
  std::uint32_t source = 0, destination = 0;
  std::uint32_t flits = 0;  ///< 0: the packets' usual length
};

/// InputError with file and line for anything else, an absent terminal, more than 255 flits, no packet at
/// all. A terminal may send to itself. O(packets).
std::vector<ListedPacket> parse_packets(const Network& network, std::string_view text,
                                        const std::string& file);

/// Sends them; each terminal in order of creation, of equal cycles in the order of the list.
class PacketListSource final : public Source {
 public:
  PacketListSource(std::vector<ListedPacket> packets, std::uint32_t terminals, std::uint32_t packet_flits);
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return longest_; }
  [[nodiscard]] bool terminals_apart() const override { return true; }

 private:
  std::vector<ListedPacket> packets_;  // by source
  std::vector<std::uint32_t> next_, end_;
  std::uint32_t packet_flits_;
  std::uint32_t longest_ = 1;
};

}  // namespace unknot::simulate
