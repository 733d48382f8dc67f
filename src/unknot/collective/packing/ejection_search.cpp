// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/ejection_search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace unknot {
namespace {

// Prices: a unit of weight is worth more than any path's hops, a hop more than all noise.
constexpr std::uint64_t kWeight = std::uint64_t{1} << 24U;
constexpr std::uint64_t kHop = 1U << 12U;
constexpr std::uint32_t kNoise = 1U << 6U;
constexpr std::uint32_t kNoises = 4096;  // a power of two
constexpr std::uint32_t kWord = 64;      // bins in a word of bits
constexpr std::uint32_t kTries = 4;      // of all bins and shifts, for an item that nothing takes

}  // namespace

EjectionSearch::EjectionSearch(const Packing& packing, std::uint64_t seed, std::uint64_t stream)
    : packing_(&packing),
      random_(seed, stream),
      choices_(packing.items()),
      weight_(packing.items(), 1),
      at_home_(packing.items(), 0),
      waiting_(packing.items()),
      place_(packing.items()),
      cost_(packing.lattice().most_places()),
      edge_(packing.lattice().most_places()),
      closed_(packing.bins(), 0),
      open_(packing.bins()) {
  std::size_t prices = 0, slots = 0;
  std::uint32_t most = 0;
  for (std::uint32_t b = 0; b < packing.bins(); ++b) {
    first_price_.push_back(prices);
    first_slot_.push_back(slots);
    const SharedResources& resources = packing.kind(b).resources;
    prices += resources.count();
    slots += packing.kind(b).slots.back();
    most = std::max(most, resources.count());
  }
  const Packing::Kind& first = packing.kind(0);
  if (first.shifts == 1 && first.stabiliser == 1 && first.resources.arcs_alone()) {
    words_ = (packing.bins() + kWord - 1) / kWord;
    free_.assign(words_ * first.resources.count(), 0);
    crowd_.assign(first.resources.count(), 0);
    takers_.assign(first.resources.count(), 0);
    reach_.resize(words_ * packing.lattice().most_places());
  }
  price_.assign(prices, 0);
  used_.assign(prices, 0);
  taker_.assign(slots, kNobody);
  seen_.assign(most, 0);
  for (std::uint32_t b = 0; b < packing.bins(); ++b) {
    for (std::uint32_t r = 0; r < packing.kind(b).resources.count(); ++r) set_price(b, r);
  }
  for (std::uint32_t i = 0; i < kNoises; ++i) noise_.push_back(random_.below(kNoise));
  std::iota(waiting_.begin(), waiting_.end(), 0U);
  random_.shuffle(waiting_);
  // The last goes first: those with the longest ways.
  std::stable_sort(waiting_.begin(), waiting_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return packing.lattice().shortest(a) < packing.lattice().shortest(b);
  });
  for (std::uint32_t i = 0; i < waiting_.size(); ++i) place_[waiting_[i]] = i;
}

void EjectionSearch::set_price(std::uint32_t bin, std::uint32_t resource) {
  const Packing::Kind& kind = packing_->kind(bin);
  const std::size_t at = first_price_[bin] + resource;
  const std::uint32_t capacity = closed_[bin] != 0 ? 0 : kind.resources.capacity(resource);
  if (words_ > 0) {
    std::uint64_t& bits = free_[resource * words_ + bin / kWord];
    const std::uint64_t bit = std::uint64_t{1} << bin % kWord;
    bits = used_[at] < capacity ? bits | bit : bits & ~bit;
  }
  if (capacity == 0) {
    price_[at] = kNoPrice;
    return;
  }
  if (used_[at] < capacity) {
    price_[at] = 0;
    return;
  }
  std::uint32_t least = 0xFFFFFFFFU;
  const std::uint32_t* const taker = taker_.data() + first_slot_[bin] + kind.slots[resource];
  for (std::uint32_t i = 0; i < capacity; ++i) least = std::min(least, weight(taker[i]));
  price_[at] = least == kPinned ? kNoPrice : least * kWeight;
}

/// What is nearly full in all bins is left to those that have no other way.
void EjectionSearch::set_crowd(std::uint32_t resource, bool more) {
  if (words_ == 0) return;
  takers_[resource] += more ? 1U : ~0U;
  const std::uint64_t room = std::uint64_t{open_} * packing_->kind(0).resources.capacity(resource);
  const double part = static_cast<double>(takers_[resource]) / static_cast<double>(room);
  const double fourth = part * part * part * part;
  crowd_[resource] = static_cast<std::uint32_t>(static_cast<double>(kHop) * fourth * fourth);
}

