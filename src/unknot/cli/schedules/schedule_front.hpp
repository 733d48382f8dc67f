// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/front/size_ranges.hpp"

namespace unknot::cli {

struct FrontTable;

/// A front that has been made, which is asked for sizes and written as often as one likes.
class MadeFront {
 public:
  /// `most_steps`: 0 for those that FrontOptions has. What could not be written to `target` is refused at
  /// once.
  MadeFront(std::string fabric, const CollectiveInput& collective, const BandwidthInput& input,
            std::uint32_t most_steps, const ScheduleTarget& target, const Common& common);
  ~MadeFront();
  MadeFront(const MadeFront&) = delete;
  MadeFront& operator=(const MadeFront&) = delete;

  /// The point that is the quickest for a message of so many bytes.
  [[nodiscard]] std::size_t best_at(std::uint64_t bytes) const;
  [[nodiscard]] std::size_t most_steps() const;  ///< the point of most
  [[nodiscard]] double seconds(std::size_t point, std::uint64_t bytes) const;
  /// Writes the schedule of a point. InputError where each message has a receiver of its own, and for formats
  /// that take none.
  void write(std::size_t point, std::uint64_t bytes, const ScheduleTarget& target,
             const Common& common) const;
  /// `bytes`: 0 where none are asked for.
  [[nodiscard]] Answer answer(std::uint64_t bytes, const Common& common) const;

 private:
  std::string fabric_;
  Stopwatch time_;
  BandwidthRequest request_;
  CostModel model_;
  std::unique_ptr<const FrontTable> table_;
  std::vector<LineCost> costs_;  // by point
  std::size_t nodes_ = 0;        // that take part
};

/// --goal front: steps against time, a schedule and a proof for each number of steps, and from which size on
/// which is the best. -o writes the one for --bytes, else the one of most steps; `most_steps` as MadeFront
/// has it.
Answer front_command(const std::string& fabric, const CollectiveInput& collective,
                     const BandwidthInput& input, std::uint32_t most_steps, const ScheduleTarget& target,
                     const Common& common);

}  // namespace unknot::cli
