// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/pipelining.hpp"

#include <algorithm>
#include <cmath>

namespace unknot {
namespace {

constexpr double kMostChunks = 1e15;

}  // namespace

PipelineShape shape_of(const Forest& forest, const Fraction& time, bool all_reduce) {
  PipelineShape shape;
  shape.time = time;
  shape.levels = std::max(1U, depth_of(forest).edges * (all_reduce ? 2 : 1));
  for (const Forest::Tree& tree : forest.trees) {
    for (const Forest::Edge& edge : tree.edges)
      shape.channels = std::max(shape.channels, static_cast<std::uint32_t>(forest.way(edge.way).size() - 1));
  }
  return shape;
}

Pipeline pipeline_of(const PipelineShape& shape, const CostModel& model, double bytes, std::uint64_t chunks) {
  Pipeline result;
  result.chunks = std::max<std::uint64_t>(1, chunks);
  result.steps = result.chunks + shape.levels - 1;
  const double a_step = model.alpha + model.hop * shape.channels +
                        shape.time.value() * bytes * model.beta / static_cast<double>(result.chunks);
  result.seconds = static_cast<double>(result.steps) * a_step;
  return result;
}

Pipeline best_pipeline(const PipelineShape& shape, const CostModel& model, double bytes) {
  const double start = model.alpha + model.hop * shape.channels;
  const double carry = shape.time.value() * bytes * model.beta;
  const double most = std::max(1.0, std::min(kMostChunks, bytes));
  // (c + levels - 1) (start + carry / c) is least where its derivative start - (levels - 1) carry / c^2 is 0.
  const double wanted = start > 0 ? std::sqrt((shape.levels - 1) * carry / start) : most;
  const auto below = static_cast<std::uint64_t>(std::clamp(std::floor(wanted), 1.0, most));
  const auto above = static_cast<std::uint64_t>(std::clamp(std::ceil(wanted), 1.0, most));
  const Pipeline fewer = pipeline_of(shape, model, bytes, below);
  const Pipeline more = pipeline_of(shape, model, bytes, above);
  return more.seconds < fewer.seconds ? more : fewer;
}

}  // namespace unknot
