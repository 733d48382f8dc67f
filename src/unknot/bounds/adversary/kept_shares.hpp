// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// How often the packets of a pair take a channel, in the mean.
struct ChannelShare {
  ChannelId channel;
  double share;
};

/// Shares that are given pair by pair, and kept: 16 bytes for each channel of a pair, 40 while they are
/// given.
class KeptShares final : public ChannelShares {
 public:
  /// Most channels of all pairs together.
  static constexpr std::size_t kMost = 50'000'000;

  KeptShares(const Network& network, std::vector<Group> sources, std::vector<Group> destinations);

  /// Each pair of groups once at most, and in it each channel once. InputError beyond kMost.
  void add(std::uint32_t source, std::uint32_t destination, std::span<const ChannelShare> shares);
  /// To be called after the last pair, before anything is asked.
  void finish();

  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override;
  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override;

 private:
  struct Given {
    ChannelId channel;
    TransportEdge edge;
  };
  std::vector<Given> given_;          // until finish()
  std::vector<std::size_t> first_;    // by channel, and one more
  std::vector<TransportEdge> edges_;  // by channel
};

}  // namespace unknot
