// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/congestion.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "unknot/load/all_pairs.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

struct Sample {
  std::size_t flows = 0;
  std::size_t unroutable = 0;
  double busiest = 0;  ///< weight of the flows on the busiest channel
  double mean_share = 0;
};

/// Lays the flows of one sample over the channels. Space of one worker.
class Sampler {
 public:
  Sampler(const Network& network, const Routing& routing)
      : paths_(network, routing),
        on_channel_(network.channel_count(), 0),
        sent_(network.terminal_count(), 0),
        received_(network.terminal_count(), 0) {}

  Sample run(const TrafficPattern& pattern, std::uint64_t seed, std::uint32_t index) {
    pattern.flows(seed, index, flows_);
    path_.clear();
    path_end_.clear();
    for (const Flow& flow : flows_) lay(flow);
    Sample sample;
    sample.flows = flows_.size();
    double shares = 0;
    std::size_t begin = 0;
    const std::uint32_t addresses = paths_.addresses();
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (path_end_[i * addresses] == kUnroutable) {
        ++sample.unroutable;
        continue;
      }
      const double cables = std::max(sent_[flows_[i].source.value], received_[flows_[i].destination.value]);
      for (std::uint32_t rank = 0; rank < addresses; ++rank) {
        double worst = cables;
        for (const std::size_t end = path_end_[i * addresses + rank]; begin < end; ++begin)
          worst = std::max(worst, on_channel_[path_[begin].value]);
        shares += flows_[i].weight / addresses / worst;
        sample.busiest = std::max(sample.busiest, worst);
      }
    }
    if (sample.flows > 0) sample.mean_share = shares / static_cast<double>(sample.flows);
    for (const ChannelId c : path_) on_channel_[c.value] = 0;
    for (const Flow& flow : flows_) sent_[flow.source.value] = received_[flow.destination.value] = 0;
    return sample;
  }

 private:
  static constexpr std::size_t kUnroutable = static_cast<std::size_t>(-1);

  void lay(const Flow& flow) {
    const std::size_t begin = path_.size();
    if (!paths_.append(flow.source, flow.destination, path_, &path_end_)) {
      path_end_.resize(path_end_.size() + paths_.addresses(), kUnroutable);
      return;
    }
    const double part = flow.weight / paths_.addresses();
    for (std::size_t i = begin; i < path_.size(); ++i) on_channel_[path_[i].value] += part;
    sent_[flow.source.value] += flow.weight;
    received_[flow.destination.value] += flow.weight;
  }

  const DeliveredPaths paths_;
  std::vector<double> on_channel_, sent_, received_;  // weights of flows
  std::vector<Flow> flows_;
  std::vector<ChannelId> path_;        // flow after flow
  std::vector<std::size_t> path_end_;  // by flow and address, in path_
};

Congestion summary(const std::vector<Sample>& samples) {
  Congestion result;
  double sum = 0;
  double squares = 0;
  for (const Sample& sample : samples) {
    result.unroutable_flows += sample.unroutable;
    if (sample.flows == 0) continue;
    ++result.samples;
    sum += sample.mean_share;
    result.max_congestion += sample.busiest;
    if (sample.unroutable == 0) result.throughput += 1.0 / sample.busiest;
  }
  if (result.samples == 0) return result;
  const auto count = static_cast<double>(result.samples);
  result.effective_bisection_bandwidth = sum / count;
  result.max_congestion /= count;
  result.throughput /= count;
  if (result.samples < 2) return result;
  for (const Sample& sample : samples) {
    const double off = sample.mean_share - result.effective_bisection_bandwidth;
    if (sample.flows > 0) squares += off * off;
  }
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

}  // namespace

Congestion congestion(const Network& network, const Routing& routing, const TrafficPattern& pattern,
                      std::uint32_t samples, std::uint64_t seed, std::uint32_t threads, Progress& progress) {
  require_fit(network, routing);
  if (pattern.all_pairs) return all_pairs_congestion(network, routing, threads, progress);
  if (!pattern.random) samples = std::min(samples, 1U);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, samples));
  std::vector<Sample> results(samples);
  std::vector<std::unique_ptr<Sampler>> samplers(threads);
  SharedProgress shared(progress, "sampling", samples);
  parallel_blocks(samples, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!samplers[worker]) samplers[worker] = std::make_unique<Sampler>(network, routing);
    for (std::uint32_t i = begin; i < end; ++i) {
      results[i] = samplers[worker]->run(pattern, seed, i);
      shared.step();
    }
  });
  return summary(results);
}

}  // namespace unknot
