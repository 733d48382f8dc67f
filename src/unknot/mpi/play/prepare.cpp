// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <utility>
#include <variant>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/schedules/schedule_bandwidth.hpp"
#include "unknot/cli/schedules/schedule_combined.hpp"
#include "unknot/collective/combine/plain_schedule.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/mpi/play/words.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::mpi {
namespace {

std::vector<std::uint32_t> parts_of(const std::string& order, const CombinedProblem& problem) {
  const std::size_t ranks = problem.nodes.size();
  std::vector<std::uint32_t> parts(ranks);
  std::iota(parts.begin(), parts.end(), 0U);
  if (order.empty()) return parts;
  const std::vector<NodeId> nodes = parse_node_list(*problem.base.graph, order, "--order");
  for (const NodeId n : nodes) {
    if (problem.rank_of(n) == Problem::kNone)
      throw InputError(fmt::format("--order: node {} does not take part", n.value));
  }
  if (nodes.size() != ranks) {
    throw InputError(
        fmt::format("--order: expected all {} nodes that take part, found {}", ranks, nodes.size()));
  }
  for (std::size_t r = 0; r < ranks; ++r) parts[r] = problem.rank_of(nodes[r]);
  return parts;
}

/// What MPI's interface cannot count, and words that would be cut.
void check_sizes(const PlayOptions& options, const PlaySettings& settings,
                 const std::vector<play::RankProgram>& programs) {
  const std::size_t ranks = programs.size();
  std::uint64_t most_blocks = 1;  // of an instruction
  for (const play::RankProgram& program : programs) {
    for (const play::Instruction& now : program.instructions)
      most_blocks = std::max<std::uint64_t>(most_blocks, now.blocks);
  }
  const bool lists_bytes =
      settings.own == MpiCollective::alltoallv || settings.own == MpiCollective::allgatherv;
  for (const std::uint64_t bytes : options.sizes) {
    if (settings.reduces && bytes % kWordBytes != 0) {
      throw InputError(fmt::format("--bytes: {} combines words of {} bytes, and {} is no multiple of that",
                                   options.schedule, kWordBytes, bytes));
    }
    if (most_blocks * (bytes / settings.layout.pieces + kWordBytes) > INT_MAX) {
      throw InputError(fmt::format(
          "--bytes: MPI counts bytes in an int, and {} of {} bytes each, which {} sends together, are more",
          settings.layout.pieces > 1 ? fmt::format("{} parts of messages", most_blocks)
                                     : fmt::format("{} messages", most_blocks),
          bytes / settings.layout.pieces, options.schedule));
    }
    if (lists_bytes && bytes * ranks > INT_MAX) {
      throw InputError(fmt::format("--bytes: {} counts its bytes in an int, and {} ranks times {} is more",
                                   name_of(settings.own), ranks, bytes));
    }
  }
}

/// What is played, of a file of any form.
struct Given {
  CombinedSchedule schedule;
  play::Channels channels = play::Channels::exclusive;
};

/// Fills in `result` up to the verdict.
Given load(const PlayOptions& options, Prepared& result) {
  const std::string& file = options.schedule;
  const std::string name = file == "-" ? "standard input" : file;
  const std::string content = read_file(file);
  cli::Common common;
  common.seed = options.seed;
  if (is_forest(content)) {
    cli::LoadedTrees trees =
        cli::load_trees(options.fabric, options.input, options.chunks, content, file, common);
    result.network = cli::fabric_line(options.fabric, trees.network);
    result.problem = std::move(trees.steps.problem);
    result.verdict.steps = trees.steps.schedule.step_count();
    result.verdict.transfers = trees.steps.schedule.transfer_count();
    return {std::move(trees.steps.schedule), play::Channels::shared};
  }
  if (options.chunks > 1) throw InputError(fmt::format("--chunks: {} holds no trees", file));
  const auto parsed = parse_any_schedule(content, name);
  if (const auto* const combined = std::get_if<CombinedDocument>(&parsed)) {
    cli::CheckedDocument checked =
        cli::check_combined_document(options.fabric, options.input, *combined, file, {}, common);
    result.network = cli::fabric_line(options.fabric, checked.given.network);
    result.problem = std::move(checked.problem);
    result.verdict = std::move(checked.verdict);
    return {combined->schedule,
            combined->rounds.empty() ? play::Channels::exclusive : play::Channels::shared};
  }
  const auto& document = std::get<ScheduleDocument>(parsed);
  const cli::CollectiveCase given =
      cli::load_collective(options.fabric, options.input, common, &document, file);
  result.network = cli::fabric_line(options.fabric, given.network);
  result.problem = as_combined(given.problem);
  result.verdict = check_schedule(given.problem, document.schedule);
  return {result.verdict.valid() ? as_combined(given.problem, document.schedule) : CombinedSchedule()};
}

}  // namespace

Prepared prepare(const PlayOptions& options, std::uint32_t processes) {
  const std::string& file = options.schedule;
  Prepared result;
  const Given given = load(options, result);
  const CombinedProblem& problem = result.problem;
  if (!result.verdict.valid()) return result;

  const std::size_t ranks = problem.nodes.size();
  if (ranks != processes) {
    throw InputError(fmt::format("{}: {} nodes take part, and there {} {} rank{}: start it with mpirun -n {}",
                                 file, ranks, processes == 1 ? "is" : "are", processes,
                                 processes == 1 ? "" : "s", ranks));
  }
  result.part = parts_of(options.order, problem);
  PlaySettings& settings = result.settings;
  settings.seed = options.seed;
  settings.repetitions = options.repetitions;
  settings.warm_up = options.warm_up;
  settings.between = options.between;
  settings.reduces = problem.reduces();
  if (options.operation && !settings.reduces)
    throw InputError(fmt::format("--operation: {} combines nothing", problem.collective));
  if (settings.reduces)
    settings.combination = play::find_combination(options.operation.value_or("sum")).combination;
  settings.layout = play::block_layout(problem);
  settings.own = mpi_collective(problem);
  settings.root = play::root_rank(problem);
  settings.teller = result.part[0];
  result.programs = play::rank_programs(problem, given.schedule, given.channels);
  check_sizes(options, settings, result.programs);
  result.promises = play::promises(problem);
  return result;
}

}  // namespace unknot::mpi
