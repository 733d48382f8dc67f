// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/nue/nue_lane.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace unknot {
namespace {

constexpr std::uint32_t kNone = NueTree::kNone;
/// Growths that bind one router to its escape path; from then on all that are stuck.
constexpr std::uint32_t kSingleBindings = 4;
/// Rounds that shorten trees; most of the gain is in the first two.
constexpr std::uint32_t kRepairs = 4;
/// Rounds that spread the load at equal lengths.
constexpr std::uint32_t kBalancings = 2;
constexpr std::uint8_t kMostRefusals = 5;
constexpr int kClassShift = 62;

}  // namespace

NueLane::NueLane(const Network& network, const ArcSpace& dependencies, const UpDownOrder& up_down)
    : network_(network),
      space_(dependencies),
      arcs_(dependencies),
      order_(network.channel_count()),
      uses_(dependencies.arc_count()),
      reserved_(dependencies.arc_count()),
      load_(network.channel_count()),
      channel_(network.router_count()),
      hops_(network.router_count()),
      stamp_(network.router_count(), 0),
      ask_again_(dependencies.arc_count(), 0),
      refusals_(dependencies.arc_count(), 0),
      escape_(network.router_count()),
      escape_hops_(network.router_count()),
      bound_(network.router_count()),
      path_load_(network.router_count(), 0),
      below_(network.router_count()) {
  for (const ChannelId c : network.channels()) {
    source_.push_back(network.source(c).value);
    target_.push_back(network.target(c).value);
  }
  for (const RouterId r : network.routers()) {
    first_out_.push_back(network.out(r).first());
    weight_.push_back(std::uint64_t{network.terminals_at(r).size()} * network.router_count() + 1);
  }
  // Up from the bottom, then down from the top: what Up*/Down* routing would allow.
  std::iota(order_.begin(), order_.end(), 0U);
  const auto key = [&](std::uint32_t c) {
    const auto from = static_cast<std::int64_t>(up_down.place[source_[c]]);
    const auto to = static_cast<std::int64_t>(up_down.place[target_[c]]);
    return to < from ? std::tuple(0, -from, -to) : std::tuple(1, from, to);
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  make_spanning_tree(up_down);
}

std::vector<NueTree> NueLane::route(std::span<const RouterId> destinations, std::uint64_t most_steps) {
  arcs_.restart(order_);
  std::fill(uses_.begin(), uses_.end(), 0);
  std::fill(reserved_.begin(), reserved_.end(), 0);
  std::fill(load_.begin(), load_.end(), 0);
  balancing_ = false;
  cost_ = 0;
  std::fill(ask_again_.begin(), ask_again_.end(), 0);
  std::fill(refusals_.begin(), refusals_.end(), 0);
  growth_ = 0;
  for (const RouterId root : destinations) reserve_escape(root);
  std::vector<NueTree> trees;
  std::vector<std::uint64_t> least;
  for (const RouterId root : destinations) {
    trees.push_back(grow(root));
    count_load(trees.back(), true);
    least.push_back(shortest_cost(root));
  }
  for (std::uint32_t round = 0; round < kRepairs; ++round) {
    bool shorter = false;
    for (std::size_t i = 0; i < trees.size() && arcs_.steps() < most_steps; ++i)
      shorter |= trees[i].cost > least[i] && regrow(trees[i]);
    if (!shorter) break;
  }
  balancing_ = true;
  for (std::uint32_t round = 0; round < kBalancings; ++round) {
    for (std::size_t i = 0; i < trees.size() && arcs_.steps() < most_steps; ++i) regrow(trees[i]);
  }
  for (const NueTree& tree : trees) cost_ += tree.cost;
  shortest_ = cost_ == std::accumulate(least.begin(), least.end(), std::uint64_t{0});
  return trees;
}

/// Takes a tree out and grows it again; keeps the new one where it is not longer. True where it is shorter.
bool NueLane::regrow(NueTree& tree) {
  count_load(tree, false);
  release(tree);
  NueTree again = grow(RouterId(tree.root));
  const bool shorter = again.cost < tree.cost;
  if (again.cost > tree.cost) {
    release(again);
    hold(tree);
  } else {
    tree = std::move(again);
  }
  count_load(tree, true);
  return shorter;
}

/// Cost of a tree of shortest paths.
std::uint64_t NueLane::shortest_cost(RouterId root) {
  std::fill(hops_.begin(), hops_.end(), kFar);
  hops_[root.value] = 0;
  escape_root_ = kFar;
  outward_.assign(1, root.value);
  std::uint64_t cost = 0;
  for (std::size_t head = 0; head < outward_.size(); ++head) {
    const std::uint32_t r = outward_[head];
    cost += weight_[r] * hops_[r];
    for (const ChannelId c : network_.in(RouterId(r))) {
      if (hops_[source_[c.value]] != kFar) continue;
      hops_[source_[c.value]] = hops_[r] + 1;
      outward_.push_back(source_[c.value]);
    }
  }
  return cost;
}

NueTree NueLane::grow(RouterId root) {
  root_ = root.value;
  escape_towards(root);
  std::fill(bound_.begin(), bound_.end(), 0);
  std::vector<std::uint32_t> stuck;
  for (std::uint32_t attempt = 0;; ++attempt) {
    ++growth_;
    std::fill(channel_.begin(), channel_.end(), kNone);
    std::fill(hops_.begin(), hops_.end(), kFar);
    for (std::vector<std::uint32_t>& level : level_) level.clear();
    settle(root_, kNone, 0);
    for (std::uint32_t r = 0; attempt > 0 && r < bound_.size(); ++r) {
      if (bound_[r] != 0) settle(r, escape_[r], escape_hops_[r]);
    }
    for (std::uint32_t h = 0; h < level_.size(); ++h) settle_level(h);
    for (bool helped = true; helped;) {
      helped = false;
      stuck.clear();
      for (std::uint32_t r = 0; r < hops_.size(); ++r) {
        if (hops_[r] != kFar || escape_hops_[r] == kFar) continue;
        if (detour(r)) {
          helped = true;
          for (std::uint32_t h = 0; h < level_.size(); ++h) settle_level(h);
        } else {
          stuck.push_back(r);
        }
      }
    }
    if (stuck.empty()) return finish();
    take_back(0);
    if (attempt < kSingleBindings) {
      std::iter_swap(stuck.begin(), std::min_element(stuck.begin(), stuck.end(), [this](auto a, auto b) {
                       return escape_hops_[a] < escape_hops_[b];
                     }));
      stuck.resize(1);
    }
    bind_to_escape(stuck);
  }
}

void NueLane::settle(std::uint32_t router, std::uint32_t channel, std::uint32_t hops) {
  channel_[router] = channel;
  hops_[router] = hops;
  path_load_[router] = channel == kNone ? 0 : path_load_[target_[channel]] + load_[channel];
  if (level_.size() <= hops) level_.resize(hops + std::size_t{1});
  level_[hops].push_back(router);
}

/// Lets the neighbours of all routers this many hops away choose among those.
void NueLane::settle_level(std::uint32_t hops) {
  if (++stamp_now_ == 0) {
    std::fill(stamp_.begin(), stamp_.end(), 0);
    stamp_now_ = 1;
  }
  touched_.clear();
  for (const std::uint32_t r : level_[hops]) {
    if (hops_[r] != hops) continue;
    for (const ChannelId c : network_.in(RouterId(r))) {
      const std::uint32_t from = source_[c.value];
      if (hops_[from] != kFar || stamp_[from] == stamp_now_) continue;
      stamp_[from] = stamp_now_;
      touched_.push_back(from);
    }
  }
  for (const std::uint32_t r : touched_) choose(r, hops);
}

bool NueLane::choose(std::uint32_t router, std::uint32_t hops) {
  choices_.clear();
  for (const ChannelId c : network_.out(RouterId(router))) {
    const std::uint32_t next = target_[c.value];
    if (hops_[next] != hops) continue;
    std::uint64_t kind = 0;
    if (next != root_) {
      const std::uint32_t arc = dependency(c.value, channel_[next]);
      if (ask_again_[arc] > growth_) continue;
      if (!arcs_.contains(arc)) {
        kind = arcs_.position(c.value) < arcs_.position(channel_[next]) ? 1 : 2;
      }
    }
    const std::uint64_t load = path_load_[next] + load_[c.value];
    choices_.push_back({balancing_ ? load << 2 | kind : kind << kClassShift | load, c.value});
  }
  std::sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) {
    return std::tie(a.key, a.channel) < std::tie(b.key, b.channel);
  });
  for (const Choice& choice : choices_) {
    const std::uint32_t next = target_[choice.channel];
    if (next != root_) {
      const std::uint32_t arc = dependency(choice.channel, channel_[next]);
      if (!use(arc)) {
        refuse(arc);
        continue;
      }
    }
    settle(router, choice.channel, hops + 1);
    return true;
  }
  return false;
}

