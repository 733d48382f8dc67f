// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace unknot {
namespace {

/// What moves in a step, and the hops it may take.
struct Mover {
  std::uint32_t orbit = 0, target = 0, chunk = 0;
  std::vector<std::uint32_t> hops;
  std::uint32_t chosen = 0;  // number among hops
};

/// Chooses a hop for each mover so that the largest load for its capacity, of all orbits of arcs, is small.
class LoadBalance {
 public:
  explicit LoadBalance(const StepProblem& problem)
      : problem_(problem), leader_(problem.graph->arc_count()), load_(leader_.size(), 0) {
    for (std::uint32_t a = 0; a < leader_.size(); ++a) leader_[a] = a;
    for (const auto& image : problem.hop_image) {
      for (std::size_t h = 0; h < problem.hops.size(); ++h) {
        const auto& arcs = problem.hops[h].arcs;
        for (std::size_t i = 0; i < arcs.size(); ++i) {
          std::uint32_t& least = leader_[arcs[i].value];
          least = std::min(least, problem.hops[image[h]].arcs[i].value);
        }
      }
    }
  }

  void choose(std::vector<Mover>& movers) {
    std::fill(load_.begin(), load_.end(), 0);
    for (Mover& mover : movers) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < mover.hops.size(); ++k) {
        if (peak(mover.hops[k]) < peak(mover.hops[best])) best = k;
      }
      mover.chosen = static_cast<std::uint32_t>(best);
      add(mover.hops[best], 1);
    }
    while (relieve(movers)) {
    }
  }

 private:
  /// The load for its capacity of the hop's busiest arc, were there one more.
  [[nodiscard]] double peak(std::uint32_t hop) const {
    double most = 0;
    for (const ArcId a : problem_.hops[hop].arcs) {
      most = std::max(most, static_cast<double>(load_[leader_[a.value]] + 1) /
                                static_cast<double>(problem_.graph->capacity(a)));
    }
    return most;
  }
  void add(std::uint32_t hop, int count) {
    for (const ArcId a : problem_.hops[hop].arcs) load_[leader_[a.value]] += count;
  }

  /// Takes one mover off an arc that carries most, by a chain of moves to where one more is less than that.
  bool relieve(std::vector<Mover>& movers) {
    double most = 0;
    std::uint32_t busiest = 0;
    for (std::uint32_t a = 0; a < load_.size(); ++a) {
      const double here = static_cast<double>(load_[a]) / problem_.graph->capacity(ArcId(a));
      if (here > most) {
        most = here;
        busiest = a;
      }
    }
    std::vector<std::vector<std::size_t>> on_arc(load_.size());
    for (std::size_t m = 0; m < movers.size(); ++m) {
      for (const ArcId a : problem_.hops[movers[m].hops[movers[m].chosen]].arcs)
        on_arc[leader_[a.value]].push_back(m);
    }
    struct Reached {
      std::uint32_t arc;
      std::size_t before, mover, option;
    };
    std::vector<Reached> queue{{busiest, 0, 0, 0}};
    std::vector<bool> seen(load_.size(), false);
    seen[busiest] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::size_t m : on_arc[queue[i].arc]) {
        const Mover& mover = movers[m];
        for (std::size_t k = 0; k < mover.hops.size(); ++k) {
          if (k == mover.chosen) continue;
          const auto& arcs = problem_.hops[mover.hops[k]].arcs;
          if (peak(mover.hops[k]) < most - kNothing) {
            add(mover.hops[mover.chosen], -1);
            add(mover.hops[k], 1);
            movers[m].chosen = static_cast<std::uint32_t>(k);
            for (std::size_t at = i; at != 0; at = queue[at].before) {
              Mover& other = movers[queue[at].mover];
              add(other.hops[other.chosen], -1);
              other.chosen = static_cast<std::uint32_t>(queue[at].option);
              add(other.hops[other.chosen], 1);
            }
            return true;
          }
          // Chains go on where a hop is one arc, which then is as full as it may be.
          if (arcs.size() != 1 || seen[leader_[arcs[0].value]]) continue;
          seen[leader_[arcs[0].value]] = true;
          queue.push_back({leader_[arcs[0].value], i, m, k});
        }
      }
    }
    return false;
  }

  static constexpr double kNothing = 1e-9;
  const StepProblem& problem_;
  std::vector<std::uint32_t> leader_;  // by arc: the least of its orbit
  std::vector<std::int64_t> load_;     // by leader
};