bool EjectionSearch::same_victim(std::uint32_t bin, std::uint32_t before, std::uint32_t resource) const {
  const Packing::Kind& kind = packing_->kind(bin);
  if (kind.resources.capacity(before) != 1 || kind.resources.capacity(resource) != 1) return false;
  const std::size_t first = first_price_[bin];
  if (used_[first + before] == 0 || used_[first + resource] == 0) return false;
  const std::uint32_t* const taker = taker_.data() + first_slot_[bin];
  return taker[kind.slots[before]] == taker[kind.slots[resource]];
}

std::uint64_t EjectionSearch::cheapest_path(std::uint32_t item, std::uint32_t bin, std::uint32_t shift,
                                            std::uint64_t limit) {
  const Packing::Kind& kind = packing_->kind(bin);
  const std::uint64_t* const price = price_.data() + first_price_[bin];
  const std::size_t row = std::size_t{shift} * packing_->graph().arc_count();
  const std::uint32_t* const of_arc = kind.of_arc.data() + row;
  const std::uint32_t* const of_link = kind.of_link.empty() ? nullptr : kind.of_link.data() + row;
  std::uint64_t ends = 0;
  if (of_link != nullptr) {
    for (const std::uint32_t r : {packing_->sender(item, bin, shift), packing_->receiver(item, bin, shift)}) {
      if (r == SharedResources::kNone) continue;
      if (price[r] == kNoPrice) return kNoPrice;
      ends += price[r];
    }
  }
  if (ends >= limit) return kNoPrice;
  const auto edges = packing_->lattice().edges(item);
  arcs_ += edges.size() + 1;
  const std::uint32_t salt = random_.next32();
  std::fill(cost_.begin(), cost_.begin() + (edges.empty() ? 1 : edges.back().to + 1), kNoPrice);
  cost_[0] = ends;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const PathLattice::Edge& edge = edges[e];
    const std::uint64_t before = cost_[edge.from];
    if (before >= limit) continue;
    std::uint64_t more = price[of_arc[edge.arc.value]];
    if (of_link != nullptr && of_link[edge.arc.value] != SharedResources::kNone && more != kNoPrice) {
      const std::uint64_t link = price[of_link[edge.arc.value]];
      more = link == kNoPrice ? kNoPrice : more + link;
    }
    if (more == kNoPrice) continue;
    if (words_ > 0) {
      const std::uint32_t resource = of_arc[edge.arc.value];
      // Whom the path throws out already it throws out for nothing.
      if (more >= kWeight && edge.from != 0 &&
          same_victim(bin, of_arc[edges[edge_[edge.from]].arc.value], resource))
        more = 0;
      more += crowd_[resource];
    }
    const std::uint64_t cost = before + more + kHop + noise_[(edge.arc.value + salt) & (kNoises - 1)];
    if (cost >= cost_[edge.to]) continue;
    cost_[edge.to] = cost;
    edge_[edge.to] = e;
  }
  std::uint32_t end = kNobody;
  std::uint64_t best = limit;
  for (const std::uint32_t place : packing_->lattice().ends(item)) {
    if (cost_[place] >= best) continue;
    best = cost_[place];
    end = place;
  }
  if (end == kNobody) return kNoPrice;
  path_.clear();
  for (std::uint32_t place = end; place != 0; place = edges[edge_[place]].from)
    path_.push_back(edges[edge_[place]].arc);
  std::reverse(path_.begin(), path_.end());
  return best;
}

bool EjectionSearch::fits_alone(std::uint32_t item, std::uint32_t bin, std::uint32_t shift) {
  if (packing_->lattice().extra_hops() > 1) {
    // Not to a node twice.
    const NodeGraph& graph = packing_->graph();
    for (std::size_t i = 0; i < path_.size(); ++i) {
      for (std::size_t k = i + 1; k < path_.size(); ++k) {
        if (graph.head(path_[i]) == graph.head(path_[k])) return false;
      }
    }
  }
  taken_.clear();
  packing_->add_taken(item, bin, shift, path_, taken_);
  bool fits = true;
  const SharedResources& resources = packing_->kind(bin).resources;
  for (const std::uint32_t r : taken_) fits = ++seen_[r] <= resources.capacity(r) && fits;
  for (const std::uint32_t r : taken_) seen_[r] = 0;
  return fits;
}

