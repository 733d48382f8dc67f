// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/route_broadcasts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace unknot {
namespace {

constexpr std::uint64_t kHeld = std::uint64_t{1} << 40U;  ///< more than any other price

}  // namespace

RouteBroadcasts::RouteBroadcasts(const Problem& problem)
    : problem_(&problem), resources_(problem), words_((problem.groups() + 63) / 64) {
  const std::vector<Role> roles = problem.roles();
  std::vector<std::uint32_t> end(roles.size(), kNone);
  for (const NodeId n : problem.graph->nodes()) {
    if (roles[n.value] == Role::switch_only) continue;
    end[n.value] = static_cast<std::uint32_t>(node_.size());
    node_.push_back(n);
  }
  const auto ends = static_cast<std::uint32_t>(node_.size());
  first_has_.assign(std::size_t{ends} * words_, 0);
  first_lacks_ = first_has_;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const Word bit = Word{1} << g % 64;
    row(first_has_, end[problem.owner[g].value])[g / 64] |= bit;
    for (const NodeId n : problem.partners(g)) row(first_lacks_, end[n.value])[g / 64] |= bit;
  }
  for (std::uint32_t r = 0; r < resources_.count(); ++r)
    slot_.push_back(slot_.back() + resources_.capacity(r));
  taker_.assign(slot_.back(), kNone);
  tour_.assign(ends, kNone);
  option_first_.push_back(0);
  for (std::uint32_t to = 0; to < ends; ++to) {
    const Word* const lacks = row(first_lacks_, to);
    const bool receives = std::any_of(lacks, lacks + words_, [](Word w) { return w != 0; });
    for (std::uint32_t from = 0; receives && from < ends; ++from) {
      const auto first = static_cast<std::uint32_t>(taken_.size());
      if (from == to || !resources_.add_taken(node_[from], node_[to], taken_)) continue;
      options_.push_back({from, first, static_cast<std::uint32_t>(taken_.size()) - first});
    }
    std::stable_sort(options_.begin() + option_first_.back(), options_.end(),
                     [](const Option& a, const Option& b) { return a.count < b.count; });
    option_first_.push_back(static_cast<std::uint32_t>(options_.size()));
  }
  weight_.assign(ends, 1);
}

bool RouteBroadcasts::is_free(const Option& option) const {
  const auto all = taken(option);
  return std::all_of(all.begin(), all.end(), [&](std::uint32_t r) {
    return std::any_of(taker_.begin() + slot_[r], taker_.begin() + slot_[r + 1],
                       [](std::uint32_t who) { return who == kNone; });
  });
}

bool RouteBroadcasts::useful(std::uint32_t sender, std::uint32_t receiver) {
  const Word *const has = row(has_, sender), *const lacks = row(lacks_, receiver);
  for (std::uint32_t w = 0; w < words_; ++w) {
    if ((has[w] & lacks[w]) != 0) return true;
  }
  return false;
}

std::uint32_t RouteBroadcasts::rarest(std::uint32_t sender, std::uint32_t receiver, Random& random) {
  const Word *const has = row(has_, sender), *const lacks = row(lacks_, receiver);
  std::uint32_t best = kNone, alike = 0;
  for (std::uint32_t w = 0; w < words_; ++w) {
    for (Word both = has[w] & lacks[w]; both != 0; both &= both - 1) {
      const std::uint32_t g = w * 64 + static_cast<std::uint32_t>(std::countr_zero(both));
      if (best != kNone && holders_[g] > holders_[best]) continue;
      if (best == kNone || holders_[g] < holders_[best]) alike = 0;
      if (random.below(++alike) == 0) best = g;
    }
  }
  return best;
}

void RouteBroadcasts::put(std::uint32_t receiver, std::uint32_t option, std::uint32_t group) {
  const Option& chosen = options_[option];
  const auto transfer = static_cast<std::uint32_t>(sent_.size());
  for (const std::uint32_t r : taken(chosen)) {
    std::uint32_t slot = slot_[r];
    while (taker_[slot] != kNone) ++slot;
    taker_[slot] = transfer;
    used_slots_.push_back(slot);
  }
  sent_.push_back({chosen.sender, receiver, group, option});
  row(lacks_, receiver)[group / 64] &= ~(Word{1} << group % 64);
  ++holders_[group];
  ++got_[receiver];
  --lacking_[receiver];
}

void RouteBroadcasts::take_back(std::uint32_t transfer) {
  Sent& sent = sent_[transfer];
  for (const std::uint32_t r : taken(options_[sent.option]))
    std::replace(taker_.begin() + slot_[r], taker_.begin() + slot_[r + 1], transfer, kNone);
  row(lacks_, sent.receiver)[sent.group / 64] |= Word{1} << sent.group % 64;
  --holders_[sent.group];
  --got_[sent.receiver];
  ++lacking_[sent.receiver];
  sent.receiver = kNone;
}

