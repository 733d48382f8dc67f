// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/lay_rounds.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Of the program among the bounds: rounds are many, so that it is solved where that takes milliseconds.
constexpr std::uint64_t kMostColumns = 2000;

/// Whether a part fits in one step is asked for often, and soon seen where it does.
constexpr std::uint32_t kOneStep = 10;

/// Transfers of a round, as numbers.
using Part = std::vector<std::uint32_t>;

class Layer {
 public:
  Layer(const CombinedProblem& problem, const CombinedSchedule& rounds, const CombiningOptions& options,
        Progress& progress)
      : problem_(problem), rounds_(rounds), progress_(progress) {
    solving_.seed = options.seed;
    solving_.threads = options.threads;
    // Rounds differ, and looking for their automorphisms takes longer than laying them.
    const char* const solver =
        problem.base.routes == nullptr ? "packing:symmetry=0,effort=" : "on-routes:effort=";
    packing_ = solver + std::to_string(options.effort);
    one_step_ = solver + std::to_string(std::max(1U, options.effort / kOneStep));
  }

  CombinedSchedule run() {
    for (std::uint32_t round = 0; round < rounds_.step_count(); ++round) {
      Part part;
      for (std::uint32_t t = rounds_.step_begin(round); t < rounds_.step_end(round); ++t) part.push_back(t);
      if (part.empty()) continue;
      if (progress_.interrupted()) throw Interrupted();
      if (problem_.reduces()) {
        divide(part);
      } else {
        lay(part, *packed(part, 0));
      }
    }
    return std::move(result_);
  }

 private:
  /// Paths for all transfers of a part, in this many steps, or in as few as are found (0). The same ends come
  /// again and again: what was found is kept.
  const std::optional<Schedule>& packed(const Part& part, std::uint32_t steps) {
    std::vector<MessageEnds> ends;
    for (const std::uint32_t t : part) ends.push_back({rounds_.sender(t), rounds_.receiver(t)});
    std::sort(ends.begin(), ends.end());
    const auto [known, is_new] = packed_.try_emplace({ends, steps});
    if (!is_new) return known->second;
    const Problem scatter =
        make_problem("MNS", problem_.base.graph, Delivery::scatter, std::move(ends), problem_.base);
    solving_.lower_bound = lower_bound(scatter, {.most_columns = kMostColumns}).steps;
    solving_.steps = steps;
    if (steps > 0 && steps < solving_.lower_bound) return known->second;
    Solution found = solve(scatter, steps == 1 ? one_step_ : packing_, solving_, progress_);
    if (found.conflicts == 0) {
      known->second = std::move(found.schedule);
    } else if (steps == 0) {
      throw std::runtime_error("no schedule for the transfers of a round");
    }
    return known->second;
  }

  void lay(const Part& part, const Schedule& paths) {
    for (std::uint32_t step = 0; step < paths.step_count(); ++step) {
      result_.add_step();
      for (std::uint32_t p = paths.step_begin(step); p < paths.step_end(step); ++p) {
        const auto found = std::find_if(part.begin(), part.end(), [&](std::uint32_t t) {
          return rounds_.sender(t) == paths.distributor(p) && rounds_.receiver(t) == paths.receiver(p);
        });
        result_.add(paths.path(p), rounds_.blocks(*found), rounds_.combines(*found));
      }
    }
  }

  /// True when no node that gets a block before the cut sends it after the cut.
  [[nodiscard]] bool may_cut(const Part& part, std::size_t cut) const {
    for (std::size_t i = 0; i < cut; ++i) {
      for (std::size_t j = cut; j < part.size(); ++j) {
        if (rounds_.receiver(part[i]) != rounds_.sender(part[j])) continue;
        const auto got = rounds_.blocks(part[i]);
        const auto sent = rounds_.blocks(part[j]);
        if (std::find_first_of(got.begin(), got.end(), sent.begin(), sent.end()) != got.end()) return false;
      }
    }
    return true;
  }

  void divide(const Part& part) {
    if (const std::optional<Schedule>& paths = packed(part, 1)) {
      lay(part, *paths);
      return;
    }
    // the allowed cut that is nearest to the middle
    for (std::size_t far = 0; far < part.size(); ++far) {
      const std::size_t middle = part.size() / 2;
      const std::size_t cut = far % 2 == 0 ? middle - far / 2 : middle + (far + 1) / 2;
      if (cut == 0 || cut >= part.size() || !may_cut(part, cut)) continue;
      divide(Part(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(cut)));
      divide(Part(part.begin() + static_cast<std::ptrdiff_t>(cut), part.end()));
      return;
    }
    if (part.size() != 2) throw std::runtime_error("a round that can be neither laid nor divided");
    send_and_return(part);
  }

  /// Two nodes exchange: one adds up, and sends the sum back.
  void send_and_return(const Part& part) {
    for (const std::uint32_t t : part) {
      const Schedule paths = *packed({t}, 1);
      result_.add_step();
      result_.add(paths.path(0), rounds_.blocks(t), rounds_.combines(t) && t == part.front());
    }
  }

  const CombinedProblem& problem_;
  const CombinedSchedule& rounds_;
  Progress& progress_;
  SolveOptions solving_;
  std::string packing_, one_step_;  // the solver, and with less effort where a part is divided else
  std::map<std::pair<std::vector<MessageEnds>, std::uint32_t>, std::optional<Schedule>> packed_;
  CombinedSchedule result_;
};

}  // namespace

CombinedSchedule lay_rounds(const CombinedProblem& problem, const CombinedSchedule& rounds,
                            const CombiningOptions& options, Progress& progress) {
  return Layer(problem, rounds, options, progress).run();
}

}  // namespace unknot