std::uint32_t EjectionSearch::find_free_bin(std::uint32_t item, std::uint32_t begin) {
  const auto edges = packing_->lattice().edges(item);
  const std::uint32_t* const of_arc = packing_->kind(0).of_arc.data();
  arcs_ += edges.size() * words_;
  const std::size_t places = edges.empty() ? 1 : edges.back().to + 1;
  std::fill(reach_.begin(), reach_.begin() + static_cast<std::ptrdiff_t>(words_), ~std::uint64_t{0});
  std::fill(reach_.begin() + static_cast<std::ptrdiff_t>(words_),
            reach_.begin() + static_cast<std::ptrdiff_t>(places * words_), 0);
  for (const PathLattice::Edge& edge : edges) {
    const std::uint64_t* const free = free_.data() + of_arc[edge.arc.value] * words_;
    const std::uint64_t* const from = reach_.data() + edge.from * words_;
    std::uint64_t* const to = reach_.data() + edge.to * words_;
    for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w] & free[w];
  }
  const auto at = [&](std::size_t w) {
    std::uint64_t any = 0;
    for (const std::uint32_t place : packing_->lattice().ends(item)) any |= reach_[place * words_ + w];
    return any;
  };
  std::size_t w = begin / kWord;
  std::uint64_t bits = at(w) & ~std::uint64_t{0} << begin % kWord;
  for (std::size_t i = 0; i <= words_; ++i) {
    if (bits != 0)
      return static_cast<std::uint32_t>(w * kWord) + static_cast<std::uint32_t>(std::countr_zero(bits));
    w = w + 1 == words_ ? 0 : w + 1;
    bits = at(w);
  }
  return kNobody;
}

void EjectionSearch::find_offer(std::uint32_t item, Offer& offer) {
  offer.price = kNoPrice;
  const std::uint32_t all = packing_->bins();
  std::uint32_t bin = has_home(item) ? home_[item].bin : random_.below(all);
  if (words_ > 0 && !has_home(item)) {
    const std::uint32_t free = find_free_bin(item, bin);
    if (free != kNobody) bin = free;
  }
  for (std::uint32_t i = 0; i < all; ++i, bin = bin + 1 == all ? 0 : bin + 1) {
    if (closed_[bin] != 0) continue;
    const std::uint32_t most = packing_->kind(bin).shifts;
    std::uint32_t shift = most == 1 ? 0 : random_.below(most);
    for (std::uint32_t k = 0; k < most; ++k, shift = shift + 1 == most ? 0 : shift + 1) {
      const std::uint64_t price = cheapest_path(item, bin, shift, offer.price);
      if (price == kNoPrice || !fits_alone(item, bin, shift)) continue;
      offer.price = price;
      offer.choice = {bin, shift, path_};
      if (price < kWeight) return;
    }
  }
}

void EjectionSearch::put(std::uint32_t item, const Choice& choice) {
  taken_.clear();
  packing_->add_taken(item, choice.bin, choice.shift, choice.path, taken_);
  at_home_[item] = has_home(item) && home_[item].bin == choice.bin && home_[item].path == choice.path ? 1 : 0;
  const Packing::Kind& kind = packing_->kind(choice.bin);
  for (const std::uint32_t r : taken_) {
    const std::size_t at = first_price_[choice.bin] + r;
    taker_[first_slot_[choice.bin] + kind.slots[r] + used_[at]++] = item;
    set_price(choice.bin, r);
    set_crowd(r, true);
  }
  choices_[item] = choice;
  if (open_ < packing_->bins()) newly_packed_.push_back(item);
  waiting_[place_[item]] = waiting_.back();
  place_[waiting_.back()] = place_[item];
  waiting_.pop_back();
  place_[item] = static_cast<std::uint32_t>(packed_.size());
  packed_.push_back(item);
}

void EjectionSearch::take_out(std::uint32_t item) {
  const Choice& choice = choices_[item];
  taken_.clear();
  packing_->add_taken(item, choice.bin, choice.shift, choice.path, taken_);
  const Packing::Kind& kind = packing_->kind(choice.bin);
  for (const std::uint32_t r : taken_) {
    const std::size_t at = first_price_[choice.bin] + r;
    std::uint32_t* const taker = taker_.data() + first_slot_[choice.bin] + kind.slots[r];
    *std::find(taker, taker + used_[at], item) = taker[used_[at] - 1];
    --used_[at];
    set_price(choice.bin, r);
    set_crowd(r, false);
  }
  choices_[item].bin = Choice::kNowhere;
  packed_[place_[item]] = packed_.back();
  place_[packed_.back()] = place_[item];
  packed_.pop_back();
  place_[item] = static_cast<std::uint32_t>(waiting_.size());
  waiting_.push_back(item);
}

void EjectionSearch::make_room(std::uint32_t item, const Choice& choice) {
  std::vector<std::uint32_t> wanted;
  packing_->add_taken(item, choice.bin, choice.shift, choice.path, wanted);
  const Packing::Kind& kind = packing_->kind(choice.bin);
  for (const std::uint32_t r : wanted) ++seen_[r];
  for (const std::uint32_t r : wanted) {
    const std::size_t at = first_price_[choice.bin] + r;
    while (used_[at] + seen_[r] > kind.resources.capacity(r)) {
      const std::uint32_t* const taker = taker_.data() + first_slot_[choice.bin] + kind.slots[r];
      const std::uint32_t lightest = *std::min_element(
          taker, taker + used_[at], [&](std::uint32_t a, std::uint32_t b) { return weight(a) < weight(b); });
      take_out(lightest);
    }
  }
  for (const std::uint32_t r : wanted) seen_[r] = 0;
}

