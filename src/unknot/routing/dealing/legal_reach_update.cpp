// SPDX-License-Identifier: Apache-2.0
// What of the reach follows from a change of the network: ways down from the bottom, ways up from the top,
// and of each row the words alone that something nearer the destinations has changed.
#include <algorithm>
#include <array>
#include <bit>

#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;
constexpr std::uint32_t kNotSaved = 0xFFFFFFFFU;

}  // namespace

struct LegalReach::Update {
  /// Words of rows that are to be looked at again.
  class WordsToDo {
   public:
    WordsToDo(std::uint32_t routers, std::uint32_t words)
        : stride_((words + 63) / 64), words_(words), at_(std::size_t{routers} * stride_, 0) {}
    void add(std::uint32_t router, std::uint32_t word) {
      at_[router * stride_ + word / 64] |= std::uint64_t{1} << word % 64;
    }
    void add_all(std::uint32_t router) {
      for (std::uint32_t w = 0; w < words_; ++w) add(router, w);
    }
    template <class Visit>
    void for_each(std::uint32_t router, const Visit& visit) const {
      for (std::size_t i = 0; i < stride_; ++i) {
        for (std::uint64_t left = at_[router * stride_ + i]; left != 0; left &= left - 1)
          visit(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }

   private:
    std::size_t stride_;
    std::uint32_t words_;
    std::vector<std::uint64_t> at_;
  };

  Update(const LiveNetwork& changed, std::uint32_t words)
      : network(changed),
        own(words, 0),
        down(changed.router_count(), words),
        up(changed.router_count(), words),
        saved(std::size_t{changed.router_count()} * words, kNotSaved) {}

  const LiveNetwork& network;
  std::vector<std::uint32_t> own;  // by router: index as a destination, and one; 0: none
  WordsToDo down, up;
  std::vector<std::uint32_t> saved;  // by router and word: where its old hops are
  std::vector<Word> old;             // by hops; then the destinations that it went down to
  std::vector<std::uint32_t> above;  // of the router in hand
  bool loses_only = false;           // no way becomes shorter
  bool deeper = false;
};

bool LegalReach::update(const LiveNetwork& network, const UpDownOrder& order,
                        std::span<const RouterId> touched, bool loses_only, std::vector<Change>& changes) {
  Update update(network, words_);
  update.own.assign(routers_, 0);
  for (std::uint32_t d = 0; d < destinations_.size(); ++d) {
    if (network.alive(destinations_[d])) update.own[destinations_[d].value] = d + 1;
  }
  update.loses_only = loses_only;
  std::uint64_t missing = missing_;  // while the same destinations live
  for (const RouterId r : touched) {
    update.down.add_all(r.value);
    update.up.add_all(r.value);
  }
  for (std::size_t i = order.top_down.size(); i-- > 0;) {
    const std::uint32_t r = order.top_down[i];
    update.down.for_each(r, [&](std::uint32_t w) { find_down_again(update, r, w); });
  }
  for (const std::uint32_t r : order.top_down) {
    update.up.for_each(r, [&](std::uint32_t w) {
      find_up_again(update, r, w);
      const std::uint32_t saved = update.saved[std::size_t{r} * words_ + w];
      if (saved == kNotSaved) return;
      Word bits = 0;
      Word reached = 0;
      for (std::uint32_t hops = 0; hops < levels_; ++hops) {
        const Word now = at_[row(hops, r) + w];
        bits |= now ^ update.old[saved + hops];
        reached |= now;
        if (now != 0) any_[std::size_t{hops} * routers_ + r] = 1;
      }
      Word& reached_before = reached_[row(0, r) + w];
      const std::uint64_t own = network.terminals_at(RouterId(r)).size();
      missing += own * terminals_of(network, w, reached_before & ~reached & living_[w]);
      missing -= own * terminals_of(network, w, reached & ~reached_before & living_[w]);
      reached_before = reached;
      const Word all = bits | (below_[row(0, r) + w] ^ update.old[saved + levels_]);
      if (all != 0) changes.push_back({RouterId(r), w, all});
      if (bits == 0) return;
      const bool worse = offers_less(update, r, w);
      for (const ChannelId c : network.network().in(RouterId(r))) {
        const std::uint32_t from = network.source(c).value;
        if (network.alive(c) && up_[c.value] != 0 && (worse || offers_more(r, from, w)))
          update.up.add(from, w);
      }
    });
  }
  if (update.deeper) return false;
  if (living(network) == living_) {
    missing_ = missing;
  } else {
    count_missing(network);
  }
  return true;
}

/// Leaves in the row what lies below alone.
void LegalReach::find_down_again(Update& update, std::uint32_t router, std::uint32_t word) {
  const LiveNetwork& network = update.network;
  update.saved[std::size_t{router} * words_ + word] = static_cast<std::uint32_t>(update.old.size());
  for (std::uint32_t hops = 0; hops < levels_; ++hops) update.old.push_back(at_[row(hops, router) + word]);
  Word& below = below_[row(0, router) + word];
  const Word old_below = below;
  update.old.push_back(old_below);
  const std::uint32_t own = update.own[router];
  Word reached = own != 0 && (own - 1) / kWordBits == word ? Word{1} << (own - 1) % kWordBits : 0;
  Word changed = (at_[row(0, router) + word] & old_below) ^ reached;
  at_[row(0, router) + word] = reached;
  for (std::uint32_t hops = 1; hops <= levels_; ++hops) {
    Word found = 0;
    for (const ChannelId c : network.out(RouterId(router))) {
      if (up_[c.value] != 0) continue;
      const std::uint32_t to = network.target(c).value;
      found |= at_[row(hops - 1, to) + word] & below_[row(0, to) + word];
    }
    const Word fresh = found & ~reached;
    if (hops == levels_) {
      update.deeper = update.deeper || fresh != 0;
      break;
    }
    Word& at = at_[row(hops, router) + word];
    changed |= (at & old_below) ^ fresh;
    at = fresh;
    reached |= fresh;
  }
  below = reached;
  update.up.add(router, word);
  if (changed == 0) return;
  for (const ChannelId c : network.network().in(RouterId(router))) {
    if (network.alive(c) && up_[c.value] == 0) update.down.add(network.source(c).value, word);
  }
}

void LegalReach::find_up_again(Update& update, std::uint32_t router, std::uint32_t word) {
  const LiveNetwork& network = update.network;
  std::uint32_t& saved = update.saved[std::size_t{router} * words_ + word];
  const Word below = below_[row(0, router) + word];
  const auto keep_old = [&] {
    if (saved != kNotSaved) return;
    saved = static_cast<std::uint32_t>(update.old.size());
    for (std::uint32_t hops = 0; hops < levels_; ++hops) update.old.push_back(at_[row(hops, router) + word]);
    update.old.push_back(below);
  };
  if (update.loses_only && saved == kNotSaved && has_all(network, router, word)) return;
  update.above.clear();
  for (const ChannelId c : network.out(RouterId(router))) {
    if (up_[c.value] != 0) update.above.push_back(network.target(c).value);
  }
  Word reached = below;
  for (std::uint32_t hops = 1; hops <= levels_; ++hops) {
    Word found = 0;
    for (const std::uint32_t to : update.above) found |= at_[row(hops - 1, to) + word];
    const Word fresh = found & ~reached;
    if (hops == levels_) {
      update.deeper = update.deeper || fresh != 0;
      break;
    }
    reached |= fresh;
    Word& at = at_[row(hops, router) + word];
    const Word now = (at & below) | fresh;
    if (now == at) continue;
    keep_old();
    at = now;
  }
}

/// Whether ways of this router have become longer, or have gone.
bool LegalReach::offers_less(const Update& update, std::uint32_t router, std::uint32_t word) const {
  const std::uint32_t saved = update.saved[std::size_t{router} * words_ + word];
  Word old = 0;
  Word now = 0;
  for (std::uint32_t hops = 0; hops < levels_; ++hops) {
    old |= update.old[saved + hops];
    now |= at_[row(hops, router) + word];
    if ((old & ~now) != 0) return true;
  }
  return false;
}

/// Whether `router` has a way up by `above` that is shorter than all it had.
bool LegalReach::offers_more(std::uint32_t above, std::uint32_t router, std::uint32_t word) const {
  Word has = below_[row(0, router) + word] | at_[row(0, router) + word];
  for (std::uint32_t hops = 1; hops <= levels_; ++hops) {
    if (hops < levels_) has |= at_[row(hops, router) + word];
    if ((at_[row(hops - 1, above) + word] & ~has) != 0) return true;
  }
  return false;
}

/// Whether routers above still offer all that they did: a few of them do, mostly.
bool LegalReach::has_all(const LiveNetwork& network, std::uint32_t router, std::uint32_t word) const {
  const Word below = below_[row(0, router) + word];
  const std::span<const ChannelId> out = network.out(RouterId(router));
  for (std::uint32_t hops = 1; hops < levels_; ++hops) {
    Word left = at_[row(hops, router) + word] & ~below;
    for (std::size_t i = 0; left != 0 && i < out.size(); ++i) {
      if (up_[out[i].value] != 0) left &= ~at_[row(hops - 1, network.target(out[i]).value) + word];
    }
    if (left != 0) return false;
  }
  return true;
}

void LegalReach::ports_towards(const LiveNetwork& network, RouterId router, std::uint32_t destination,
                               std::span<Word> ports) const {
  std::fill(ports.begin(), ports.end(), 0);
  const std::uint32_t word = destination / kWordBits;
  const Word bit = Word{1} << destination % kWordBits;
  const bool up = (below_[row(0, router.value) + word] & bit) == 0;
  std::uint32_t hops = 1;
  while (hops < levels_ && (at_[row(hops, router.value) + word] & bit) == 0) ++hops;
  if (hops == levels_) return;
  const std::uint32_t first = network.network().out(router).first();
  for (const ChannelId c : network.out(router)) {
    const std::uint32_t to = network.target(c).value;
    if ((up_[c.value] != 0) != up || (at_[row(hops - 1, to) + word] & bit) == 0) continue;
    if (!up && (below_[row(0, to) + word] & bit) == 0) continue;
    const std::uint32_t port = c.value - first;
    ports[port / kWordBits] |= Word{1} << port % kWordBits;
  }
}

void LegalReach::ports_towards_word(const LiveNetwork& network, RouterId router, std::uint32_t word,
                                    std::span<Word> ports) const {
  const std::span<const ChannelId> out = network.out(router);
  const std::size_t set_words = ports.size() / kWordBits;
  const Word below = below_[row(0, router.value) + word];
  std::array<Word, kWordBits> block;
  for (std::size_t s = 0; s < set_words; ++s) {
    block.fill(0);
    for (const ChannelId c : out) {
      const std::uint32_t port = network.position(c);
      if (port / kWordBits != s) continue;
      const std::uint32_t to = network.target(c).value;
      Word found = 0;
      for (std::uint32_t hops = 1; hops < levels_; ++hops)
        found |= at_[row(hops, router.value) + word] & at_[row(hops - 1, to) + word];
      block[port % kWordBits] = found & (up_[c.value] != 0 ? ~below : below_[row(0, to) + word]);
    }
    transpose(block);
    for (std::size_t d = 0; d < kWordBits; ++d) ports[d * set_words + s] = block[d];
  }
}

}  // namespace unknot
