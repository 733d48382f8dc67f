// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_proof.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace unknot {
namespace {

constexpr std::uint64_t kMostWork = 200'000'000;
constexpr std::uint32_t kMostMultiple = 5040;
constexpr double kRounded = 1e-9;
constexpr std::uint64_t kNever = 0xFFFFFFFFFFFFULL;

/// Least weights of ways from a node to others within all steps; waiting weighs nothing.
class Distances {
 public:
  explicit Distances(const StepProblem& problem) : problem_(problem) {}

  /// `weight` by step and hop.
  const std::vector<std::uint64_t>& from(std::uint32_t rank, std::span<const std::uint32_t> weight) {
    const std::size_t hops = problem_.hops.size();
    now_.assign(problem_.ranks(), kNever);
    now_[rank] = 0;
    for (std::size_t first = 0; first < weight.size(); first += hops) {
      next_ = now_;
      for (std::size_t h = 0; h < hops; ++h) {
        const StepHop& hop = problem_.hops[h];
        next_[hop.to] = std::min(next_[hop.to], now_[hop.from] + weight[first + h]);
      }
      now_.swap(next_);
    }
    return now_;
  }

 private:
  const StepProblem& problem_;
  std::vector<std::uint64_t> now_, next_;
};

/// By step and hop.
std::vector<std::uint32_t> hop_weights(const StepProblem& problem, std::uint32_t steps,
                                       const std::vector<std::uint32_t>& arc_weight) {
  std::vector<std::uint32_t> result;
  result.reserve(steps * problem.hops.size());
  for (std::uint32_t s = 0; s < steps; ++s) {
    for (const StepHop& hop : problem.hops) {
      std::uint32_t sum = 0;
      for (const ArcId a : hop.arcs) sum += arc_weight[std::size_t{s} * problem.graph->arc_count() + a.value];
      result.push_back(sum);
    }
  }
  return result;
}

std::uint64_t largest_budget(const StepProblem& problem, std::uint32_t steps,
                             const std::vector<std::uint32_t>& arc_weight) {
  std::uint64_t most = 1;
  for (std::uint32_t s = 0; s < steps; ++s) {
    std::uint64_t budget = 0;
    for (const ArcId a : problem.graph->arcs()) {
      budget += std::uint64_t{problem.graph->capacity(a)} *
                arc_weight[std::size_t{s} * problem.graph->arc_count() + a.value];
    }
    most = std::max(most, budget);
  }
  return most;
}

/// Rounded multiples of prices, of the sources of orbits alone.
struct Rounded {
  std::vector<std::uint32_t> arc_weight, part;
};

class ProofMaker {
 public:
  ProofMaker(const StepProblem& problem, std::uint32_t steps, const StepProgram& program)
      : problem_(problem),
        steps_(steps),
        program_(program),
        orbits_(problem.source_orbits()),
        place_(std::size_t{steps} * problem.hops.size()),
        distances_(problem) {}

  StepProof run() {
    const std::uint64_t size =
        program_.flow_price.size() + program_.arc_price.size() + place_ * (1 + orbits_.size());
    const auto most = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(kMostWork / std::max<std::uint64_t>(size, 1), 1, kMostMultiple));
    Rounded best;
    Fraction least;
    for (std::uint32_t multiple = 1; multiple <= most && least.value() < program_.time - kRounded;
         ++multiple) {
      Rounded tried = rounded(multiple * unit());
      const Fraction time = time_of(tried);
      if (time <= least) continue;
      least = time;
      best = std::move(tried);
    }
    return count_proof(problem_, whole(best));
  }

