// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/graphs/random_links.hpp"

#include <numeric>

namespace unknot {
namespace {

constexpr std::uint32_t kMaxRejections = 50;  // in a row: few pairs are left, so listing them is cheap
constexpr std::uint32_t kSwapDraws = 200;

}  // namespace

RandomLinks::RandomLinks(std::vector<std::uint32_t> ports, bool parallel, std::size_t capacity,
                         Random& random)
    : ports_(std::move(ports)),
      place_(ports_.size()),
      parallel_(parallel),
      used_(parallel ? 0 : capacity),
      random_(random) {
  links_.reserve(capacity);
  for (std::uint32_t r = 0; r < ports_.size(); ++r) {
    place_[r] = static_cast<std::uint32_t>(open_.size());
    if (ports_[r] > 0) open_.push_back(r);
  }
}

void RandomLinks::take_port(std::uint32_t r) {
  if (--ports_[r] > 0) return;
  open_[place_[r]] = open_.back();
  place_[open_.back()] = place_[r];
  open_.pop_back();
}

void RandomLinks::add(std::uint32_t a, std::uint32_t b) {
  if (!parallel_) used_.insert(a, b);
  links_.emplace_back(a, b);
  take_port(a);
  take_port(b);
}

bool RandomLinks::add_uniform() {
  if (!listed_.empty()) return take_listed();
  const auto count = static_cast<std::uint32_t>(open_.size());
  if (count < 2) return false;
  for (std::uint32_t rejections = 0; rejections < kMaxRejections; ++rejections) {
    const std::uint32_t i = random_.below(count);
    std::uint32_t j = random_.below(count - 1);
    if (j >= i) ++j;
    if (joined(open_[i], open_[j])) continue;
    add(open_[i], open_[j]);
    return true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = i + 1; j < count; ++j) {
      if (!joined(open_[i], open_[j])) listed_.emplace_back(open_[i], open_[j]);
    }
  }
  // Pairs only ever drop out, so one random order of all of them draws as uniformly as new lists would.
  random_.shuffle(listed_);
  return take_listed();
}

bool RandomLinks::take_listed() {
  while (!listed_.empty()) {
    const auto [a, b] = listed_.back();
    listed_.pop_back();
    if (ports_[a] == 0 || ports_[b] == 0 || joined(a, b)) continue;
    add(a, b);
    return true;
  }
  return false;
}

bool RandomLinks::swap(std::size_t link, std::uint32_t u, std::uint32_t v) {
  const auto [x, y] = links_[link];
  if (x == u || x == v || y == u || y == v || joined(u, x) || joined(v, y)) return false;
  if (!parallel_) {
    used_.erase(x, y);
    used_.insert(u, x);
    used_.insert(v, y);
  }
  links_[link] = {u, x};
  links_.emplace_back(v, y);
  take_port(u);
  take_port(v);
  return true;
}

bool RandomLinks::add_by_swap(std::size_t first) {
  const auto count = static_cast<std::uint32_t>(open_.size());
  if (count == 0 || links_.size() <= first) return false;
  std::uint32_t u = open_[random_.below(count)];
  std::uint32_t v = u;
  if (ports_[u] < 2) {
    if (count < 2) return false;
    while (v == u) v = open_[random_.below(count)];
  }
  const auto range = static_cast<std::uint32_t>(links_.size() - first);
  for (std::uint32_t draw = 0; draw < kSwapDraws; ++draw) {
    if (random_.below(2) == 1) std::swap(u, v);
    if (swap(first + random_.below(range), u, v)) return true;
  }
  const std::uint32_t start = random_.below(range);
  for (std::uint32_t i = 0; i < range; ++i) {
    const std::size_t link = first + (start + i) % range;
    if (swap(link, u, v) || swap(link, v, u)) return true;
  }
  return false;
}

bool RandomLinks::fill(std::size_t total, std::size_t first) {
  while (links_.size() < total) {
    if (!add_uniform() && !add_by_swap(first)) return false;
  }
  return true;
}

RouterSets::RouterSets(std::uint32_t routers) : parent_(routers), count_(routers) {
  std::iota(parent_.begin(), parent_.end(), 0U);
}

std::uint32_t RouterSets::find(std::uint32_t r) {
  while (parent_[r] != r) {
    parent_[r] = parent_[parent_[r]];
    r = parent_[r];
  }
  return r;
}

bool RouterSets::merge(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return false;
  // The smaller number becomes the root; path halving alone keeps finds O(log n) amortised.
  if (a < b) {
    parent_[b] = a;
  } else {
    parent_[a] = b;
  }
  --count_;
  return true;
}

}  // namespace unknot