void EjectionSearch::keep_best() {
  const auto waiting = static_cast<std::uint32_t>(waiting_.size());
  if (waiting >= best_waiting_) return;
  best_waiting_ = waiting;
  best_ = choices_;
}

bool EjectionSearch::has_room(std::uint32_t item, const Choice& choice) {
  taken_.clear();
  packing_->add_taken(item, choice.bin, choice.shift, choice.path, taken_);
  const SharedResources& resources = packing_->kind(choice.bin).resources;
  bool room = true;
  for (const std::uint32_t r : taken_)
    room = used_[first_price_[choice.bin] + r] + ++seen_[r] <= resources.capacity(r) && room;
  for (const std::uint32_t r : taken_) seen_[r] = 0;
  return room;
}

void EjectionSearch::set_home(std::uint32_t item, Choice home, std::uint32_t extra_weight) {
  home_.resize(packing_->items());
  home_weight_.resize(packing_->items(), 0);
  home_[item] = std::move(home);
  home_weight_[item] = extra_weight;
  if (has_room(item, home_[item])) put(item, home_[item]);
}

bool EjectionSearch::settle(std::uint32_t item, std::uint32_t bin) {
  if (cheapest_path(item, bin, 0, kWeight) == kNoPrice || !fits_alone(item, bin, 0)) return false;
  put(item, {bin, 0, path_});
  return true;
}

bool EjectionSearch::begin_at(std::uint32_t item, const Packing::Choice& choice) {
  if (closed_[choice.bin] != 0 || !has_room(item, choice)) return false;
  put(item, choice);
  return true;
}

void EjectionSearch::close(std::uint32_t bin) {
  best_waiting_ = 0;
  for (std::uint32_t i = static_cast<std::uint32_t>(packed_.size()); i-- > 0;) {
    if (choices_[packed_[i]].bin == bin) take_out(packed_[i]);
  }
  closed_[bin] = 1;
  --open_;
  std::fill(weight_.begin(), weight_.end(), 1U);
  for (std::uint32_t b = 0; b < packing_->bins(); ++b) {
    for (std::uint32_t r = 0; r < packing_->kind(b).resources.count(); ++r) set_price(b, r);
  }
}

void EjectionSearch::go_home() {
  for (std::uint32_t item = 0; item < packing_->items(); ++item) {
    if (!is_away(item) || waits(item)) continue;
    const Choice now = choices_[item];
    take_out(item);
    put(item, has_room(item, home_[item]) ? home_[item] : now);
  }
}

std::uint32_t EjectionSearch::away() const {
  std::uint32_t count = 0;
  for (std::uint32_t item = 0; item < packing_->items(); ++item) count += is_away(item) ? 1 : 0;
  return count;
}

void EjectionSearch::force_home(std::uint32_t item) {
  take_out(item);
  make_room(item, home_[item]);
  put(item, home_[item]);
}

void EjectionSearch::first_fit() {
  for (std::size_t i = waiting_.size(); i-- > 0;) {
    const std::uint32_t item = waiting_[i];
    if (has_home(item)) continue;
    const std::uint32_t bin = find_free_bin(item, 0);
    if (bin == kNobody || cheapest_path(item, bin, 0, kWeight) == kNoPrice || !fits_alone(item, bin, 0))
      continue;
    ++insertions_;
    put(item, {bin, 0, path_});
  }
  keep_best();
}

bool EjectionSearch::run(std::uint64_t arcs, const std::function<bool()>& stop) {
  const std::uint64_t limit = arcs_ + arcs;
  Offer offer;
  if (words_ > 0 && best_waiting_ == kNobody) first_fit();
  while (!waiting_.empty() && arcs_ < limit && !hopeless_) {
    if ((++insertions_ & 63U) == 0 && stop()) break;
    const bool first_round = best_waiting_ == kNobody;
    const std::uint32_t item =
        first_round ? waiting_.back() : waiting_[random_.below(static_cast<std::uint32_t>(waiting_.size()))];
    if (has_home(item) && has_room(item, home_[item])) {
      put(item, home_[item]);
      continue;
    }
    find_offer(item, offer);
    // The cheapest path may take something twice: another time others are as cheap.
    for (std::uint32_t i = 0; i < kTries && offer.price == kNoPrice; ++i) find_offer(item, offer);
    if (offer.price == kNoPrice) {
      hopeless_ = true;
      break;
    }
    const bool free = offer.price < kWeight;
    if (!free) {
      keep_best();
      ++weight_[item];
      make_room(item, offer.choice);
    }
    put(item, offer.choice);
  }
  keep_best();
  return waiting_.empty();
}

}  // namespace unknot
