// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/messages/message_classes.hpp"

namespace unknot {

/// The buffers of one virtual network, numbered: what each terminal has to send, what each has received, and
/// what each channel holds on each lane.
class MessageBuffers {
 public:
  explicit MessageBuffers(const Network& network)
      : terminals_(network.terminal_count()), channels_(network.channel_count()) {}

  [[nodiscard]] std::uint32_t send(TerminalId t) const { return t.value; }
  [[nodiscard]] std::uint32_t receive(TerminalId t) const { return terminals_ + t.value; }
  [[nodiscard]] std::uint32_t channel(ChannelId c, std::uint8_t lane) const {
    return 2 * terminals_ + lane * channels_ + c.value;
  }
  [[nodiscard]] std::uint64_t count(std::uint32_t lanes) const {
    return 2 * std::uint64_t{terminals_} + std::uint64_t{lanes} * channels_;
  }
  [[nodiscard]] bool is_send(std::uint32_t buffer) const { return buffer < terminals_; }
  [[nodiscard]] bool is_receive(std::uint32_t buffer) const {
    return buffer >= terminals_ && buffer < 2 * terminals_;
  }
  [[nodiscard]] TerminalId terminal(std::uint32_t buffer) const {
    return TerminalId(is_send(buffer) ? buffer : buffer - terminals_);
  }
  [[nodiscard]] ChannelId channel_of(std::uint32_t buffer) const {
    return ChannelId((buffer - 2 * terminals_) % channels_);
  }
  [[nodiscard]] std::uint8_t lane_of(std::uint32_t buffer) const {
    return static_cast<std::uint8_t>((buffer - 2 * terminals_) / channels_);
  }

 private:
  std::uint32_t terminals_;
  std::uint32_t channels_;
};

/// Which buffer packets of one class hold and which they wait for then, within its virtual network.
struct MessageFlows {
  using Waits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Waits waits;              ///< of MessageBuffers; ascending, none twice
  std::uint32_t lanes = 1;  ///< 1 + the highest lane that they travel on
};

/// Of the packets of all senders to all receivers of the class by all addresses, each as far as it gets. A
/// packet waits in the send queue of its source for the first channel, or beside its destination for the
/// receive queue there; from the last channel it waits for the receive queue too. O(routers) for each
/// destination where the terminals of a router send alike and SL-to-VL tables do not look at ports,
/// O(terminals * hops) elsewhere. InputError where numbers of buffers do not fit 32 bits.
MessageFlows message_flows(const Network& network, const Routing& routing, const MessageClass& message_class,
                           Progress& progress);

}  // namespace unknot
