// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What is wrong with one multicast group, for messages.
struct MulticastFinding {
  enum class Kind : std::uint8_t {
    lost,      ///< a member gets no copy of what another sends
    repeated,  ///< a member gets more than one
    loop,      ///< copies come back to a channel for ever
  } kind;
  std::uint16_t group = 0;  ///< its LID
  TerminalId source;        ///< of a loop: a terminal whose packets come into it
  TerminalId destination;   ///< invalid for a loop
  ChannelId at;             ///< of a loop: a channel of it
};

/// What becomes of the packets of multicast groups. Members of a group are the terminals that its tables lead
/// to, and each of them may send; a pair is a member and another that is to get one copy.
struct MulticastVerdict {
  std::uint32_t groups = 0;
  std::uint64_t pairs = 0;           ///< over the groups: members * (members - 1)
  std::uint64_t lost_pairs = 0;      ///< no copy
  std::uint64_t repeated_pairs = 0;  ///< several
  std::uint32_t looping_groups = 0;  ///< whose pairs are counted as lost
  std::uint64_t dead_ports = 0;      ///< entries that name a port where nothing is plugged in
  std::vector<MulticastFinding> findings;

  [[nodiscard]] bool complete() const {
    return lost_pairs == 0 && repeated_pairs == 0 && looping_groups == 0;
  }
};

/// One line of text for people.
std::string describe(const Network& network, const MulticastFinding& finding);

}  // namespace unknot
