// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::simulate {

/// Which address of its destination a packet goes to, where hosts have several.
enum class AddressChoice : std::uint8_t {
  random,  ///< any, packet by packet
  turn,    ///< one after the other, by sender
  flow,    ///< always the same for a pair: a hash of both
  least,   ///< that to which the sender has the fewest packets on the way to this destination
  queues,  ///< random, and at the sender's router that with the least in use behind its first output
};

}  // namespace unknot::simulate
