// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/support/error.hpp"

namespace unknot::nccl {
namespace {

constexpr double kMostChannelSpeed = 48;  // GB/s; NCCL's own search does not try more between boxes
constexpr double kMegabitsOfGigabyte = 8000;
constexpr std::uint32_t kMostGpusSearched = 64;
constexpr std::uint64_t kMostTries = 2'000'000;  // GPUs tried next, in all

using Order = std::vector<std::uint32_t>;

/// Rings through all GPUs that share no slot of a link, one after the other, with steps back.
class RingSearch {
 public:
  RingSearch(std::uint32_t gpus, std::vector<std::uint32_t> slots) : gpus_(gpus), slots_(std::move(slots)) {
    bound_ = kMostGraphChannels;
    for (std::uint32_t g = 0; g < gpus; ++g) {
      std::uint32_t out = 0;
      std::uint32_t in = 0;
      for (std::uint32_t other = 0; other < gpus; ++other) {
        out += slots_[g * gpus + other];
        in += slots_[other * gpus + g];
      }
      bound_ = std::min({bound_, out, in});
    }
  }

  std::vector<Order> run() {
    next_ring();
    return best_;
  }

 private:
  void next_ring() {
    if (rings_.size() > best_.size()) best_ = rings_;
    if (done()) return;
    Order order{0};
    std::vector<bool> used(gpus_, false);
    used[0] = true;
    extend(order, used);
  }
  [[nodiscard]] bool done() const { return best_.size() >= bound_ || tries_ > kMostTries; }

  void extend(Order& order, std::vector<bool>& used) {
    if (done()) return;
    const std::uint32_t at = order.back();
    if (order.size() == gpus_) {
      if (slots_[at * gpus_] == 0) return;
      for (std::uint32_t i = 0; i < gpus_; ++i) --slots_[order[i] * gpus_ + order[(i + 1) % gpus_]];
      rings_.push_back(order);
      next_ring();
      rings_.pop_back();
      for (std::uint32_t i = 0; i < gpus_; ++i) ++slots_[order[i] * gpus_ + order[(i + 1) % gpus_]];
      return;
    }
    Order next;
    for (std::uint32_t other = 0; other < gpus_; ++other) {
      if (!used[other] && slots_[at * gpus_ + other] > 0) next.push_back(other);
    }
    // links with most slots left first, those of the same kind in another order for each ring
    const auto turn = static_cast<std::uint32_t>(rings_.size());
    std::stable_sort(next.begin(), next.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto rank = [&](std::uint32_t g) {
        return std::pair(gpus_ - slots_[at * gpus_ + g], (g + gpus_ * gpus_ - at - 1 - turn) % gpus_);
      };
      return rank(a) < rank(b);
    });
    for (const std::uint32_t other : next) {
      ++tries_;
      used[other] = true;
      order.push_back(other);
      extend(order, used);
      order.pop_back();
      used[other] = false;
      if (done()) return;
    }
  }

  std::uint32_t gpus_, bound_ = 0;
  std::vector<std::uint32_t> slots_;  // [from * gpus + to]
  std::vector<Order> rings_, best_;
  std::uint64_t tries_ = 0;
};

struct Rings {
  std::vector<Order> orders;
  double speed = 0;
};

Rings switched_rings(const BoxLinks& links) {
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t g = 0; g < links.gpus; ++g)
    least = std::min({least, links.to_switch[g], links.from_switch[g]});
  const double all = static_cast<double>(least) / kMegabitsOfGigabyte;
  const auto cards = static_cast<std::uint32_t>(std::max<std::size_t>(links.cards.size(), 1));
  const auto times = static_cast<std::uint32_t>(std::ceil(all / (kMostChannelSpeed * cards)));
  const std::uint32_t count = std::clamp(times * cards, 1U, kMostGraphChannels);
  Order order(links.gpus);
  std::iota(order.begin(), order.end(), 0U);
  return {std::vector<Order>(count, order), all / count};
}

Rings direct_rings(const BoxLinks& links) {
  std::uint64_t slot = 0;  // of which every link has a whole number
  for (const std::uint64_t megabits : links.direct) slot = std::gcd(slot, megabits);
  if (slot == 0 || links.gpus > kMostGpusSearched) return {};
  std::vector<std::uint32_t> slots;
  slots.reserve(links.direct.size());
  for (const std::uint64_t megabits : links.direct)
    slots.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(megabits / slot, kMostGraphChannels)));
  return {RingSearch(links.gpus, std::move(slots)).run(), static_cast<double>(slot) / kMegabitsOfGigabyte};
}

}  // namespace

std::vector<Graph> make_graphs(const BoxPlan& box) {
  const BoxLinks links = links_of(box);
  if (links.gpus < 2 || links.gpus > kMostGraphGpus) {
    throw InputError(
        fmt::format("NCCL: a ring in a box of {} GPUs: expected 2 to {}", links.gpus, kMostGraphGpus));
  }
  bool switched = true;
  for (std::uint32_t g = 0; g < links.gpus; ++g)
    switched = switched && links.to_switch[g] > 0 && links.from_switch[g] > 0;
  const Rings rings = switched ? switched_rings(links) : direct_rings(links);
  if (rings.orders.empty()) {
    throw InputError(
        "NCCL: the links between the GPUs of the box make no ring; over PCI NCCL finds its way alone");
  }
  Graph ring;
  ring.speed_intra = ring.speed_inter = rings.speed;
  const auto count = static_cast<std::uint32_t>(rings.orders.size());
  std::vector<std::uint32_t> uses(links.cards.size(), 0);
  bool by_others = false;
  for (std::uint32_t c = 0; c < count; ++c) {
    Order order = rings.orders[c];
    GraphChannel& channel = ring.channels.emplace_back();
    if (!links.cards.empty()) {
      const std::uint32_t card = c % static_cast<std::uint32_t>(links.cards.size());
      const std::vector<std::uint32_t>& near = links.cards[card].gpus;
      if (near.empty()) throw InputError(fmt::format("NCCL: card {} of the box has no GPU near it", card));
      ++uses[card];
      channel.nets = {card, card};
      const std::uint32_t first = near[c / links.cards.size() % near.size()];
      std::rotate(order.begin(), std::find(order.begin(), order.end(), first), order.end());
      by_others = by_others || std::find(near.begin(), near.end(), order.back()) == near.end();
    }
    for (const std::uint32_t g : order) channel.gpus.push_back({g, std::nullopt});
  }
  for (std::size_t card = 0; card < links.cards.size(); ++card) {
    if (uses[card] == 0) continue;
    ring.speed_inter = std::min(
        ring.speed_inter, static_cast<double>(links.cards[card].megabits) / kMegabitsOfGigabyte / uses[card]);
  }
  if (by_others) ring.type_inter = "PXN";  // the last GPU sends by the one that the card is near to
  Graph tree = ring;
  tree.id = GraphId::tree;
  tree.pattern = Pattern::tree;
  tree.type_inter = "PIX";
  return {ring, tree};
}

}  // namespace unknot::nccl
