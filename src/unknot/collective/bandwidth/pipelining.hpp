// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/combine/cost_model.hpp"

namespace unknot {

/// Trees in steps: what each carries is divided into chunks, and in each step every edge passes on the next
/// chunk that its sender has. Chunk c is on edges of level l, from the root, in step c + l.
struct Pipeline {
  std::uint64_t chunks = 1;
  std::uint64_t steps = 1;  ///< chunks, and levels before the first has come to the end
  double seconds = 0;       ///< of all steps
};

/// What is known of trees, to say how they are run.
struct PipelineShape {
  Fraction time;               ///< of the busiest arc, in shares over capacity
  std::uint32_t levels = 1;    ///< edges one behind the other; of an all-reduce twice as many
  std::uint32_t channels = 1;  ///< of the longest edge
};

/// `all_reduce`: there and back. O(edges).
PipelineShape shape_of(const Forest& forest, const Fraction& time, bool all_reduce);

/// A step takes alpha, hop for each channel of the longest edge, and as long as the busiest arc has chunks to
/// carry: steps are synchronous, as in CostModel. `bytes` are those of a share.
Pipeline pipeline_of(const PipelineShape& shape, const CostModel& model, double bytes, std::uint64_t chunks);

/// With the number of chunks that takes the least time, at most a chunk for each byte: what a chunk more
/// costs, a step, is as much as it saves in all (square root rule). O(1).
Pipeline best_pipeline(const PipelineShape& shape, const CostModel& model, double bytes);

}  // namespace unknot
