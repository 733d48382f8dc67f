// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/cost_model.hpp"
#include "unknot/collective/files/combined_file.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What the command line says of combined messages.
struct CombiningInput {
  std::uint64_t bytes = 0;  ///< of a message; 0: nothing is combined
  std::string cost;         ///< spec of a model
  std::string algorithm;    ///< "": all that take the collective are compared
  std::uint32_t tries = 64;
  double seconds = 0;  ///< for all algorithms together; 0: as long as they take
};

void add_combining_options(CLI::App& app, CombiningInput& input);

/// Name of the row of collectives() for a name that may be an alias. InputError for what needs combining.
std::string plain_collective(const std::string& name);

struct CombinedTable;

/// All algorithms for a collective, or the one that is asked for: made and checked once, asked for sizes and
/// written as often as one likes.
class MadeCombined {
 public:
  /// Nothing depends on `input.bytes`. What could not be written to `target` is refused at once.
  MadeCombined(std::string fabric, const CollectiveInput& collective, const CombiningInput& input,
               const std::string& solver, const ScheduleTarget& target, const Common& common);
  ~MadeCombined();
  MadeCombined(const MadeCombined&) = delete;
  MadeCombined& operator=(const MadeCombined&) = delete;

  /// The algorithm that is the quickest for a message of so many bytes.
  [[nodiscard]] std::size_t best_at(std::uint64_t bytes) const;
  [[nodiscard]] const std::string& algorithm_name(std::size_t algorithm) const;
  [[nodiscard]] double seconds(std::size_t algorithm, std::uint64_t bytes) const;
  [[nodiscard]] int code() const;  ///< kInterrupted where the user did not wait for all
  /// Writes an algorithm, or, in a format of sizes, which is the quickest from which size on.
  void write(std::size_t algorithm, std::uint64_t bytes, const ScheduleTarget& target,
             const Common& common) const;
  [[nodiscard]] Answer answer(std::uint64_t bytes, bool with_table, const Common& common) const;

 private:
  std::string fabric_;
  CostModel model_;
  CollectiveCase given_;
  CombinedProblem problem_;  // undivided
  Stopwatch time_;
  std::unique_ptr<const CombinedTable> table_;
};

/// Compares all ways to carry out a collective by their time, has each checked, and writes the quickest where
/// that is asked for. What is made in time counts, what the user does not wait for is left out.
Answer combining_command(const std::string& fabric, const CollectiveInput& collective,
                         const CombiningInput& input, const std::string& solver, const ScheduleTarget& target,
                         bool with_table, const Common& common);

/// The collective of a document, and what the checker says of its schedule.
struct CheckedDocument {
  CollectiveCase given;
  ScheduleVerdict verdict;
  CombinedProblem problem = {};  ///< of combined messages
};
/// Of a document with combined messages; it is written to the target, too, where there is one. Where its
/// steps last rounds capacities count as they do for bytes, by `capacity`.
CheckedDocument check_combined_document(const std::string& fabric, const CollectiveInput& input,
                                        const CombinedDocument& document, const std::string& file,
                                        const ScheduleTarget& target, const Common& common,
                                        const BandwidthInput& capacity = {});

}  // namespace unknot::cli