bool RouteBroadcasts::give(std::uint32_t receiver, Random& random) {
  if (lacking_[receiver] == 0) return false;
  // Of those as near, any.
  std::uint32_t best = kNone, alike = 0;
  for (std::uint32_t o = option_first_[receiver]; o < option_first_[receiver + 1]; ++o) {
    if (best != kNone && options_[o].count > options_[best].count) break;
    if (!useful(options_[o].sender, receiver) || !is_free(options_[o])) continue;
    if (random.below(++alike) == 0) best = o;
  }
  if (best == kNone) return false;
  put(receiver, best, rarest(options_[best].sender, receiver, random));
  return true;
}

bool RouteBroadcasts::force(std::uint32_t receiver, Random& random) {
  std::uint32_t best = kNone, alike = 0;
  std::uint64_t least = UINT64_MAX;
  const auto weakest = [&](std::uint32_t r) {
    std::uint32_t found = kNone;
    for (std::uint32_t slot = slot_[r]; slot < slot_[r + 1]; ++slot) {
      const std::uint32_t who = taker_[slot];
      if (who == kNone) return kNone;
      const bool lighter = found != kNone && (who < held_) == (found < held_)
                               ? weight_[sent_[who].receiver] < weight_[sent_[found].receiver]
                               : found == kNone || found < held_;
      if (lighter) found = who;
    }
    return found;
  };
  for (std::uint32_t o = option_first_[receiver]; o < option_first_[receiver + 1]; ++o) {
    if (!useful(options_[o].sender, receiver)) continue;
    std::uint64_t price = 0;
    for (const std::uint32_t r : taken(options_[o])) {
      const std::uint32_t who = weakest(r);
      // One that gets more than one message this step does not mind as much.
      if (who != kNone && who < held_) price += kHeld;
      if (who != kNone)
        price += got_[sent_[who].receiver] > 1 ? 1 : std::uint64_t{weight_[sent_[who].receiver]} + 1;
    }
    if (price > least) continue;
    if (price < least) alike = 0;
    if (random.below(++alike) == 0) best = o;
    least = price;
  }
  if (best == kNone || least >= kHeld) return false;
  for (const std::uint32_t r : taken(options_[best])) {
    const std::uint32_t who = weakest(r);
    if (who == kNone) continue;
    const std::uint32_t loser = sent_[who].receiver;
    take_back(who);
    if (got_[loser] == 0) hungry_.push_back(loser);
  }
  put(receiver, best, rarest(options_[best].sender, receiver, random));
  return true;
}

void RouteBroadcasts::throw_out(Random& random) {
  hungry_.clear();
  for (const std::uint32_t r : order_) {
    if (got_[r] == 0 && lacking_[r] > 0) hungry_.push_back(r);
  }
  // So many ejections, some for each that takes part, have shown what can be done.
  std::size_t turns = 4 * hungry_.size() + node_.size() / 2;
  std::fill(weight_.begin(), weight_.end(), 1U);
  while (!hungry_.empty() && turns-- > 0) {
    const std::uint32_t which = random.below(static_cast<std::uint32_t>(hungry_.size()));
    std::swap(hungry_[which], hungry_.back());
    const std::uint32_t receiver = hungry_.back();
    hungry_.pop_back();
    if (got_[receiver] > 0 || give(receiver, random)) continue;
    ++weight_[receiver];
    force(receiver, random);
  }
}

void RouteBroadcasts::keep(std::span<const Kept> kept) {
  kept_.clear();
  std::vector<std::uint32_t> end(problem_->graph->node_count(), kNone);
  for (std::uint32_t e = 0; e < node_.size(); ++e) end[node_[e].value] = e;
  for (const Kept& one : kept) {
    const std::uint32_t sender = end[one.sender.value], receiver = end[one.receiver.value];
    if (sender == kNone || receiver == kNone) continue;
    for (std::uint32_t o = option_first_[receiver]; o < option_first_[receiver + 1]; ++o) {
      if (options_[o].sender != sender) continue;
      if (kept_.size() <= one.step) kept_.resize(one.step + std::size_t{1});
      kept_[one.step].push_back({receiver, o, one.group});
    }
  }
}