/// Hops of the tree as it is, and its routers in order.
void NueLane::count_hops() {
  std::fill(hops_.begin(), hops_.end(), kFar);
  hops_[root_] = 0;
  escape_root_ = kFar;
  outward_.assign(1, root_);
  for (std::size_t head = 0; head < outward_.size(); ++head) {
    const std::uint32_t r = outward_[head];
    for (const ChannelId c : network_.in(RouterId(r))) {
      const std::uint32_t from = source_[c.value];
      if (channel_[from] != c.value || hops_[from] != kFar) continue;
      hops_[from] = hops_[r] + 1;
      outward_.push_back(from);
    }
  }
}

bool NueLane::use(std::uint32_t arc) {
  if (arcs_.contains(arc)) return true;
  if (!arcs_.add(arc)) return false;
  refusals_[arc] = 0;
  fresh_.push_back(arc);
  return true;
}

/// A dependency that was refused often will be again: it is asked for less and less, since finding out that
/// it closes a cycle is what takes the time.
void NueLane::refuse(std::uint32_t arc) {
  ask_again_[arc] = growth_ + (1U << refusals_[arc]);
  if (refusals_[arc] < kMostRefusals) ++refusals_[arc];
}

void NueLane::take_back(std::size_t size) {
  for (; fresh_.size() > size; fresh_.pop_back()) arcs_.remove(fresh_.back());
}

