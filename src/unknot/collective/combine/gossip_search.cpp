// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/gossip_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/collective/combine/combining_bound.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = Problem::kNone;
/// By which what a sender has to tell counts less for each hop: of one try, then the next.
constexpr std::array<double, 4> kNearness = {0.9, 1.0, 0.7, 0.5};

struct Hop {
  std::uint32_t step, from, to;  // ranks
  std::vector<NodeId> path;
};

/// Who may tell whom in which step.
struct Talk {
  std::uint32_t steps = 0;
  std::vector<Hop> hops;  // by step
};

/// Makes one talk after another.
class Talks {
 public:
  Talks(const CombinedProblem& problem, Random& random)
      : problem_(problem),
        base_(problem.base),
        graph_(*base_.graph),
        random_(random),
        ranks_(problem.nodes.size()),
        words_((base_.groups() + 63) / 64),
        wanted_(ranks_ * words_, 0),
        rank_of_(graph_.node_count(), kNone),
        arcs_(graph_.arc_count()),
        links_(graph_.link_count()),
        next_(graph_.node_count()),
        hops_(graph_.node_count()) {
    for (std::uint32_t r = 0; r < ranks_; ++r) rank_of_[problem.nodes[r].value] = r;
    for (std::uint32_t g = 0; g < base_.groups(); ++g) {
      for (const NodeId n : base_.partners(g)) set(wanted_, rank_of_[n.value], g);
    }
  }

  /// Of at most this many steps; nothing where that is not enough.
  std::optional<Talk> make(double nearness, std::uint32_t most_steps) {
    nearness_ = nearness;
    known_.assign(ranks_ * words_, 0);
    for (std::uint32_t g = 0; g < base_.groups(); ++g) set(known_, rank_of_[base_.owner[g].value], g);
    Talk talk;
    while (!is_done()) {
      if (talk.steps == most_steps || !add_step(talk)) return std::nullopt;
    }
    return talk;
  }

 private:
  void set(std::vector<std::uint64_t>& sets, std::uint32_t rank, std::uint32_t group) const {
    sets[rank * words_ + group / 64] |= std::uint64_t{1} << (group % 64);
  }
  [[nodiscard]] bool is_done() const {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if ((wanted_[i] & ~known_[i]) != 0) return false;
    }
    return true;
  }
  /// What a receiver would learn from a sender; what it wants itself counts most.
  [[nodiscard]] double gain(std::uint32_t from, std::uint32_t to) const {
    int wanted = 0, other = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t more = known_[from * words_ + w] & ~later_[to * words_ + w];
      wanted += std::popcount(more & wanted_[to * words_ + w]);
      other += std::popcount(more & ~wanted_[to * words_ + w]);
    }
    return wanted + 0.1 * other;
  }

  /// False where nobody learns anything.
  bool add_step(Talk& talk) {
    later_ = known_;
    for (const ArcId a : graph_.arcs()) arcs_[a.value] = graph_.capacity(a);
    for (std::uint32_t l = 0; l < graph_.link_count(); ++l) links_[l] = graph_.link_capacity(l);
    sends_.resize(ranks_);
    receives_.resize(ranks_);
    std::vector<std::uint32_t> order(ranks_);
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      sends_[r] = base_.send_limit(problem_.nodes[r]);
      receives_[r] = base_.receive_limit(problem_.nodes[r]);
      order[r] = r;
    }
    const std::size_t before = talk.hops.size();
    while (!order.empty()) {
      random_.shuffle(order);
      std::erase_if(order, [&](std::uint32_t r) { return receives_[r] == 0 || !receive(r, talk); });
    }
    ++talk.steps;
    known_ = later_;
    return talk.hops.size() > before;
  }

  /// One more transfer to a node; false where there is none that tells it anything.
  bool receive(std::uint32_t to, Talk& talk) {
    const NodeId target = problem_.nodes[to];
    hops_.assign(hops_.size(), kNone);
    hops_[target.value] = 0;
    queue_.assign(1, target);
    double best = 0;
    std::uint32_t from = kNone;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const NodeId n = queue_[i];
      const std::uint32_t rank = rank_of_[n.value];
      if (i > 0 && rank != kNone && sends_[rank] > 0 && is_allowed(n, target)) {
        double score = gain(rank, to);
        for (std::uint32_t h = 1; h < hops_[n.value]; ++h) score *= nearness_;
        if (score > 0) score += 1e-3 * random_.unit();
        if (score > best) {
          best = score;
          from = rank;
        }
      }
      if (graph_.is_leaf(n) && i > 0) continue;
      for (const ArcId a : graph_.in(n)) {
        const NodeId tail = graph_.tail(a);
        if (arcs_[a.value] == 0 || links_[graph_.link(a)] == 0 || hops_[tail.value] != kNone) continue;
        hops_[tail.value] = hops_[n.value] + 1;
        next_[tail.value] = a;
        queue_.push_back(tail);
      }
    }
    if (from == kNone) return false;
    take(from, to, talk);
    return true;
  }

  [[nodiscard]] bool is_allowed(NodeId from, NodeId to) {
    if (base_.extra_hops == Problem::kAnyLength) return true;
    if (distance_.empty()) distance_.resize(graph_.node_count());
    std::vector<std::uint32_t>& row = distance_[from.value];
    if (row.empty()) graph_.distances_from(from, row);
    return hops_[from.value] <= std::uint64_t{row[to.value]} + base_.extra_hops;
  }

  void take(std::uint32_t from, std::uint32_t to, Talk& talk) {
    Hop hop{talk.steps, from, to, {problem_.nodes[from]}};
    while (hop.path.back() != problem_.nodes[to]) {
      const ArcId a = next_[hop.path.back().value];
      --arcs_[a.value];
      if (graph_.link_class() == LinkClass::half_duplex) --links_[graph_.link(a)];
      hop.path.push_back(graph_.head(a));
    }
    --sends_[from];
    --receives_[to];
    for (std::size_t w = 0; w < words_; ++w) later_[to * words_ + w] |= known_[from * words_ + w];
    talk.hops.push_back(std::move(hop));
  }

  const CombinedProblem& problem_;
  const Problem& base_;
  const NodeGraph& graph_;
  Random& random_;
  std::size_t ranks_, words_;
  std::vector<std::uint64_t> wanted_;        // by rank: groups it is to hear of
  std::vector<std::uint32_t> rank_of_;       // by node
  std::vector<std::uint32_t> arcs_, links_;  // what is free in the step
  std::vector<ArcId> next_;                  // by node: towards the receiver
  std::vector<std::uint32_t> hops_;          // by node: to it
  std::vector<NodeId> queue_;
  std::vector<std::uint32_t> sends_, receives_;  // by rank: ports that are free
  std::vector<std::uint64_t> known_, later_;     // by rank: groups, before and after the step
  std::vector<std::vector<std::uint32_t>> distance_;
  double nearness_ = 1;
};

