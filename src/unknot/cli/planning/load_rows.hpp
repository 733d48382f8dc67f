// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "unknot/bounds/delivered.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/cli/planning/channel_capacities.hpp"

namespace unknot::cli {

/// Loads of the channels under one sample of a pattern, however they were found.
struct PatternLoads {
  std::vector<double> load;
  std::optional<DeliveredPart> left;  ///< where there are flows without a path
};

/// Means over the samples, and the worst of them.
struct LoadRow {
  static constexpr const char* kAtRandom = "groups at random";
  std::string routing;
  double max = 0, mean = 0, min = 0;
  double time = 0, saturation = 0, worst_saturation = 1, throughput = 0;
  double delivered = 0;    ///< part of what is sent that has a path
  std::string busiest;     ///< of the first sample
  std::uint64_t lost = 0;  ///< flows without a path, of all samples
};

/// One of so many samples.
void add_sample(const Network& network, const ChannelCapacities& capacities, const Exchange& exchange,
                PatternLoads loads, std::uint32_t samples, LoadRow& row);

nlohmann::ordered_json load_row_json(const LoadRow& row);
/// A table, and below it what is lost. Empty where there are no rows.
std::string load_rows_text(const std::vector<LoadRow>& rows);

}  // namespace unknot::cli