void RouteBroadcasts::put_kept() {
  held_ = 0;
  const std::uint32_t step = schedule_.step_count();
  if (step >= kept_.size()) return;
  for (const KeptOption& one : kept_[step]) {
    const Option& option = options_[one.option];
    const Word bit = Word{1} << one.group % 64;
    const bool has = (row(has_, option.sender)[one.group / 64] & bit) != 0;
    const bool lacks = (row(lacks_, one.receiver)[one.group / 64] & bit) != 0;
    if (has && lacks && is_free(option)) put(one.receiver, one.option, one.group);
  }
  held_ = static_cast<std::uint32_t>(sent_.size());
}

void RouteBroadcasts::spread_step(bool with_tour, Random& random) {
  for (const std::uint32_t slot : used_slots_) taker_[slot] = kNone;
  used_slots_.clear();
  sent_.clear();
  std::fill(got_.begin(), got_.end(), 0U);
  put_kept();
  for (std::uint32_t r = 0; with_tour && r < node_.size(); ++r) {
    if (tour_[r] == kNone || !useful(options_[tour_[r]].sender, r) || !is_free(options_[tour_[r]])) continue;
    put(r, tour_[r], rarest(options_[tour_[r]].sender, r, random));
  }
  random.shuffle(order_);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return lacking_[a] > lacking_[b]; });
  for (bool more = true; more;) {
    more = false;
    for (const std::uint32_t r : order_) more = give(r, random) || more;
  }
  throw_out(random);
  for (const std::uint32_t r : order_) {
    while (give(r, random)) {
    }
  }
}

void RouteBroadcasts::deliver() {
  schedule_.add_step();
  for (const Sent& sent : sent_) {
    if (sent.receiver == kNone) continue;
    row(has_, sent.receiver)[sent.group / 64] |= Word{1} << sent.group % 64;
    schedule_.add(problem_->owner[sent.group],
                  problem_->routes->path(node_[sent.sender], node_[sent.receiver]));
    --left_;
  }
}

void RouteBroadcasts::begin_run() {
  has_ = first_has_;
  lacks_ = first_lacks_;
  holders_.assign(problem_->groups(), 1);
  lacking_.assign(node_.size(), 0);
  for (std::size_t i = 0; i < lacks_.size(); ++i)
    lacking_[i / words_] += static_cast<std::uint32_t>(std::popcount(lacks_[i]));
  got_.assign(node_.size(), 0);
  left_ = problem_->messages();
  schedule_ = Schedule();
  order_.resize(node_.size());
  std::iota(order_.begin(), order_.end(), 0U);
}

std::uint32_t RouteBroadcasts::run(std::uint32_t steps, bool with_tour, Random& random,
                                   const std::function<bool()>& stop) {
  begin_run();
  while (schedule_.step_count() < steps && left_ > 0 && !stop()) {
    const std::uint32_t before = left_;
    spread_step(with_tour, random);
    deliver();
    if (left_ == before && schedule_.step_count() >= kept_.size()) break;
  }
  while (schedule_.step_count() < steps) schedule_.add_step();
  return left_;
}

bool RouteBroadcasts::find_tour(Random& random) {
  const auto ends = static_cast<std::uint32_t>(node_.size());
  const auto occupy = [&](std::uint32_t receiver, std::uint32_t o) {
    for (const std::uint32_t r : taken(options_[o])) {
      std::uint32_t slot = slot_[r];
      while (taker_[slot] != kNone) ++slot;
      taker_[slot] = 0;
    }
    tour_[receiver] = o;
  };
  // From each node to the nearest that is left and can be reached: backwards, as options are by receiver.
  constexpr std::uint32_t kTries = 30;
  for (std::uint32_t attempt = 0; attempt < kTries; ++attempt) {
    std::fill(taker_.begin(), taker_.end(), kNone);
    tour_.assign(ends, kNone);
    std::vector<std::uint8_t> met(ends, 0);
    const std::uint32_t start = attempt == 0 ? 0 : random.below(ends);
    std::uint32_t at = start, stops = 0;
    for (; stops < ends; ++stops) {
      met[at] = 1;
      std::uint32_t best = kNone, alike = 0;
      for (std::uint32_t o = option_first_[at]; o < option_first_[at + 1]; ++o) {
        const Option& option = options_[o];
        if (best != kNone && option.count > options_[best].count) break;
        const bool next = stops + 1 < ends ? met[option.sender] == 0 : option.sender == start;
        // The first attempt takes the first one, in the order of nodes.
        if (!next || !is_free(option)) continue;
        if (best == kNone || (attempt > 0 && random.below(++alike + 1) == 0)) best = o;
      }
      if (best == kNone) break;
      occupy(at, best);
      at = options_[best].sender;
    }
    if (stops == ends) {
      std::fill(taker_.begin(), taker_.end(), kNone);
      return true;
    }
  }
  std::fill(taker_.begin(), taker_.end(), kNone);
  tour_.assign(ends, kNone);
  return false;
}

}  // namespace unknot