/// Gives every block its way. By hop: the blocks it carries.
std::vector<std::vector<Block>> carried(const CombinedProblem& problem, const Talk& talk) {
  const Problem& base = problem.base;
  const bool scatter = base.delivery == Delivery::scatter;
  std::vector<std::vector<Block>> blocks(talk.hops.size());
  std::vector<std::uint32_t> came_by(problem.nodes.size());  // by rank: the hop; kNone: it does not have it
  std::vector<std::uint8_t> used(talk.hops.size());
  for (std::uint32_t g = 0; g < base.groups(); ++g) {
    const std::uint32_t owner = problem.rank_of(base.owner[g]);
    std::fill(came_by.begin(), came_by.end(), kNone);
    for (std::uint32_t h = 0; h < talk.hops.size(); ++h) {
      const Hop& hop = talk.hops[h];
      const auto has_before = [&](std::uint32_t rank) {
        return rank == owner || (came_by[rank] != kNone && talk.hops[came_by[rank]].step < hop.step);
      };
      if (!has_before(hop.from) || has_before(hop.to)) continue;
      std::uint32_t& way = came_by[hop.to];
      if (way == kNone || blocks[h].size() < blocks[way].size()) way = h;
    }
    std::fill(used.begin(), used.end(), 0);
    for (const NodeId n : base.partners(g)) {
      for (std::uint32_t rank = problem.rank_of(n); rank != owner; rank = talk.hops[came_by[rank]].from) {
        const std::uint32_t h = came_by[rank];
        if (scatter) {
          blocks[h].push_back({base.owner[g], n.value});
        } else if (std::exchange(used[h], 1) == 0) {
          for (std::uint32_t piece = 0; piece < problem.pieces; ++piece)
            blocks[h].push_back({base.owner[g], piece});
        }
      }
    }
  }
  return blocks;
}

CombinedSchedule schedule_of(const Talk& talk, const std::vector<std::vector<Block>>& blocks) {
  CombinedSchedule schedule;
  std::size_t h = 0;
  for (std::uint32_t step = 0; step < talk.steps; ++step) {
    schedule.add_step();
    for (; h < talk.hops.size() && talk.hops[h].step == step; ++h) {
      if (!blocks[h].empty()) schedule.add(talk.hops[h].path, blocks[h]);
    }
  }
  return schedule;
}

/// The largest transfers of all steps together.
std::uint64_t load_of(const Talk& talk, const std::vector<std::vector<Block>>& blocks) {
  std::vector<std::uint64_t> largest(talk.steps, 0);
  for (std::size_t h = 0; h < blocks.size(); ++h) {
    std::uint64_t& most = largest[talk.hops[h].step];
    most = std::max<std::uint64_t>(most, blocks[h].size());
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t most : largest) sum += most;
  return sum;
}

}  // namespace

CombinedSchedule gossip_search(const CombinedProblem& problem, const CombiningOptions& options,
                               Progress& progress) {
  Random random(options.seed);
  Talks talks(problem, random);
  Talk best;
  std::vector<std::vector<Block>> best_blocks;
  std::uint64_t best_load = 0;
  std::uint32_t most = problem.base.messages();  // steps: one message in each is always possible
  progress.begin("tries of a search for few steps", options.tries);
  for (std::uint32_t i = 0; i < options.tries; ++i) {
    if (progress.interrupted()) throw Interrupted();
    progress.update(i);
    std::optional<Talk> talk = talks.make(kNearness[i % kNearness.size()], most);
    if (!talk) continue;
    auto blocks = carried(problem, *talk);
    const std::uint64_t load = load_of(*talk, blocks);
    if (best.steps != 0 && talk->steps == best.steps && load >= best_load) continue;
    most = talk->steps;
    best = std::move(*talk);
    best_blocks = std::move(blocks);
    best_load = load;
  }
  if (best.steps == 0) throw InputError("no way was found for every message");
  return schedule_of(best, best_blocks);
}

}  // namespace unknot
