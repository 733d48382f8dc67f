// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/path_sets.hpp"

#include <algorithm>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kChannelsAtOnce = 256;
constexpr std::uint32_t kRoutersAtOnce = 256;

}  // namespace

PathSets::PathSets(const Network& network, std::uint32_t threads)
    : network_(network),
      reach_(network, threads),
      words_((reach_.words() + kLine - 1) / kLine * kLine),
      index_(network.router_count(), kNone) {
  for (std::uint32_t d = 0; d < destinations().size(); ++d) index_[destinations()[d].value] = d;
  towards_.resize(std::size_t{network.channel_count()} * words_);
  parallel_blocks(network.channel_count(), kChannelsAtOnce, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t c = begin; c < end; ++c) {
                      Word* const row = towards_.data() + std::size_t{c} * words_;
                      reach_.candidates(network_, ChannelId(c), row);
                      std::fill(row + reach_.words(), row + words_, Word{0});
                    }
                  });
  at_.resize(std::size_t{blocks()} * levels() * network.router_count());
  parallel_blocks(network.router_count(), kRoutersAtOnce, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t hops = 0; hops < levels(); ++hops) {
                      for (std::uint32_t r = begin; r < end; ++r) {
                        const Word* const row = reach_.at(hops, RouterId(r));
                        for (std::uint32_t b = 0; b < blocks(); ++b)
                          at_[(std::size_t{b} * levels() + hops) * network_.router_count() + r] = row[b];
                      }
                    }
                  });
}

}  // namespace unknot
