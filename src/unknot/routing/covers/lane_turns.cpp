// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/lane_turns.hpp"

#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kRowsOfTurns = 256;

}  // namespace

LaneTurns::LaneTurns(const Network& network, const std::vector<std::vector<std::uint32_t>>& orders,
                     std::uint32_t threads)
    : lanes_(static_cast<std::uint32_t>(orders.size())),
      first_(first_turns(network)),
      place_(std::size_t{network.channel_count()} * orders.size()) {
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    std::uint32_t place = 0;
    for (const std::uint32_t c : orders[lane]) place_[std::size_t{c} * lanes_ + lane] = place++;
  }
  with_mask_type([&]<class Mask>(Mask) {
    if constexpr (sizeof(Mask) == 1) {
      find(network, narrow_, threads);
    } else {
      find(network, wide_, threads);
    }
  });
}

template <class Mask>
void LaneTurns::find(const Network& network, BulkVector<Mask>& allowed, std::uint32_t threads) const {
  allowed.resize(first_.back());
  parallel_blocks(network.channel_count(), kRowsOfTurns, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t a = begin; a < end; ++a) {
                      const std::uint32_t* const here = place_.data() + std::size_t{a} * lanes_;
                      Mask* turn = allowed.data() + first_[a];
                      for (const ChannelId b : network.out(network.target(ChannelId(a)))) {
                        const std::uint32_t* const next = place_.data() + std::size_t{b.value} * lanes_;
                        std::uint32_t mask = 0;
                        for (std::uint32_t lane = 0; lane < lanes_; ++lane)
                          mask |= (here[lane] < next[lane] ? 1U : 0U) << lane;
                        *turn++ = static_cast<Mask>(mask);
                      }
                    }
                  });
}

}  // namespace unknot
