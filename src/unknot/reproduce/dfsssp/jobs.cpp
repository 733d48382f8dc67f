// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/dfsssp/jobs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "unknot/support/random.hpp"

namespace unknot::dfsssp_paper {

const std::vector<DeimosReading>& deimos_readings() {
  static const std::vector<DeimosReading> rows = {
      {"Deimos, spread", "deimos"},
      {"Deimos, 6 together", "deimos:pack=6"},
      {"Deimos, 10 together", "deimos:pack=10"},
      {"Deimos, 12 together", "deimos:pack=12"},
  };
  return rows;
}

std::vector<TerminalId> random_job(const Network& network, std::uint32_t processes, std::uint32_t nodes,
                                   std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0xD31705;
  std::vector<std::uint32_t> order(network.terminal_count());
  std::iota(order.begin(), order.end(), 0U);
  Random random(seed, kStream);
  random.shuffle(order);
  order.resize(nodes);
  std::sort(order.begin(), order.end());
  std::vector<TerminalId> job;
  for (std::uint64_t p = 0; p < processes; ++p) job.emplace_back(order[p * nodes / processes]);
  return job;
}

TrafficPattern job_pattern(const std::vector<TerminalId>& job, std::vector<Step> steps) {
  TrafficPattern pattern;
  pattern.name = "job";
  pattern.random = true;  // one sample for each step
  const auto shared = std::make_shared<const std::vector<Step>>(std::move(steps));
  pattern.flows = [job, shared](std::uint64_t, std::uint32_t sample, std::vector<Flow>& flows) {
    flows.clear();
    for (const auto& [from, to] : shared->at(sample)) {
      if (job[from] != job[to]) flows.push_back({job[from], job[to]});
    }
  };
  return pattern;
}

std::vector<Step> pairwise_all_to_all(std::uint32_t processes) {
  std::vector<Step> steps(processes - 1);
  for (std::uint32_t s = 1; s < processes; ++s) {
    for (std::uint32_t p = 0; p < processes; ++p) steps[s - 1].emplace_back(p, (p + s) % processes);
  }
  return steps;
}

}  // namespace unknot::dfsssp_paper
