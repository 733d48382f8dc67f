// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/path_sets.hpp"

#include <algorithm>
#include <bit>

#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kChannelsAtOnce = 256;

}  // namespace

PortWords::PortWords(const Network& network) {
  first_.reserve(network.router_count() + std::size_t{1});
  first_.push_back(0);
  for (const RouterId r : network.routers()) {
    first_.push_back(first_.back() +
                     (network.out(r).size() + LegalReach::kWordBits - 1) / LegalReach::kWordBits);
  }
}

PathSets::PathSets(const Network& network, std::uint32_t threads)
    : network_(network),
      reach_(network, threads),
      words_((reach_.words() + kLine - 1) / kLine * kLine),
      index_(network.router_count(), kNone),
      ports_(network) {
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
}

void PathSets::load(std::uint32_t block, DestinationBlock& into) const {
  into.first = block * kWordBits;
  into.count = std::min(kWordBits, static_cast<std::uint32_t>(destinations().size()) - into.first);
  for (std::vector<std::uint32_t>& order : into.order) order.clear();
  into.up_to.resize(reach_.levels());
  for (std::uint32_t hops = 0; hops < reach_.levels(); ++hops) {
    for (std::uint32_t r = 0; hops > 0 && r < network_.router_count(); ++r) {
      for (Word left = reach_.at(hops, RouterId(r))[block]; left != 0; left &= left - 1)
        into.order[static_cast<std::uint32_t>(std::countr_zero(left))].push_back(r);
    }
    for (std::uint32_t d = 0; d < kWordBits; ++d)
      into.up_to[hops][d] = static_cast<std::uint32_t>(into.order[d].size());
  }
}

void PathSets::load_ports(std::uint32_t block, Word* sets) const {
  const std::uint32_t count =
      std::min(kWordBits, static_cast<std::uint32_t>(destinations().size()) - block * kWordBits);
  std::array<Word, kWordBits> bits;
  for (const RouterId r : network_.routers()) {
    const IdRange<ChannelId> out = network_.out(r);
    for (std::uint32_t w = ports_.first(r.value); w < ports_.end(r.value); ++w) {
      const std::uint32_t first = (w - ports_.first(r.value)) * kWordBits;
      for (std::uint32_t i = 0; i < kWordBits; ++i) {
        bits[i] =
            first + i < out.size() ? towards_[std::size_t{out.first() + first + i} * words_ + block] : 0;
      }
      transpose(bits);
      for (std::uint32_t d = 0; d < count; ++d) sets[std::size_t{d} * ports_.size() + w] = bits[d];
    }
  }
}

}  // namespace unknot
