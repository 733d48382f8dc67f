// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unknot {

/// A routing relation over virtual channels (Dally and Seitz 1987; Duato 1995): for a packet at the head of
/// one channel, which channels it may take next, lane included. Routers of networks on chip have such
/// relations, where each packet chooses its lane anew at every hop. Each channel holds flits of one packet at
/// a time.
class ChannelRelation {
 public:
  using Channel = std::uint32_t;
  static constexpr Channel kEntrance = 0xFFFFFFFFU;  ///< where a packet comes in, which holds no channel

  struct VirtualChannel {
    std::uint32_t from = 0, to = 0;
    std::uint32_t lane = 0;
    bool operator==(const VirtualChannel&) const = default;
  };
  /// Packets that the relation treats alike: to one router, of one subnet.
  struct Flow {
    std::uint32_t destination = 0;
    std::uint32_t subnet = 0;
    bool ordered = false;                ///< they must not overtake: one next router at a time
    std::vector<std::uint32_t> sources;  ///< routers, ascending, each once
  };

  virtual ~ChannelRelation() = default;

  [[nodiscard]] std::uint32_t router_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  [[nodiscard]] std::uint32_t channel_count() const { return static_cast<std::uint32_t>(channels_.size()); }
  [[nodiscard]] const VirtualChannel& channel(Channel c) const { return channels_[c]; }
  /// The first channel of a router and the end of them.
  [[nodiscard]] std::pair<Channel, Channel> out(std::uint32_t router) const {
    return {first_[router], first_[router + std::size_t{1}]};
  }
  [[nodiscard]] std::span<const Flow> flows() const { return flows_; }
  [[nodiscard]] std::uint32_t subnet_count() const { return subnets_; }

  /// Whether packets of the flow may go from a channel, or from where they come in, on to the next, which
  /// leaves the router where they are. The same answer each time.
  [[nodiscard]] virtual bool allows(Channel from, Channel next, const Flow& flow) const = 0;
  /// Whether the maker of the relation takes the channel for an escape of the subnet: one of a part of the
  /// relation that is to be free of deadlock for itself.
  [[nodiscard]] virtual bool is_escape(Channel channel, std::uint32_t subnet) const = 0;
  /// Whether packets of `mover` must get on while those of `stalled` do not.
  [[nodiscard]] virtual bool must_move(std::uint32_t mover, std::uint32_t stalled) const = 0;

 protected:
  /// `channels` ascend by the router they leave.
  ChannelRelation(std::uint32_t routers, std::vector<VirtualChannel> channels, std::vector<Flow> flows,
                  std::uint32_t subnets)
      : channels_(std::move(channels)),
        flows_(std::move(flows)),
        subnets_(subnets),
        first_(std::size_t{routers} + 1, 0) {
    for (const VirtualChannel& one : channels_) ++first_[one.from + std::size_t{1}];
    for (std::uint32_t r = 0; r < routers; ++r) first_[r + std::size_t{1}] += first_[r];
  }

 private:
  std::vector<VirtualChannel> channels_;
  std::vector<Flow> flows_;
  std::uint32_t subnets_;
  std::vector<Channel> first_;  // by router, and one more
};

}  // namespace unknot