 private:
  /// The largest price becomes 1 by it.
  double unit() const {
    const double most = program_.arc_price.empty()
                            ? 0
                            : *std::max_element(program_.arc_price.begin(), program_.arc_price.end());
    return most > 0 ? 1 / most : 1;
  }
  Rounded rounded(double factor) const {
    Rounded result;
    const auto round = [&](double price) { return static_cast<std::uint32_t>(std::lround(price * factor)); };
    std::transform(program_.arc_price.begin(), program_.arc_price.end(),
                   std::back_inserter(result.arc_weight), round);
    std::transform(program_.flow_price.begin(), program_.flow_price.end(), std::back_inserter(result.part),
                   round);
    if (problem_.personal) return result;
    // Parts of a hop that are more than its weights are cut down.
    const std::vector<std::uint32_t> weight = hop_weights(problem_, steps_, result.arc_weight);
    std::size_t flow = 0;
    for (const std::uint32_t i : orbits_) {
      const std::size_t flows = problem_.sources[i].targets.size();
      for (std::size_t at = 0; at < place_; ++at) {
        std::uint32_t left = weight[at];
        for (std::size_t k = flow; k < flow + flows; ++k) {
          std::uint32_t& part = result.part[k * place_ + at];
          part = std::min(part, left);
          left -= part;
        }
      }
      flow += flows;
    }
    return result;
  }
  Fraction time_of(const Rounded& tried) {
    std::uint64_t sum = 0;
    std::size_t flow = 0;
    const std::vector<std::uint32_t> weight =
        problem_.personal ? hop_weights(problem_, steps_, tried.arc_weight) : std::vector<std::uint32_t>{};
    for (const std::uint32_t i : orbits_) {
      const StepProblem::Source& source = problem_.sources[i];
      if (problem_.personal) {
        const std::vector<std::uint64_t>& far = distances_.from(source.rank, weight);
        for (const std::uint32_t target : source.targets) sum += far[target];
        continue;
      }
      for (const std::uint32_t target : source.targets) {
        sum += distances_.from(
            source.rank, std::span<const std::uint32_t>(tried.part).subspan(flow * place_, place_))[target];
        ++flow;
      }
    }
    return {sum * problem_.elements(), largest_budget(problem_, steps_, tried.arc_weight)};
  }
  /// The same for all images.
  StepProof whole(const Rounded& rounded) const {
    StepProof proof;
    proof.steps = steps_;
    proof.arc_weight = rounded.arc_weight;
    if (problem_.personal || rounded.part.empty()) return proof;
    std::vector<std::size_t> first(problem_.ranks(), 0);  // flow of a source's first target, by rank
    std::vector<std::uint32_t> number(problem_.ranks(), 0);
    std::size_t flows = 0;
    for (std::uint32_t i = 0; i < problem_.sources.size(); ++i) {
      first[problem_.sources[i].rank] = flows;
      number[problem_.sources[i].rank] = i;
      flows += problem_.sources[i].targets.size();
    }
    proof.part.assign(flows * place_, 0);
    std::size_t flow = 0;
    for (const std::uint32_t i : orbits_) {
      const StepProblem::Source& source = problem_.sources[i];
      for (const std::uint32_t target : source.targets) {
        for (std::uint32_t e = 0; e < problem_.elements(); ++e) {
          const std::uint32_t from = problem_.rank_image[e][source.rank];
          const auto& targets = problem_.sources[number[from]].targets;
          const auto at = std::lower_bound(targets.begin(), targets.end(), problem_.rank_image[e][target]);
          const std::size_t there = first[from] + static_cast<std::size_t>(at - targets.begin());
          for (std::size_t s = 0; s < steps_; ++s) {
            for (std::size_t h = 0; h < problem_.hops.size(); ++h) {
              proof.part[there * place_ + s * problem_.hops.size() + problem_.hop_image[e][h]] =
                  rounded.part[flow * place_ + s * problem_.hops.size() + h];
            }
          }
        }
        ++flow;
      }
    }
    return proof;
  }

  const StepProblem& problem_;
  std::uint32_t steps_;
  const StepProgram& program_;
  std::vector<std::uint32_t> orbits_;
  std::size_t place_;  // steps times hops
  Distances distances_;
};

}  // namespace

StepProof count_proof(const StepProblem& problem, StepProof proof) {
  proof.distance = 0;
  proof.budget = 1;
  const std::size_t place = std::size_t{proof.steps} * problem.hops.size();
  if (proof.arc_weight.size() != std::size_t{proof.steps} * problem.graph->arc_count()) return proof;
  proof.budget = largest_budget(problem, proof.steps, proof.arc_weight);
  const std::vector<std::uint32_t> weight = hop_weights(problem, proof.steps, proof.arc_weight);
  Distances distances(problem);
  std::size_t flow = 0;
  std::uint64_t sum = 0;
  for (const StepProblem::Source& source : problem.sources) {
    if (problem.personal) {
      const std::vector<std::uint64_t>& far = distances.from(source.rank, weight);
      for (const std::uint32_t target : source.targets) sum += far[target];
      continue;
    }
    std::vector<std::uint64_t> parts(place, 0);
    for (const std::uint32_t target : source.targets) {
      if (proof.part.size() < (flow + 1) * place) return proof;
      const auto of_flow = std::span<const std::uint32_t>(proof.part).subspan(flow * place, place);
      for (std::size_t at = 0; at < place; ++at) parts[at] += of_flow[at];
      sum += distances.from(source.rank, of_flow)[target];
      ++flow;
    }
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (parts[at] > weight[at]) return proof;
    }
  }
  proof.distance = sum;
  return proof;
}

StepProof make_proof(const StepProblem& problem, std::uint32_t steps, const StepProgram& program) {
  return ProofMaker(problem, steps, program).run();
}

}  // namespace unknot
