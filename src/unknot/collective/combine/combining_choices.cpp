// SPDX-License-Identifier: Apache-2.0
// Collectives made of parts: sums in reversed time, scatter and all-gather, reduce and broadcast.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/combine/grouped_choices.hpp"
#include "unknot/collective/combine/rounds.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// True where algorithms are asked in reversed time: for a reduction, or a gather.
bool is_reversal(const CombinedProblem& problem) {
  return problem.outcome == Outcome::as_given &&
         (problem.base.delivery == Delivery::reduction || problem.base.is_gather());
}

CombinedProblem reversed(const CombinedProblem& problem) {
  return make_combined(problem.collective, time_reversed(problem.base), Outcome::as_given, problem.pieces);
}

bool takes(const CombiningAlgorithm& row, const CombinedProblem& problem) {
  return refusal(row, is_reversal(problem) ? reversed(problem) : problem).empty();
}

CombinedSchedule run(const CombiningAlgorithm& row, const CombinedProblem& problem,
                     const CombiningOptions& options, Progress& progress) {
  if (!is_reversal(problem)) return row.make(problem, options, progress);
  return time_reversed(row.make(reversed(problem), options, progress), problem.reduces());
}

/// Part of a collective, among its nodes and on its network: from every owner to every partner.
CombinedProblem part_of(const CombinedProblem& whole, const char* name, Delivery delivery,
                        const std::vector<NodeId>& owners, const std::vector<NodeId>& partners) {
  std::vector<MessageEnds> messages;
  for (const NodeId owner : owners) {
    for (const NodeId partner : partners) messages.push_back({owner, partner});
  }
  return make_combined(name, make_problem(name, whole.base.graph, delivery, std::move(messages), whole.base),
                       Outcome::as_given, 1);
}

/// Adds the steps of a part; `label` says what its blocks are in the whole.
template <class Label>
void append_labelled(CombinedSchedule& whole, const CombinedSchedule& part, Label label) {
  std::vector<Block> blocks;
  for (std::uint32_t step = 0; step < part.step_count(); ++step) {
    whole.add_step();
    for (std::uint32_t t = part.step_begin(step); t < part.step_end(step); ++t) {
      blocks.clear();
      for (const Block& block : part.blocks(t)) blocks.push_back(label(block));
      whole.add(part.path(t), blocks, part.combines(t));
    }
  }
}

/// Without copies of what the receiver holds already, and what is empty then.
CombinedSchedule without_repeats(const CombinedProblem& problem, const CombinedSchedule& schedule) {
  std::vector<std::vector<bool>> holds(problem.nodes.size(), std::vector<bool>(problem.blocks(), false));
  for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
    for (const NodeId n : problem.sources(b)) holds[problem.rank_of(n)][b] = true;
  }
  CombinedSchedule result;
  std::vector<Block> blocks;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    bool any = false;
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      std::vector<bool>& held = holds[problem.rank_of(schedule.receiver(t))];
      blocks.clear();
      for (const Block& block : schedule.blocks(t)) {
        const std::uint32_t b = problem.block_of(block);
        if (!held[b]) blocks.push_back(block);
        held[b] = true;
      }
      if (blocks.empty()) continue;
      if (!std::exchange(any, true)) result.add_step();
      result.add(schedule.path(t), blocks);
    }
  }
  return result;
}

/// A node whose farthest node is as near as that of any.
NodeId central_node(const CombinedProblem& problem) {
  NodeId best = problem.nodes.front();
  std::uint32_t least = NodeGraph::kUnreached;
  std::vector<std::uint32_t> hops;
  for (const NodeId n : problem.nodes) {
    problem.base.graph->distances_from(n, hops);
    std::uint32_t farthest = 0;
    for (const NodeId other : problem.nodes) farthest = std::max(farthest, hops[other.value]);
    if (farthest < least) {
      least = farthest;
      best = n;
    }
  }
  return best;
}

std::vector<NodeId> all_but(const std::vector<NodeId>& nodes, NodeId one) {
  std::vector<NodeId> others = nodes;
  std::erase(others, one);
  return others;
}

CombinedSolution checked(CombinedProblem problem, CombinedSchedule schedule) {
  if (!check_combined(problem, schedule).valid())
    throw std::runtime_error("the maker and the checker do not agree on a schedule");
  return {std::move(problem), std::move(schedule)};
}

CombinedProblem in_pieces(const CombinedProblem& problem) {
  return make_combined(problem.collective, problem.base, problem.outcome,
                       static_cast<std::uint32_t>(problem.nodes.size()));
}

CombinedSolution scatter_all_gather(const CombiningAlgorithm& row, const CombinedProblem& problem,
                                    const CombiningOptions& options, Progress& progress) {
  const NodeId root = problem.base.owner.front();
  const CombinedProblem scatter =
      part_of(problem, "OAS", Delivery::scatter, {root}, all_but(problem.nodes, root));
  const CombinedProblem gather = part_of(problem, "AAB", Delivery::broadcast, problem.nodes, problem.nodes);
  const CombiningAlgorithm& first = takes(row, scatter) ? row : find_combining_algorithm("binomial");
  CombinedProblem whole = in_pieces(problem);
  CombinedSchedule schedule;
  append_labelled(schedule, run(first, scatter, options, progress), [&](const Block& b) {
    return Block{root, problem.rank_of(NodeId(b.part))};
  });
  append_labelled(schedule, run(row, gather, options, progress), [&](const Block& b) {
    return Block{root, problem.rank_of(b.origin)};
  });
  schedule = without_repeats(whole, schedule);
  return checked(std::move(whole), std::move(schedule));
}

