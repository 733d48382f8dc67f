// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/grouped_choices.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/model/joined_groups.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostColumns = 2000;  // of the program among the bounds

CombinedProblem alone(const CombinedProblem& problem, const std::vector<NodeId>& group) {
  const Problem& base = problem.base;
  std::vector<MessageEnds> messages;
  for (std::uint32_t g = 0; g < base.groups(); ++g) {
    if (!std::binary_search(group.begin(), group.end(), base.owner[g])) continue;
    for (const NodeId n : base.partners(g)) messages.push_back({base.owner[g], n});
  }
  return make_combined(problem.collective,
                       make_problem(base.collective, base.graph, base.delivery, std::move(messages), base),
                       problem.outcome, 1);
}

/// Schedules of groups, their steps laid together.
class GroupLayer {
 public:
  GroupLayer(const CombinedProblem& whole, const std::vector<CombinedSolution>& parts,
             const CombiningOptions& options, Progress& progress)
      : whole_(whole), parts_(parts), progress_(progress) {
    solving_.seed = options.seed;
    solving_.threads = options.threads;
    solving_.steps = 1;
    solver_ = (whole.base.routes == nullptr ? "packing:symmetry=0,effort=" : "on-routes:effort=") +
              std::to_string(options.effort);
  }

  CombinedSchedule run() {
    std::uint32_t steps = 0;
    for (const CombinedSolution& part : parts_) steps = std::max(steps, part.schedule.step_count());
    for (step_ = 0; step_ < steps; ++step_) {
      std::vector<std::uint32_t> groups;
      for (std::uint32_t g = 0; g < parts_.size(); ++g) {
        if (step_ < parts_[g].schedule.step_count()) groups.push_back(g);
      }
      lay(groups);
    }
    return std::move(result_);
  }

 private:
  void lay(std::span<const std::uint32_t> groups) {
    if (progress_.interrupted()) throw Interrupted();
    if (groups.size() == 1) {
      result_.add_step();
      add(groups[0], nullptr);
      return;
    }
    if (const std::optional<Schedule> paths = together(groups)) {
      result_.add_step();
      for (const std::uint32_t g : groups) add(g, &*paths);
      return;
    }
    lay(groups.first(groups.size() / 2));
    lay(groups.subspan(groups.size() / 2));
  }

  /// Paths for all transfers of these groups in one step; nothing where none are found, or two of a group
  /// have the same ends.
  std::optional<Schedule> together(std::span<const std::uint32_t> groups) {
    std::vector<MessageEnds> ends;
    for (const std::uint32_t g : groups) {
      const CombinedSchedule& schedule = parts_[g].schedule;
      for (std::uint32_t t = schedule.step_begin(step_); t < schedule.step_end(step_); ++t)
        ends.push_back({schedule.sender(t), schedule.receiver(t)});
    }
    std::sort(ends.begin(), ends.end());
    if (std::adjacent_find(ends.begin(), ends.end()) != ends.end()) return std::nullopt;
    const Problem scatter =
        make_problem("MNS", whole_.base.graph, Delivery::scatter, std::move(ends), whole_.base);
    solving_.lower_bound = lower_bound(scatter, {.most_columns = kMostColumns}).steps;
    if (solving_.lower_bound > 1) return std::nullopt;
    Solution found = solve(scatter, solver_, solving_, progress_);
    if (found.conflicts > 0) return std::nullopt;
    return std::move(found.schedule);
  }

  void add(std::uint32_t group, const Schedule* paths) {
    const CombinedSchedule& schedule = parts_[group].schedule;
    for (std::uint32_t t = schedule.step_begin(step_); t < schedule.step_end(step_); ++t) {
      std::span<const NodeId> path = schedule.path(t);
      for (std::uint32_t p = 0; paths != nullptr && p < paths->transfer_count(); ++p) {
        if (paths->distributor(p) == schedule.sender(t) && paths->receiver(p) == schedule.receiver(t))
          path = paths->path(p);
      }
      result_.add(path, schedule.blocks(t), schedule.combines(t));
    }
  }

  const CombinedProblem& whole_;
  const std::vector<CombinedSolution>& parts_;
  Progress& progress_;
  SolveOptions solving_;
  std::string solver_;
  std::uint32_t step_ = 0;
  CombinedSchedule result_;
};

CombinedSolution made_together(const CombinedProblem& problem, const std::vector<CombiningChoice>& of_groups,
                               const CombiningOptions& options, Progress& progress) {
  std::vector<CombinedSolution> parts;
  for (const CombiningChoice& choice : of_groups) {
    parts.push_back(choice.make(options, progress));
    if (parts.back().problem.pieces != parts.front().problem.pieces)
      throw InputError("groups of unlike sizes divide their messages into unlike pieces");
  }
  CombinedProblem whole =
      make_combined(problem.collective, problem.base, problem.outcome, parts.front().problem.pieces);
  CombinedSchedule schedule = GroupLayer(whole, parts, options, progress).run();
  if (!check_combined(whole, schedule).valid())
    throw std::runtime_error("the maker and the checker do not agree on a schedule of groups");
  return {std::move(whole), std::move(schedule)};
}

}  // namespace

std::vector<CombiningChoice> grouped_choices(const CombinedProblem& problem) {
  const std::vector<std::vector<NodeId>> groups = joined_groups(problem.base);
  if (groups.size() < 2) return {};
  std::vector<std::vector<CombiningChoice>> of_groups;
  of_groups.reserve(groups.size());
  for (const std::vector<NodeId>& group : groups)
    of_groups.push_back(combining_choices(alone(problem, group)));
  std::vector<CombiningChoice> result;
  for (const CombiningChoice& first : of_groups.front()) {
    std::vector<CombiningChoice> all;
    for (const std::vector<CombiningChoice>& choices : of_groups) {
      const auto same = std::find_if(choices.begin(), choices.end(), [&](const CombiningChoice& choice) {
        return choice.name == first.name;
      });
      if (same != choices.end()) all.push_back(*same);
    }
    if (all.size() < groups.size()) continue;
    result.push_back(
        {first.name, [problem, all = std::move(all)](const CombiningOptions& options, Progress& progress) {
           return made_together(problem, all, options, progress);
         }});
  }
  return result;
}

}  // namespace unknot
