// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/prepare.hpp"

#include <fmt/format.h>

#include <climits>
#include <numeric>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/mpi/play/words.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::mpi {
namespace {

std::vector<std::uint32_t> parts_of(const std::string& order, const Problem& problem, const Ranks& ranks) {
  std::vector<std::uint32_t> parts(ranks.count());
  std::iota(parts.begin(), parts.end(), 0U);
  if (order.empty()) return parts;
  const std::vector<NodeId> nodes = parse_node_list(*problem.graph, order, "--order");
  for (const NodeId n : nodes) {
    if (ranks.of(n) == Ranks::kNone)
      throw InputError(fmt::format("--order: node {} does not take part", n.value));
  }
  if (nodes.size() != ranks.count()) {
    throw InputError(
        fmt::format("--order: expected all {} nodes that take part, found {}", ranks.count(), nodes.size()));
  }
  for (std::size_t r = 0; r < nodes.size(); ++r) parts[r] = ranks.of(nodes[r]);
  return parts;
}

/// What MPI's interface cannot count, and words that would be cut.
void check_sizes(const PlayOptions& options, const PlaySettings& settings, std::uint32_t ranks) {
  const bool lists_bytes =
      settings.own == MpiCollective::alltoallv || settings.own == MpiCollective::allgatherv;
  for (const std::uint64_t bytes : options.sizes) {
    if (settings.reduces && bytes % kWordBytes != 0) {
      throw InputError(fmt::format("--bytes: {} combines words of {} bytes, and {} is no multiple of that",
                                   options.schedule, kWordBytes, bytes));
    }
    if (lists_bytes && bytes * ranks > INT_MAX) {
      throw InputError(fmt::format("--bytes: {} counts its bytes in an int, and {} ranks times {} is more",
                                   name_of(settings.own), ranks, bytes));
    }
  }
}

}  // namespace

Prepared prepare(const PlayOptions& options, std::uint32_t processes) {
  const std::string& file = options.schedule;
  const ScheduleDocument document = parse_schedule(read_file(file), file == "-" ? "standard input" : file);
  cli::Common common;
  common.seed = options.seed;
  cli::CollectiveCase given = cli::load_collective(options.fabric, options.input, common, &document, file);
  Prepared result;
  result.network = cli::fabric_line(options.fabric, given.network);
  result.problem = std::move(given.problem);
  const Problem& problem = result.problem;
  result.verdict = check_schedule(problem, document.schedule);
  if (!result.verdict.valid()) return result;

  result.ranks = ranks_of(problem);
  if (result.ranks.count() != processes) {
    throw InputError(fmt::format("{}: {} nodes take part, and there {} {} rank{}: start it with mpirun -n {}",
                                 file, result.ranks.count(), processes == 1 ? "is" : "are", processes,
                                 processes == 1 ? "" : "s", result.ranks.count()));
  }
  result.part = parts_of(options.order, problem, result.ranks);
  PlaySettings& settings = result.settings;
  settings.seed = options.seed;
  settings.repetitions = options.repetitions;
  settings.warm_up = options.warm_up;
  settings.between = options.between;
  settings.reduces = problem.delivery == Delivery::reduction;
  if (options.operation && !settings.reduces)
    throw InputError(fmt::format("--operation: {} combines nothing", problem.collective));
  if (settings.reduces)
    settings.combination = play::find_combination(options.operation.value_or("sum")).combination;
  settings.layout = play::block_layout(problem);
  settings.own = mpi_collective(problem);
  settings.root = play::root_rank(problem);
  settings.teller = result.part[0];
  check_sizes(options, settings, processes);
  result.programs = play::rank_programs(problem, document.schedule);
  result.promises = play::promises(problem);
  return result;
}

}  // namespace unknot::mpi
