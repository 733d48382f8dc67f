// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "unknot/simulate/packets.hpp"

namespace unknot::simulate {

/// What a run writes down of the packets that arrive. Times are in steps.
class Recorder {
 public:
  /// Sums over the packets that arrived in one stretch of time.
  struct Batch {
    std::uint64_t packets = 0, flits = 0;
    double latency = 0;  ///< sum, steps
  };

  std::uint64_t created_from = 0;                                        ///< cycle: packets created in
  std::uint64_t created_to = std::numeric_limits<std::uint64_t>::max();  ///< [from, to) are measured
  std::uint64_t batch_steps = 1000;
  std::uint32_t steps_per_cycle = 1;
  bool keep_deliveries = false;

  struct Delivery {
    std::uint64_t created, step;
    std::uint32_t source, destination;
  };

  void packet(const Packet& packet, const Entry& entry, std::uint64_t step) {
    ++packets_;
    last_ = std::max(last_, step);
    const std::uint64_t latency = step - packet.created * steps_per_cycle;
    const std::size_t batch = step / batch_steps;
    if (batch >= batches_.size()) batches_.resize(batch + 1);
    ++batches_[batch].packets;
    batches_[batch].flits += entry.flits;
    batches_[batch].latency += static_cast<double>(latency);
    if (packet.created >= created_from && packet.created < created_to) {
      ++measured_;
      latency_sum_ += static_cast<double>(latency);
      network_sum_ += static_cast<double>(step - packet.injected * steps_per_cycle);
      hops_sum_ += entry.hops;
      indirect_ += packet.indirect;
    }
    if (keep_deliveries) deliveries_.push_back({packet.created, step, packet.source, packet.destination});
  }

  [[nodiscard]] std::uint64_t packets() const { return packets_; }
  [[nodiscard]] std::uint64_t measured() const { return measured_; }
  [[nodiscard]] double latency_sum() const { return latency_sum_; }
  [[nodiscard]] double network_sum() const { return network_sum_; }
  [[nodiscard]] std::uint64_t hops_sum() const { return hops_sum_; }
  [[nodiscard]] std::uint64_t indirect() const { return indirect_; }
  [[nodiscard]] std::uint64_t last_arrival() const { return last_; }
  [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }
  [[nodiscard]] const std::vector<Delivery>& deliveries() const { return deliveries_; }

 private:
  std::uint64_t packets_ = 0, measured_ = 0, hops_sum_ = 0, indirect_ = 0, last_ = 0;
  double latency_sum_ = 0, network_sum_ = 0;
  std::vector<Batch> batches_;
  std::vector<Delivery> deliveries_;
};

}  // namespace unknot::simulate
