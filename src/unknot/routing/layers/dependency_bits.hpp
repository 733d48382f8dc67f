// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Where the bits of a set of dependencies (a, b) lie, b a channel out of a's target: a row of whole words
/// for each channel a, in it one bit for each b. A set of channels has rows of the same shape, one for each
/// router with the channels out of it, so that "dependencies of a whose b is in the set" is an AND of words.
class DependencyBits {
 public:
  static constexpr std::uint32_t kWord = 64;

  explicit DependencyBits(const Network& network) {
    router_word_.reserve(network.router_count() + 1);
    router_word_.push_back(0);
    for (const RouterId r : network.routers()) {
      router_word_.push_back(router_word_.back() + (network.out(r).size() + kWord - 1) / kWord);
    }
    channel_word_.reserve(network.channel_count() + 1);
    channel_word_.push_back(0);
    for (const ChannelId c : network.channels()) {
      channel_word_.push_back(channel_word_.back() + words(network.target(c).value));
    }
  }

  /// Words of a row of the router, or of a channel that ends at it.
  [[nodiscard]] std::uint32_t words(std::uint32_t router) const {
    return router_word_[router + 1] - router_word_[router];
  }
  /// First word of the router's row in a set of channels.
  [[nodiscard]] std::uint32_t router_row(std::uint32_t router) const { return router_word_[router]; }
  /// First word of the channel's row in a set of dependencies.
  [[nodiscard]] std::uint32_t channel_row(std::uint32_t channel) const { return channel_word_[channel]; }
  /// Words of a whole set.
  [[nodiscard]] std::uint32_t channel_set_words() const { return router_word_.back(); }
  [[nodiscard]] std::uint32_t dependency_set_words() const { return channel_word_.back(); }

  /// Word and bit of a dependency; `entry`: position of b among the channels out of a's target.
  [[nodiscard]] std::uint32_t word(std::uint32_t channel, std::uint32_t entry) const {
    return channel_word_[channel] + entry / kWord;
  }
  [[nodiscard]] static std::uint64_t bit(std::uint32_t entry) { return std::uint64_t{1} << (entry % kWord); }

 private:
  std::vector<std::uint32_t> router_word_, channel_word_;
};

}  // namespace unknot