class LayerMaker {
 public:
  LayerMaker(const StepProblem& problem, std::uint32_t chunks)
      : problem_(problem), orbits_(problem.source_orbits()), balance_(problem) {
    schedule_.chunks = chunks;
    number_.assign(problem.ranks(), 0);
    for (std::uint32_t i = 0; i < problem.sources.size(); ++i) number_[problem.sources[i].rank] = i;
  }

  StepSchedule run() {
    std::vector<Mover> messages;
    std::vector<std::uint32_t> at;
    for (std::uint32_t i = 0; problem_.personal && i < orbits_.size(); ++i) {
      for (const std::uint32_t t : problem_.sources[orbits_[i]].targets) {
        for (std::uint32_t c = 0; c < schedule_.chunks; ++c) {
          messages.push_back({i, t, c, {}, 0});
          at.push_back(problem_.sources[orbits_[i]].rank);
        }
      }
    }
    const std::uint32_t steps = problem_.least_steps();
    for (std::uint32_t step = 0; step < steps; ++step) {
      std::vector<Mover> movers = problem_.personal ? on_their_way(messages, at) : newly_reached(step);
      balance_.choose(movers);
      add_step(movers);
      if (!problem_.personal) continue;
      std::size_t next = 0;
      for (std::size_t m = 0; m < messages.size(); ++m) {
        if (at[m] == messages[m].target) continue;
        at[m] = problem_.hops[movers[next].hops[movers[next].chosen]].to;
        ++next;
      }
    }
    return std::move(schedule_);
  }

 private:
  [[nodiscard]] std::vector<Mover> on_their_way(const std::vector<Mover>& messages,
                                                const std::vector<std::uint32_t>& at) const {
    std::vector<Mover> movers;
    for (std::size_t m = 0; m < messages.size(); ++m) {
      if (at[m] == messages[m].target) continue;
      Mover mover = messages[m];
      for (std::uint32_t h = problem_.first_hop[at[m]]; h < problem_.first_hop[at[m] + 1]; ++h) {
        if (problem_.distance[problem_.hops[h].to][mover.target] + 1 ==
            problem_.distance[at[m]][mover.target])
          mover.hops.push_back(h);
      }
      movers.push_back(std::move(mover));
    }
    return movers;
  }
  [[nodiscard]] std::vector<Mover> newly_reached(std::uint32_t step) const {
    std::vector<Mover> movers;
    for (std::uint32_t i = 0; i < orbits_.size(); ++i) {
      const std::vector<std::uint32_t>& far = problem_.distance[problem_.sources[orbits_[i]].rank];
      std::vector<std::vector<std::uint32_t>> into(problem_.ranks());
      for (std::uint32_t h = 0; h < problem_.hops.size(); ++h) {
        const StepHop& hop = problem_.hops[h];
        if (far[hop.from] == step && far[hop.to] == step + 1) into[hop.to].push_back(h);
      }
      for (std::uint32_t c = 0; c < schedule_.chunks; ++c) {
        for (const std::vector<std::uint32_t>& hops : into) {
          if (!hops.empty()) movers.push_back({i, 0, c, hops, 0});
        }
      }
    }
    return movers;
  }
  void add_step(const std::vector<Mover>& movers) {
    std::vector<StepSend>& step = schedule_.steps.emplace_back();
    for (const Mover& mover : movers) {
      const std::uint32_t rank = problem_.sources[orbits_[mover.orbit]].rank;
      for (std::uint32_t e = 0; e < problem_.elements(); ++e) {
        step.push_back({number_[problem_.rank_image[e][rank]],
                        problem_.personal ? problem_.rank_image[e][mover.target] : 0, mover.chunk,
                        problem_.hop_image[e][mover.hops[mover.chosen]]});
      }
    }
  }

  const StepProblem& problem_;
  std::vector<std::uint32_t> orbits_, number_;
  LoadBalance balance_;
  StepSchedule schedule_;
};

}  // namespace

StepSchedule layered_schedule(const StepProblem& problem, std::uint32_t chunks) {
  return LayerMaker(problem, chunks).run();
}

}  // namespace unknot
