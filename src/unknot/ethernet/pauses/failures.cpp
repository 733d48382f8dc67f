// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/failures.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "unknot/ethernet/pauses/failure_trial.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot::ethernet {

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

std::vector<std::uint32_t> Failures::rerouted(std::span<const std::uint32_t> links) const {
  FailureTrial trial(*this, links);
  trial.find_all_rerouted();
  return trial.rerouted();
}

/// `links(i)` are those of trial i.
template <class Links>
FailureReport Failures::run(std::uint32_t count, const Links& links, std::uint32_t threads,
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
      const FailureOutcome one = outcome(links(i));
      results[i] = {one.deadlock, one.looping, one.losing};
    }
    done += end - begin;
    if (progress.interrupted()) throw Interrupted();
    if (worker == 0) progress.update(done);
  });
  FailureReport report;
  report.tried = count;
  for (const Short& one : results) {
    report.deadlocks += one.deadlock ? 1 : 0;
    report.looping += one.looping > 0 ? 1 : 0;
    report.losing += one.losing > 0 ? 1 : 0;
  }
  const auto name = [&](const auto& wanted) {
    std::size_t named = 0;
    for (std::uint32_t i = 0; i < count && named < FailureReport::kMostNamed; ++i) {
      if (!wanted(results[i])) continue;
      report.named.push_back(outcome(links(i)));
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
      static_cast<std::uint32_t>(links_.size()), [&](std::uint32_t i) { return std::array{links_[i]}; },
      threads, progress);
}

FailureReport Failures::pairs(std::uint32_t samples, std::uint64_t seed, std::uint32_t threads,
                              Progress& progress) const {
  const auto count = static_cast<std::uint32_t>(links_.size());
  if (count < 2) return {};
  const auto draw = [&](std::uint32_t i) {
    Random random(seed, i);
    const std::uint32_t first = random.below(count);
    const std::uint32_t second = random.below(count - 1);
    return std::array{links_[first], links_[second < first ? second : second + 1]};
  };
  return run(samples, draw, threads, progress);
}

}  // namespace unknot::ethernet