/// A reduction of the whole to some nodes, then from these to all again. Where the network is symmetric the
/// first is the second backwards, and made once.
template <class Label>
CombinedSchedule there_and_back(const CombiningAlgorithm& row, const CombinedProblem& there,
                                const CombinedProblem& back, const CombiningOptions& options,
                                Progress& progress, Label label) {
  CombinedSchedule schedule;
  const CombinedSchedule second = run(row, back, options, progress);
  const bool once = !back.base.graph->first_uneven().valid() && back.base.routes == nullptr &&
                    back.base.send_ports == back.base.receive_ports;
  append_labelled(schedule, once ? time_reversed(second, true) : run(row, there, options, progress), label);
  append_labelled(schedule, second, label);
  return schedule;
}

CombinedSolution reduce_scatter_all_gather(const CombiningAlgorithm& row, const CombinedProblem& problem,
                                           const CombiningOptions& options, Progress& progress) {
  CombinedProblem whole = in_pieces(problem);
  CombinedSchedule schedule =
      there_and_back(row, part_of(problem, "AAR", Delivery::reduction, problem.nodes, problem.nodes),
                     part_of(problem, "AAB", Delivery::broadcast, problem.nodes, problem.nodes), options,
                     progress, [&](const Block& b) {
                       return Block{problem.nodes.front(), problem.rank_of(b.origin)};
                     });
  return checked(std::move(whole), std::move(schedule));
}

CombinedSolution reduce_broadcast(const CombiningAlgorithm& row, const CombinedProblem& problem,
                                  const CombiningOptions& options, Progress& progress) {
  const NodeId root = central_node(problem);
  const std::vector<NodeId> others = all_but(problem.nodes, root);
  CombinedSchedule schedule = there_and_back(
      row, part_of(problem, "AOR", Delivery::reduction, {root}, others),
      part_of(problem, "OAB", Delivery::broadcast, {root}, others), options, progress, [&](const Block& b) {
        return Block{problem.nodes.front(), b.part};
      });
  return checked(problem, std::move(schedule));
}

/// Of a part of the problem, made by each algorithm that takes it: one way each.
using Composed = CombinedSolution (*)(const CombiningAlgorithm&, const CombinedProblem&,
                                      const CombiningOptions&, Progress&);
void add_composed(const CombinedProblem& problem, const CombinedProblem& part, const std::string& name,
                  Composed make, std::vector<CombiningChoice>& choices) {
  for (const CombiningAlgorithm& row : combining_algorithms()) {
    if (!takes(row, part)) continue;
    choices.push_back(
        {name + ": " + row.name, [&row, problem, make](const CombiningOptions& options, Progress& progress) {
           return make(row, problem, options, progress);
         }});
  }
}

/// InputError where the network has no paths for a part.
void add_all_composed(const CombinedProblem& problem, std::vector<CombiningChoice>& choices) {
  const Shape shape = shape_of(problem);
  if (shape != Shape::one_to_all_broadcast && shape != Shape::all_reduce) return;
  const CombinedProblem gather = part_of(problem, "AAB", Delivery::broadcast, problem.nodes, problem.nodes);
  if (shape == Shape::one_to_all_broadcast) {
    add_composed(problem, gather, "scatter + all-gather", scatter_all_gather, choices);
    return;
  }
  add_composed(problem, gather, "reduce-scatter + all-gather", reduce_scatter_all_gather, choices);
  const NodeId first = problem.nodes.front();
  add_composed(problem, part_of(problem, "OAB", Delivery::broadcast, {first}, all_but(problem.nodes, first)),
               "reduce + broadcast", reduce_broadcast, choices);
}

/// The parts of a composed broadcast, the other way round.
std::string reversed_name(const std::string& name) {
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? name : "reduce-scatter + gather" + name.substr(colon);
}

}  // namespace

std::vector<CombiningChoice> combining_choices(const CombinedProblem& problem) {
  std::vector<CombiningChoice> choices;
  if (is_reversal(problem)) {
    for (CombiningChoice& forward : combining_choices(reversed(problem))) {
      choices.push_back(
          {reversed_name(forward.name),
           [problem, make = std::move(forward.make)](const CombiningOptions& options, Progress& progress) {
             const CombinedSolution made = make(options, progress);
             return checked(
                 make_combined(problem.collective, problem.base, Outcome::as_given, made.problem.pieces),
                 time_reversed(made.schedule, problem.reduces()));
           }});
    }
    return choices;
  }
  std::vector<CombiningChoice> grouped = grouped_choices(problem);
  for (const CombiningAlgorithm& row : combining_algorithms()) {
    // Sums and rounds are of all nodes that take part.
    if (!refusal(row, problem).empty() || (!grouped.empty() && problem.outcome != Outcome::as_given))
      continue;
    std::erase_if(grouped, [&](const CombiningChoice& other) { return other.name == row.name; });
    choices.push_back({row.name, [&row, problem](const CombiningOptions& options, Progress& progress) {
                         return checked(problem, row.make(problem, options, progress));
                       }});
  }
  if (!grouped.empty()) {
    choices.insert(choices.end(), grouped.begin(), grouped.end());
    return choices;
  }
  try {
    add_all_composed(problem, choices);
  } catch (const InputError&) {
    // a part is not possible: between some nodes no path leads, and nothing is composed
  }
  return choices;
}

}  // namespace unknot
