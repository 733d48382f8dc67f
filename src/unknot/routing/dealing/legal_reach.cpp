// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/legal_reach.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "unknot/routing/dealing/shorter_way.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kRoutersAtOnce = 64;

}  // namespace

LegalReach::LegalReach(const LiveNetwork& network, std::uint32_t threads)
    : routers_(network.router_count()), up_(network.channel_count(), 0) {
  list_destinations(network);
  find_down(network, threads);
  count_missing(network);
}

LegalReach::LegalReach(const LiveNetwork& network, const UpDownOrder& order, Rule rule, std::uint32_t threads)
    : routers_(network.router_count()), up_(order.channels_up(network.network())) {
  list_destinations(network);
  find_down(network, threads);
  if (rule == Rule::down_first) {
    find_up(network, threads);
  } else {
    decide_from_the_top(network, order, threads);
  }
  count_missing(network);
}

void LegalReach::list_destinations(const LiveNetwork& network) {
  destinations_ = network.network().endpoint_routers();
  words_ = (static_cast<std::uint32_t>(destinations_.size()) + kWordBits - 1) / kWordBits;
}

void LegalReach::find_down(const LiveNetwork& network, std::uint32_t threads) {
  add_level();
  for (std::uint32_t d = 0; d < destinations_.size(); ++d) {
    if (!network.alive(destinations_[d])) continue;
    at_[row(0, destinations_[d].value) + d / kWordBits] |= Word{1} << d % kWordBits;
    any_[destinations_[d].value] = 1;
  }
  reached_ = at_;
  std::uint32_t hops = 1;
  while (grow(network, false, hops, threads)) ++hops;
  below_ = reached_;
}

void LegalReach::find_up(const LiveNetwork& network, std::uint32_t threads) {
  // A way up of h hops goes on with one of h - 1, be it up or down: all levels are tried that have rows
  // below.
  for (std::uint32_t hops = 1; hops <= levels_; ++hops) (void)grow(network, true, hops, threads);
}

void LegalReach::decide_from_the_top(const LiveNetwork& network, const UpDownOrder& order,
                                     std::uint32_t threads) {
  ShorterWays ways = shorter_ways(network, order, up_, {words_, levels_, std::move(at_)}, threads);
  levels_ = ways.rows.levels;
  at_ = std::move(ways.rows.at);
  below_ = std::move(ways.goes_down);
  any_.assign(std::size_t{levels_} * routers_, 0);
  std::fill(reached_.begin(), reached_.end(), 0);
  for (std::uint32_t hops = 0; hops < levels_; ++hops) {
    for (std::uint32_t r = 0; r < routers_; ++r) {
      const Word* at = at_.data() + row(hops, r);
      Word* reached = reached_.data() + row(0, r);
      Word all = 0;
      for (std::uint32_t w = 0; w < words_; ++w) {
        reached[w] |= at[w];
        all |= at[w];
      }
      any_[std::size_t{hops} * routers_ + r] = all == 0 ? 0 : 1;
    }
  }
}

void LegalReach::add_level() {
  ++levels_;
  at_.resize(std::size_t{levels_} * routers_ * words_, 0);
  any_.resize(std::size_t{levels_} * routers_, 0);
}

bool LegalReach::grow(const LiveNetwork& network, bool up, std::uint32_t hops, std::uint32_t threads) {
  const std::uint8_t* const nearer = any_.data() + std::size_t{hops - 1} * routers_;
  if (std::none_of(nearer, nearer + routers_, [](std::uint8_t any) { return any != 0; })) return false;
  const bool added = hops == levels_;
  if (added) add_level();
  std::atomic<bool> grown{false};
  parallel_blocks(routers_, kRoutersAtOnce, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    std::vector<Word> found(words_);
                    bool some = false;
                    for (RouterId r(begin); r.value < end; ++r.value) {
                      std::fill(found.begin(), found.end(), 0);
                      for (const ChannelId c : network.out(r)) {
                        const std::uint32_t next = network.target(c).value;
                        if ((up_[c.value] != 0) != up || any_[std::size_t{hops - 1} * routers_ + next] == 0)
                          continue;
                        const Word* from = at_.data() + row(hops - 1, next);
                        for (std::uint32_t w = 0; w < words_; ++w) found[w] |= from[w];
                      }
                      Word* reached = reached_.data() + row(0, r.value);
                      Word* to = at_.data() + row(hops, r.value);
                      Word all = 0;
                      for (std::uint32_t w = 0; w < words_; ++w) {
                        const Word fresh = found[w] & ~reached[w];
                        reached[w] |= fresh;
                        to[w] |= fresh;
                        all |= fresh;
                      }
                      if (all == 0) continue;
                      any_[std::size_t{hops} * routers_ + r.value] = 1;
                      some = true;
                    }
                    if (some) grown.store(true, std::memory_order_relaxed);
                  });
  return grown.load();
}

void LegalReach::candidates(const Network& network, ChannelId out, Word* set) const {
  const std::uint32_t from = network.source(out).value;
  const std::uint32_t to = network.target(out).value;
  // Down only to what goes down itself; up only where there is no way down.
  const bool up = up_[out.value] != 0;
  const Word* below = below_.data() + row(0, up ? from : to);
  const Word flip = up ? ~Word{0} : Word{0};
  std::fill_n(set, words_, 0);
  for (std::uint32_t hops = 1; hops < levels_; ++hops) {
    if (any_[std::size_t{hops} * routers_ + from] == 0 || any_[std::size_t{hops - 1} * routers_ + to] == 0)
      continue;
    const Word* here = at_.data() + row(hops, from);
    const Word* next = at_.data() + row(hops - 1, to);
    for (std::uint32_t w = 0; w < words_; ++w) set[w] |= here[w] & next[w] & (below[w] ^ flip);
  }
}

std::vector<LegalReach::Word> LegalReach::living(const LiveNetwork& network) const {
  std::vector<Word> living(words_, 0);
  for (std::uint32_t d = 0; d < destinations_.size(); ++d)
    living[d / kWordBits] |= Word{network.alive(destinations_[d]) ? 1U : 0U} << d % kWordBits;
  return living;
}

void LegalReach::count_missing(const LiveNetwork& network) {
  living_ = living(network);
  missing_ = 0;
  for (const RouterId source : destinations_) {
    const Word* reached = reached_.data() + row(0, source.value);
    std::uint64_t lost = 0;
    for (std::uint32_t w = 0; w < words_; ++w) lost += terminals_of(network, w, living_[w] & ~reached[w]);
    missing_ += lost * network.terminals_at(source).size();
  }
}

std::uint64_t LegalReach::terminals_of(const LiveNetwork& network, std::uint32_t word, Word bits) const {
  std::uint64_t terminals = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t d = word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(bits));
    terminals += network.terminals_at(destinations_[d]).size();
  }
  return terminals;
}

}  // namespace unknot
