// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/schedules/bandwidth_proof.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/bandwidth/pipelined_steps.hpp"
#include "unknot/collective/symmetry/translations.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// Trees that take the least time for each byte, and its proof, which are made once, asked for sizes and
/// written as often as one likes.
class MadeTrees {
 public:
  /// Not where messages have a receiver each. InputError for what could not be written to `target`.
  MadeTrees(std::string fabric, BandwidthRequest request, const BandwidthInput& input,
            const ScheduleTarget& target, const Common& common);
  ~MadeTrees();
  MadeTrees(const MadeTrees&) = delete;
  MadeTrees& operator=(const MadeTrees&) = delete;

  /// For messages of so many bytes, in the chunks that take the least. InputError where those of groups
  /// differ. Not with input.bounds, as write().
  [[nodiscard]] double seconds(std::uint64_t bytes) const { return seconds(bytes, bytes); }
  /// The same in the chunks that take the least for messages of `made_for` bytes, as write() makes them.
  [[nodiscard]] double seconds(std::uint64_t bytes, std::uint64_t made_for) const;
  /// InputError for what the format has no words for. `bytes`: 0 where no size is known.
  void write(std::uint64_t bytes, const ScheduleTarget& target, const Common& common) const;
  [[nodiscard]] Answer answer(std::uint64_t bytes, const Common& common) const;

 private:
  void require_one_size() const;
  [[nodiscard]] BandwidthInput sized(std::uint64_t bytes) const;

  std::string fabric_;
  BandwidthInput input_;
  Stopwatch time_;
  BandwidthRequest request_;
  std::vector<BandwidthProblem> groups_;
  std::optional<Translations> translations_;
  std::unique_ptr<BandwidthProof> proof_;  // refers to both
  std::optional<WholeTrees> made_;
};

/// schedule --goal bandwidth: the least time for each byte that the network allows, its proof, and trees that
/// take no more; paths where messages have a receiver each.
Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common);

/// schedule check of a file of trees: whether they deliver, and how near they come to the optimum.
Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common);

/// A file of trees, made ready to be carried out as steps.
struct LoadedTrees {
  Network network;
  PipelinedSteps steps;
};
/// With so many chunks. InputError where the trees do not deliver, with what is wrong.
LoadedTrees load_trees(const std::string& fabric, const CollectiveInput& collective, std::uint64_t chunks,
                       const std::string& content, const std::string& file, const Common& common);

}  // namespace unknot::cli
