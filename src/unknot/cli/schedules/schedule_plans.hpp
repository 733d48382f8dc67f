// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/mscclpp/rank_moves.hpp"
#include "unknot/collective/runtimes/size_rules.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// A form in which a runtime takes whatever moves between ranks, schedules, combined messages and trees, or
/// what is said to it of a machine.
struct PlanFormat {
  std::string name;
  std::string summary;
  /// Null where it is of machines alone.
  std::string (*write)(const mscclpp::RankMoves& moves, const std::string& name, const Network& network);
  /// By the file of a machine; null where it is of moves.
  std::string (*of_machine)(const std::string& fabric) = nullptr;
  /// Of the sizes from which on an algorithm is the quickest, among those that the runtime has.
  std::string (*of_sizes)(const std::string& collective, std::uint32_t ranks,
                          const std::vector<runtimes::SizeRule>& rules) = nullptr;
  std::span<const runtimes::KnownAlgorithm> (*algorithms)() = nullptr;
  /// A file for each rank, NAME.<rank>.et, with the bytes of a chunk.
  std::vector<std::string> (*of_ranks)(const mscclpp::RankMoves& moves, std::uint64_t bytes) = nullptr;
  /// The same in one file.
  std::string (*of_bytes)(const mscclpp::RankMoves& moves, std::uint64_t bytes) = nullptr;
};
const std::vector<PlanFormat>& plan_formats();
/// Null where it is none of these.
const PlanFormat* find_plan_format(std::string_view name);
/// The same, and GOAL, which schedules without combined messages write step by step.
const PlanFormat* find_moves_format(std::string_view name);
/// InputError for a format that is of machines, or sizes, alone.
void require_moves(const PlanFormat& format);

/// What a format takes of combined messages: one that promises a result those of a collective that it knows,
/// others any.
mscclpp::RankMoves moves_for(const PlanFormat& format, const CombinedProblem& problem,
                             const CombinedSchedule& schedule, mscclpp::Sharing sharing);
/// Writes what moves, in chunks of so many bytes. InputError for standard output where there are several
/// files.
void write_moves(const ScheduleTarget& target, const PlanFormat& format, const mscclpp::RankMoves& moves,
                 const std::string& name, const Network& network, std::uint64_t bytes, const Common& common);

/// Reads the traces of all ranks, NAME.0.et and so on, and says what is wrong with them.
Answer check_traces(const std::string& first, const Common& common);
/// Executes a plan of MSCCL++ and says what is wrong with it. InputError for a file that is none.
Answer check_plan(const std::string& file, const std::string& text, const Common& common);

}  // namespace unknot::cli
