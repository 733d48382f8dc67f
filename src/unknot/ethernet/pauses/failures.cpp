// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/failures.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "unknot/ethernet/pauses/failure_trial.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random_order.hpp"

namespace unknot::ethernet {
namespace {

/// The pairs of numbers that differ, one after the other: (0, 1), (0, 2), (1, 2), (0, 3), ...
std::pair<std::uint32_t, std::uint32_t> numbered_pair(std::uint64_t number) {
  auto high = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(number))) / 2);
  while (high * (high - 1) / 2 > number) --high;
  while ((high + 1) * high / 2 <= number) ++high;
  return {static_cast<std::uint32_t>(number - high * (high - 1) / 2), static_cast<std::uint32_t>(high)};
}

}  // namespace

Failures::Failures(const Forwarding& forwarding, const Usage& usage, const Queues& queues, const Waits& waits,
                   const DependencyGraph& graph, const PauseVerdict& verdict)
    : forwarding_(forwarding),
      usage_(usage),
      queues_(queues),
      waits_(waits),
      graph_(graph),
      verdict_(verdict) {
  const std::vector<Channel>& channels = forwarding.fabric().channels;
  links_.reserve(channels.size() / 2);
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    if (c < channels[c].reverse) links_.push_back(c);
  }
}

FailureOutcome Failures::outcome(std::span<const std::uint32_t> links) const {
  return FailureTrial(*this, links).run();
}

FailureOutcome Failures::outcome_of_switch(std::uint32_t gone) const {
  std::vector<std::uint32_t> links;
  for (const std::uint32_t c : forwarding_.fabric().switches[gone].out)
    links.push_back(std::min(c, forwarding_.fabric().channels[c].reverse));
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());  // one may lead back to it
  return FailureTrial(*this, links, gone).run();
}

std::vector<std::uint32_t> Failures::rerouted(std::span<const std::uint32_t> links) const {
  FailureTrial trial(*this, links);
  trial.find_all_rerouted();
  return trial.rerouted();
}

/// `trial(i)` is the outcome of one.
template <class Trial>
FailureReport Failures::run(std::uint32_t count, bool all, const Trial& trial, std::uint32_t threads,
                            Progress& progress) const {
  struct Short {
    bool deadlock = false;
    std::uint32_t looping = 0, losing = 0;
  };
  std::vector<Short> results(count);
  std::atomic<std::uint64_t> done{0};
  progress.begin("failures", count);
  parallel_blocks(count, 64, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const FailureOutcome one = trial(i);
      results[i] = {one.deadlock, one.looping, one.losing};
    }
    done += end - begin;
    if (progress.interrupted()) throw Interrupted();
    if (worker == 0) progress.update(done);
  });
  FailureReport report;
  report.tried = count;
  report.all = all;
  for (const Short& one : results) {
    report.deadlocks += one.deadlock ? 1 : 0;
    report.looping += one.looping > 0 ? 1 : 0;
    report.losing += one.losing > 0 ? 1 : 0;
  }
  const auto name = [&](const auto& wanted) {
    std::size_t named = 0;
    for (std::uint32_t i = 0; i < count && named < FailureReport::kMostNamed; ++i) {
      if (!wanted(results[i])) continue;
      report.named.push_back(trial(i));
      if (report.named.size() > 1) report.named.back().witness.clear();
      ++named;
    }
  };
  name([](const Short& one) { return one.deadlock; });
  name([](const Short& one) { return !one.deadlock && one.looping > 0; });
  name([](const Short& one) { return !one.deadlock && one.looping == 0 && one.losing > 0; });
  return report;
}

FailureReport Failures::single(std::uint32_t threads, Progress& progress) const {
  return run(
      static_cast<std::uint32_t>(links_.size()), true,
      [&](std::uint32_t i) { return outcome(std::array{links_[i]}); }, threads, progress);
}

FailureReport Failures::switches(std::uint32_t threads, Progress& progress) const {
  return run(
      static_cast<std::uint32_t>(forwarding_.fabric().switches.size()), true,
      [&](std::uint32_t i) { return outcome_of_switch(i); }, threads, progress);
}

FailureReport Failures::pairs(std::uint32_t samples, std::uint64_t seed, std::uint32_t threads,
                              Progress& progress) const {
  const std::uint64_t count = links_.size();
  const std::uint64_t total = count < 2 ? 0 : count * (count - 1) / 2;
  const auto trial = [&](std::uint64_t number) {
    const auto [low, high] = numbered_pair(number);
    return outcome(std::array{links_[low], links_[high]});
  };
  if (samples >= total) return run(static_cast<std::uint32_t>(total), true, trial, threads, progress);
  const RandomOrder order(total, seed);
  return run(
      samples, false, [&](std::uint32_t i) { return trial(order.at(0, i)); }, threads, progress);
}

}  // namespace unknot::ethernet
