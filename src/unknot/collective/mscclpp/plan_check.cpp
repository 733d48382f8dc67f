// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/collective/mscclpp/plan_execution.hpp"

namespace unknot::mscclpp {
namespace {

constexpr std::array kJudged = {msccl::Collective::allreduce,      msccl::Collective::allgather,
                                msccl::Collective::reduce_scatter, msccl::Collective::broadcast,
                                msccl::Collective::reduce,         msccl::Collective::all_to_all};

}  // namespace

msccl::Program frame_of(const Plan& plan) {
  msccl::Program frame;
  frame.collective = msccl::Collective::send;  // of which nothing is promised
  for (const msccl::Collective collective : kJudged) {
    if (msccl::name_of(collective) == plan.collective) frame.collective = collective;
  }
  frame.in_place = plan.in_place;
  frame.out_of_place = !plan.in_place;
  const std::uint32_t parts = divisions(plan);
  for (const Gpu& gpu : plan.gpus) {
    msccl::Gpu& copy = frame.gpus.emplace_back();
    for (std::size_t b = 0; b < gpu.chunks.size(); ++b) copy.chunks[b] = gpu.chunks[b] * parts;
  }
  const bool gathers = frame.collective == msccl::Collective::allgather;
  frame.chunks_per_loop = frame.gpus[0].chunks[gathers ? 1 : 0];
  return frame;
}

bool promises_something(const Plan& plan) {
  return std::any_of(kJudged.begin(), kJudged.end(),
                     [&](msccl::Collective c) { return msccl::name_of(c) == plan.collective; });
}

std::optional<std::string> find_fault(const Plan& plan) {
  if (auto fault = find_structural_fault(plan)) return fault;
  const msccl::Program frame = frame_of(plan);
  const msccl::Layout layout(frame, plan.in_place);
  msccl::Execution memory;
  if (auto fault = execute(plan, layout, memory)) return fault;
  const auto broken = msccl::find_broken_promise(frame, layout, memory);
  if (!broken) return std::nullopt;
  const std::uint32_t parts = divisions(plan);
  return parts == 1 ? broken->sentence
                    : fmt::format("{}; chunks are counted in parts, {} of each", broken->sentence, parts);
}

}  // namespace unknot::mscclpp
