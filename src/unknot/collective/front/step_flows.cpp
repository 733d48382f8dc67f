// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_flows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace unknot {
namespace {

constexpr double kNearlyWhole = 1e-5;
constexpr std::uint32_t kManyChunks = 120;  // where nothing is whole

std::uint32_t whole_chunks(const std::vector<double>& sent, std::uint32_t most) {
  for (std::uint32_t chunks = 1; chunks <= most; ++chunks) {
    const bool whole = std::all_of(sent.begin(), sent.end(), [&](double x) {
      return std::abs(x * chunks - std::round(x * chunks)) < kNearlyWhole * chunks;
    });
    if (whole) return chunks;
  }
  return 0;
}

/// What one source sends, followed through steps, way by way.
class Follower {
 public:
  Follower(const StepProblem& problem, const StepProblem::Source& source, std::uint32_t steps,
           std::span<const double> sent)
      : problem_(problem),
        source_(source),
        steps_(steps),
        sent_(sent.begin(), sent.end()),
        wait_(std::size_t{steps} * problem.ranks(), 0) {
    find_waits();
  }

  /// A part of a message, from the source to wherever it gets: the hops, and the steps they are in.
  struct Way {
    std::uint32_t target = 0;
    double part = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hops;  // step, hop
  };
  std::vector<Way> ways() {
    std::vector<Way> result;
    for (std::uint32_t start = 0; start < steps_; ++start) {
      for (Way way = next(start); !way.hops.empty(); way = next(start)) result.push_back(std::move(way));
    }
    return result;
  }

 private:
  /// What each keeps while a step goes on: all that has come and not gone.
  void find_waits() {
    std::vector<double> held(problem_.ranks(), 0);
    const std::size_t hops = problem_.hops.size();
    for (std::uint32_t s = 0; s < steps_; ++s) {
      for (std::size_t h = 0; h < hops; ++h) held[problem_.hops[h].from] -= sent_[s * hops + h];
      for (std::uint32_t r = 0; r < problem_.ranks(); ++r) {
        if (r != source_.rank) wait_[std::size_t{s} * problem_.ranks() + r] = held[r];
      }
      for (std::size_t h = 0; h < hops; ++h) held[problem_.hops[h].to] += sent_[s * hops + h];
    }
  }
  /// One that begins in a step; without hops where there is none.
  Way next(std::uint32_t start) {
    Way way;
    std::vector<double*> taken;
    std::uint32_t at = source_.rank;
    double part = 2;
    for (std::uint32_t s = start; s < steps_; ++s) {
      double* most = s == start ? nullptr : &wait_[std::size_t{s} * problem_.ranks() + at];
      std::uint32_t hop = Problem::kNone;
      for (std::uint32_t h = problem_.first_hop[at]; h < problem_.first_hop[at + 1]; ++h) {
        double* const here = &sent_[std::size_t{s} * problem_.hops.size() + h];
        if (most != nullptr && *here <= *most) continue;
        most = here;
        hop = h;
      }
      if (most == nullptr || *most < kNothing) break;
      part = std::min(part, *most);
      taken.push_back(most);
      if (hop == Problem::kNone) continue;
      at = problem_.hops[hop].to;
      way.hops.emplace_back(s, hop);
      cut_loop(way, at);
    }
    if (taken.size() + start < steps_) return {};
    for (double* const one : taken) *one -= part;
    way.target = at;
    way.part = part;
    return way;
  }

  /// Of a way that comes back to where it was already: it waits there.
  void cut_loop(Way& way, std::uint32_t at) const {
    for (std::size_t i = 0; i + 1 < way.hops.size(); ++i) {
      if (problem_.hops[way.hops[i].second].to == at) way.hops.resize(i + 1);
    }
  }

  static constexpr double kNothing = 1e-7;
  const StepProblem& problem_;
  const StepProblem::Source& source_;
  std::uint32_t steps_;
  std::vector<double> sent_;  // by step and hop
  std::vector<double> wait_;  // by step and rank
};

/// Whole chunks for the ways to each target: as many as their parts say, what is left to those that miss
/// most.
std::vector<std::uint32_t> whole_parts(const std::vector<Follower::Way>& ways, std::uint32_t ranks,
                                       std::uint32_t chunks) {
  std::vector<std::vector<std::size_t>> of_target(ranks);
  for (std::size_t i = 0; i < ways.size(); ++i) of_target[ways[i].target].push_back(i);
  std::vector<std::uint32_t> whole(ways.size(), 0);
  for (std::vector<std::size_t>& mine : of_target) {
    double all = 0;
    for (const std::size_t i : mine) all += ways[i].part;
    std::uint32_t given = 0;
    const auto exact = [&](std::size_t i) { return ways[i].part / all * chunks; };
    for (const std::size_t i : mine) {
      whole[i] = static_cast<std::uint32_t>(exact(i) + kNearlyWhole);
      given += whole[i];
    }
    std::stable_sort(mine.begin(), mine.end(),
                     [&](std::size_t a, std::size_t b) { return exact(a) - whole[a] > exact(b) - whole[b]; });
    for (std::size_t k = 0; given < chunks && k < mine.size(); ++k, ++given) ++whole[mine[k]];
  }
  return whole;
}

}  // namespace

std::optional<StepSchedule> chunks_of(const StepProblem& problem, std::uint32_t steps,
                                      const StepProgram& program, std::uint32_t most) {
  const std::uint32_t exact = whole_chunks(program.sent, most);
  const std::uint32_t chunks = exact > 0 ? exact : std::min(most, kManyChunks);
  StepSchedule schedule;
  schedule.chunks = chunks;
  schedule.steps.resize(steps);
  std::vector<std::uint32_t> number(problem.ranks(), 0);
  for (std::uint32_t i = 0; i < problem.sources.size(); ++i) number[problem.sources[i].rank] = i;
  const std::vector<std::uint32_t> orbits = problem.source_orbits();
  const std::size_t place = std::size_t{steps} * problem.hops.size();
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    const StepProblem::Source& source = problem.sources[orbits[i]];
    const std::vector<Follower::Way> ways =
        Follower(problem, source, steps, std::span(program.sent).subspan(i * place, place)).ways();
    const std::vector<std::uint32_t> whole = whole_parts(ways, problem.ranks(), chunks);
    std::vector<std::uint32_t> next(problem.ranks(), 0);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      for (std::uint32_t copy = 0; copy < whole[w]; ++copy) {
        const std::uint32_t chunk = next[ways[w].target]++;
        for (const auto& [s, h] : ways[w].hops) {
          for (std::uint32_t e = 0; e < problem.elements(); ++e) {
            schedule.steps[s].push_back({number[problem.rank_image[e][source.rank]],
                                         problem.rank_image[e][ways[w].target], chunk,
                                         problem.hop_image[e][h]});
          }
        }
      }
    }
    const bool all = std::all_of(source.targets.begin(), source.targets.end(),
                                 [&](std::uint32_t t) { return next[t] == chunks; });
    if (!all) return std::nullopt;
  }
  return schedule;
}

}  // namespace unknot
