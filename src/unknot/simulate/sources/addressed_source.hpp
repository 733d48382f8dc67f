// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/address_choice.hpp"

namespace unknot::simulate {

/// Packets between hosts that have `addresses` addresses each, the terminals host * addresses and those after
/// it. Hosts send from the first. The other source must outlive it.
class AddressedSource final : public Source {
 public:
  AddressedSource(Source& hosts, std::uint32_t count, std::uint32_t addresses, AddressChoice choice,
                  std::uint64_t seed);

  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return hosts_.longest_packet(); }
  [[nodiscard]] bool terminals_apart() const override {
    return hosts_.terminals_apart() && choice_ != AddressChoice::least;
  }
  void arrived(std::uint32_t message, std::uint64_t /*cycle*/) override { --on_the_way_[message]; }
  [[nodiscard]] bool wants_messages() const override { return choice_ == AddressChoice::least; }

  /// Most hosts and addresses that AddressChoice::least takes: a counter for each pair and address.
  static bool fits_least(std::uint64_t hosts, std::uint64_t addresses) {
    return hosts * hosts * addresses <= std::uint64_t{1} << 30U;
  }

 private:
  [[nodiscard]] std::uint32_t rank(std::uint32_t host, std::uint32_t destination);

  Source& hosts_;
  std::uint32_t count_, addresses_;
  AddressChoice choice_;
  std::uint64_t seed_;
  std::vector<TerminalRandom> random_;     // by host
  std::vector<std::uint32_t> turn_;        // by host
  std::vector<std::uint16_t> on_the_way_;  // by host, destination and address: packets
};

}  // namespace unknot::simulate
