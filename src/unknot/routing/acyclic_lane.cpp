// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/acyclic_lane.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace unknot {

AcyclicLane::AcyclicLane(const Network& network, const DependencyBits& bits)
    : network_(&network),
      bits_(&bits),
      present_(bits.dependency_set_words(), 0),
      refused_(bits.dependency_set_words(), 0),
      place_(network.channel_count()) {
  std::iota(place_.begin(), place_.end(), 0U);
}

bool AcyclicLane::add(std::span<const Dependency> dependencies, Scratch& scratch) {
  for (const Dependency& d : dependencies) {
    if ((refused_[bits_->word(d.from, d.entry)] & DependencyBits::bit(d.entry)) != 0) return false;
  }
  scratch.added.clear();
  for (const Dependency& d : dependencies) {
    std::uint64_t& word = present_[bits_->word(d.from, d.entry)];
    const std::uint64_t bit = DependencyBits::bit(d.entry);
    if ((word & bit) != 0) continue;
    if (insert(d, scratch)) {
      word |= bit;
      scratch.added.push_back(d);
      continue;
    }
    // Only a refusal that nothing temporary had a part in holds for ever.
    if (scratch.added.empty()) refused_[bits_->word(d.from, d.entry)] |= bit;
    // The order stays as it is: it suits the smaller set as well.
    for (const Dependency& undo : scratch.added) {
      present_[bits_->word(undo.from, undo.entry)] &= ~DependencyBits::bit(undo.entry);
    }
    return false;
  }
  return true;
}

std::uint32_t AcyclicLane::target(const Dependency& dependency) const {
  return network_->out(network_->target(ChannelId(dependency.from))).first() + dependency.entry;
}

/// Makes room for the dependency in the order; false where it closes a cycle.
bool AcyclicLane::insert(const Dependency& dependency, Scratch& scratch) {
  const std::uint32_t from = dependency.from;
  const std::uint32_t to = target(dependency);
  if (place_[from] < place_[to]) return true;
  if (!look_ahead(to, from, scratch)) return false;
  look_behind(from, place_[to], scratch);
  reorder(scratch);
  return true;
}

/// Collects what follows `start` no later than `goal`; false when that includes `goal`.
bool AcyclicLane::look_ahead(std::uint32_t start, std::uint32_t goal, Scratch& scratch) const {
  const std::uint32_t mark = ++scratch.search;
  scratch.ahead.assign(1, start);
  scratch.seen[start] = mark;
  for (std::size_t head = 0; head < scratch.ahead.size(); ++head) {
    const std::uint32_t channel = scratch.ahead[head];
    const std::uint32_t router = network_->target(ChannelId(channel)).value;
    const std::uint32_t first = network_->out(RouterId(router)).first();
    const std::uint64_t* const row = present_.data() + bits_->channel_row(channel);
    for (std::uint32_t word = 0; word < bits_->words(router); ++word) {
      for (std::uint64_t left = row[word]; left != 0; left &= left - 1) {
        const std::uint32_t next =
            first + word * DependencyBits::kWord + static_cast<std::uint32_t>(std::countr_zero(left));
        if (next == goal) return false;
        if (scratch.seen[next] == mark || place_[next] > place_[goal]) continue;
        scratch.seen[next] = mark;
        scratch.ahead.push_back(next);
      }
    }
  }
  return true;
}

/// Collects what precedes `start` no earlier than the place `lowest`.
void AcyclicLane::look_behind(std::uint32_t start, std::uint32_t lowest, Scratch& scratch) const {
  const std::uint32_t mark = ++scratch.search;
  scratch.behind.assign(1, start);
  scratch.seen[start] = mark;
  for (std::size_t head = 0; head < scratch.behind.size(); ++head) {
    const std::uint32_t channel = scratch.behind[head];
    const RouterId router = network_->source(ChannelId(channel));
    const std::uint32_t entry = channel - network_->out(router).first();
    for (const ChannelId before : network_->in(router)) {
      if (scratch.seen[before.value] == mark || place_[before.value] < lowest) continue;
      if ((present_[bits_->word(before.value, entry)] & DependencyBits::bit(entry)) == 0) continue;
      scratch.seen[before.value] = mark;
      scratch.behind.push_back(before.value);
    }
  }
}

/// Puts what was found behind before what was found ahead, within the places they hold.
void AcyclicLane::reorder(Scratch& scratch) {
  const auto by_place = [this](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; };
  std::sort(scratch.behind.begin(), scratch.behind.end(), by_place);
  std::sort(scratch.ahead.begin(), scratch.ahead.end(), by_place);
  scratch.places.clear();
  for (const std::uint32_t c : scratch.behind) scratch.places.push_back(place_[c]);
  for (const std::uint32_t c : scratch.ahead) scratch.places.push_back(place_[c]);
  std::inplace_merge(scratch.places.begin(),
                     scratch.places.begin() + static_cast<std::ptrdiff_t>(scratch.behind.size()),
                     scratch.places.end());
  std::size_t next = 0;
  for (const std::uint32_t c : scratch.behind) place_[c] = scratch.places[next++];
  for (const std::uint32_t c : scratch.ahead) place_[c] = scratch.places[next++];
}

}  // namespace unknot
