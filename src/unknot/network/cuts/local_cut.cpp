// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/local_cut.hpp"

#include <algorithm>
#include <cstdlib>

namespace unknot {
namespace {

constexpr std::uint32_t kMaxPasses = 50;
constexpr std::uint32_t kMaxLooks = 64;  // routers of a gain tried for one that may move

}  // namespace

CutGraph::CutGraph(const Network& network) : first(network.router_count() + std::size_t{1}, 0) {
  neighbours.reserve(network.channel_count());
  weight.reserve(network.router_count());
  const bool any = network.terminal_count() > 0;
  std::vector<std::uint32_t> ends;
  for (const RouterId r : network.routers()) {
    ends.clear();
    for (const ChannelId c : network.out(r)) ends.push_back(network.target(c).value);
    for (const ChannelId c : network.in(r)) ends.push_back(network.source(c).value);
    max_channels = std::max(max_channels, static_cast<std::uint32_t>(ends.size()));
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (i > 0 && ends[i] == ends[i - 1]) {
        ++neighbours.back().channels;
      } else {
        neighbours.push_back({ends[i], 1});
      }
    }
    first[r.value + 1] = static_cast<std::uint32_t>(neighbours.size());
    weight.push_back(any ? network.terminals_at(r).size() : 1);
    total_weight += weight.back();
    max_weight = std::max(max_weight, weight.back());
  }
}

LocalCut::LocalCut(const CutGraph& graph)
    : graph_(graph),
      gain_(graph.weight.size()),
      moved_(graph.weight.size()),
      next_(graph.weight.size()),
      previous_(graph.weight.size()) {
  for (auto& heads : head_) heads.assign(2 * std::size_t{graph.max_channels} + 1, kNone);
  moves_.reserve(graph.weight.size());
}

std::uint64_t LocalCut::improve(std::vector<std::uint8_t>& side) {
  for (std::uint32_t passes = 0; passes < kMaxPasses && pass(side); ++passes) {
  }
  return static_cast<std::uint64_t>(cut_);
}

void LocalCut::even_out(const CutGraph& graph, std::vector<std::uint8_t>& side) {
  std::int64_t balance = 0;  // weight of side 0 minus that of side 1
  for (std::uint32_t r = 0; r < side.size(); ++r)
    balance += side[r] == 0 ? graph.weight[r] : -std::int64_t{graph.weight[r]};
  while (std::abs(balance) > graph.max_weight) {
    const std::uint8_t heavy = balance > 0 ? 0 : 1;
    std::uint32_t best = kNone;
    std::int64_t best_gain = 0;
    for (std::uint32_t r = 0; r < side.size(); ++r) {
      if (side[r] != heavy || graph.weight[r] == 0) continue;
      std::int64_t gain = 0;
      for (const CutGraph::Neighbour& to : graph.at(r))
        gain += side[to.router] == heavy ? -std::int64_t{to.channels} : to.channels;
      if (best == kNone || gain > best_gain) {
        best = r;
        best_gain = gain;
      }
    }
    side[best] = 1 - heavy;
    balance += (heavy == 0 ? -2 : 2) * std::int64_t{graph.weight[best]};
  }
}

void LocalCut::link(std::uint32_t r, std::uint8_t side) {
  const std::int32_t gain = gain_[r];
  std::uint32_t& head = head_[side][slot(gain)];
  next_[r] = head;
  previous_[r] = kNone;
  if (head != kNone) previous_[head] = r;
  head = r;
  top_[side] = std::max(top_[side], gain);
}

void LocalCut::unlink(std::uint32_t r, std::uint8_t side) {
  if (next_[r] != kNone) previous_[next_[r]] = previous_[r];
  if (previous_[r] != kNone) {
    next_[previous_[r]] = next_[r];
  } else {
    head_[side][slot(gain_[r])] = next_[r];
  }
}

void LocalCut::fill(const std::vector<std::uint8_t>& side) {
  const auto lowest = -static_cast<std::int32_t>(graph_.max_channels);
  for (auto& heads : head_) std::fill(heads.begin(), heads.end(), kNone);
  top_[0] = top_[1] = lowest;
  cut_ = 0;
  balance_ = 0;
  for (std::uint32_t r = 0; r < side.size(); ++r) {
    std::int32_t across = 0;
    std::int32_t within = 0;
    for (const CutGraph::Neighbour& n : graph_.at(r)) {
      (side[n.router] == side[r] ? within : across) += static_cast<std::int32_t>(n.channels);
    }
    gain_[r] = across - within;
    cut_ += across;
    balance_ += side[r] == 0 ? std::int64_t{graph_.weight[r]} : -std::int64_t{graph_.weight[r]};
    moved_[r] = false;
    link(r, side[r]);
  }
  cut_ /= 2;  // each channel was seen from both its ends
}

bool LocalCut::may_move(std::uint32_t r, std::uint8_t side) const {
  const std::int64_t weight = graph_.weight[r];
  const std::int64_t after = balance_ + (side == 0 ? -2 * weight : 2 * weight);
  // One router of slack beyond the balance in which a pass may end, or towards balance.
  return std::abs(after) <= 2 * std::int64_t{graph_.max_weight} || std::abs(after) <= std::abs(balance_);
}

std::uint32_t LocalCut::pick(const std::vector<std::uint8_t>& side) const {
  std::uint32_t best = kNone;
  // The heavier side first: it wins ties.
  for (const std::uint8_t s : {std::uint8_t{balance_ < 0}, std::uint8_t{balance_ >= 0}}) {
    const auto lowest = -static_cast<std::int32_t>(graph_.max_channels);
    std::uint32_t looks = 0;
    for (std::int32_t gain = top_[s]; gain >= lowest && looks < kMaxLooks; --gain) {
      if (best != kNone && gain <= gain_[best]) break;
      std::uint32_t r = head_[s][slot(gain)];
      while (r != kNone && looks < kMaxLooks && !may_move(r, side[r])) {
        r = next_[r];
        ++looks;
      }
      if (r != kNone && looks < kMaxLooks) {
        best = r;
        break;
      }
    }
  }
  return best;
}

bool LocalCut::pass(std::vector<std::uint8_t>& side) {
  fill(side);
  const std::int64_t before = cut_;
  const auto lowest = -static_cast<std::int32_t>(graph_.max_channels);
  std::int64_t best = cut_;
  std::size_t best_moves = 0;
  moves_.clear();
  for (std::uint32_t r = pick(side); r != kNone; r = pick(side)) {
    const std::uint8_t from = side[r];
    unlink(r, from);
    moved_[r] = true;
    moves_.push_back(r);
    side[r] = from ^ 1U;
    cut_ -= gain_[r];
    balance_ += from == 0 ? -2 * std::int64_t{graph_.weight[r]} : 2 * std::int64_t{graph_.weight[r]};
    for (const CutGraph::Neighbour& n : graph_.at(r)) {
      if (moved_[n.router]) continue;
      const auto change = 2 * static_cast<std::int32_t>(n.channels);
      unlink(n.router, side[n.router]);
      gain_[n.router] += side[n.router] == from ? change : -change;
      link(n.router, side[n.router]);
    }
    for (const std::uint8_t s : {0, 1}) {
      while (top_[s] > lowest && head_[s][slot(top_[s])] == kNone) --top_[s];
    }
    if (cut_ < best && std::abs(balance_) <= graph_.max_weight) {
      best = cut_;
      best_moves = moves_.size();
    }
  }
  for (std::size_t i = best_moves; i < moves_.size(); ++i) side[moves_[i]] ^= 1U;
  cut_ = best;
  return best < before;
}

}  // namespace unknot