NueTree NueLane::finish() {
  count_hops();
  NueTree tree;
  tree.root = root_;
  tree.channel = channel_;
  for (const std::uint32_t r : outward_) tree.cost += weight_[r] * hops_[r];
  hold(tree);
  for (const std::uint32_t arc : fresh_) {
    if (uses_[arc] == 0) arcs_.remove(arc);
  }
  fresh_.clear();
  return tree;
}

void NueLane::hold(const NueTree& tree) {
  for (const std::uint32_t c : tree.channel) {
    if (c == kNone || target_[c] == tree.root) continue;
    const std::uint32_t arc = dependency(c, tree.channel[target_[c]]);
    ++uses_[arc];
    arcs_.add(arc);
  }
}

void NueLane::release(const NueTree& tree) {
  for (const std::uint32_t c : tree.channel) {
    if (c == kNone || target_[c] == tree.root) continue;
    const std::uint32_t arc = dependency(c, tree.channel[target_[c]]);
    if (--uses_[arc] == 0 && reserved_[arc] == 0) arcs_.remove(arc);
  }
}

void NueLane::count_load(const NueTree& tree, bool add) {
  channel_ = tree.channel;
  root_ = tree.root;
  count_hops();
  for (const RouterId r : network_.routers()) below_[r.value] = network_.terminals_at(r).size();
  for (std::size_t i = outward_.size(); i-- > 1;) {
    const std::uint32_t r = outward_[i];
    const std::uint32_t c = channel_[r];
    below_[target_[c]] += below_[r];
    load_[c] = add ? load_[c] + below_[r] : load_[c] - below_[r];
  }
}

}  // namespace unknot
