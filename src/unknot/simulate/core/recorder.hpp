// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "unknot/simulate/core/packets.hpp"
#include "unknot/simulate/record/interval_series.hpp"
#include "unknot/simulate/record/latency_histogram.hpp"
#include "unknot/simulate/record/order_check.hpp"

namespace unknot::simulate {

/// What a run writes down of the packets that arrive. The packets created in the window's cycles are
/// measured; flits that arrive in these cycles, whenever created, are accepted.
class Recorder {
 public:
  struct Delivery {
    std::uint64_t created = 0;  ///< cycle
    std::uint64_t arrived = 0;  ///< step of the tail
    std::uint32_t source = 0, destination = 0;
  };

  /// A packet that is measured, or that arrived in the window, or both.
  struct Seen {
    std::uint64_t latency = 0;  ///< steps
    std::uint32_t source = 0, destination = 0;
    std::uint16_t hops = 0;
    std::uint8_t flits = 0;
    bool measured = false, accepted = false;
  };

  std::uint32_t speedup = 1;  ///< steps of a cycle
  bool keep_deliveries = false;
  bool keep_seen = false;
  bool check_order = false;  ///< packets take one path on one lane; see OrderCheck

  /// Cycles [from, to) are the window; what an earlier one has seen is forgotten. At first all of time is it.
  void set_window(std::uint64_t from, std::uint64_t to) {
    from_ = from;
    to_ = to;
    latency_.clear();
    seen_.clear();
    accepted_ = measured_ = network_sum_ = hops_sum_ = indirect_ = 0;
  }
  /// Latency by cycle of creation is kept in intervals of this width from now on.
  void set_interval(std::uint64_t cycles) { by_creation_ = IntervalSeries(cycles); }

  /// What is to be written down is what `whole` is told to. Parts of a run have a recorder each.
  void follow(const Recorder& whole) {
    speedup = whole.speedup;
    keep_deliveries = whole.keep_deliveries;
    keep_seen = whole.keep_seen;
    check_order = whole.check_order;
    from_ = whole.from_;
    to_ = whole.to_;
    if (by_creation_.sums().empty()) by_creation_ = IntervalSeries(whole.by_creation_.width());
  }
  /// Takes over what a part has written down. Where packets are kept, those of a part in its order.
  void take(Recorder& part) {
    accepted_ += std::exchange(part.accepted_, 0);
    measured_ += std::exchange(part.measured_, 0);
    network_sum_ += std::exchange(part.network_sum_, 0);
    hops_sum_ += std::exchange(part.hops_sum_, 0);
    indirect_ += std::exchange(part.indirect_, 0);
    to_groups_ += std::exchange(part.to_groups_, 0);
    to_groups_measured_ += std::exchange(part.to_groups_measured_, 0);
    copies_ += std::exchange(part.copies_, 0);
    last_ = std::max(last_, part.last_);
    if (part.latency_.count() > 0) {
      latency_.merge(part.latency_);
      part.latency_.clear();
    }
    by_creation_.take(part.by_creation_);
    deliveries_.insert(deliveries_.end(), part.deliveries_.begin(), part.deliveries_.end());
    part.deliveries_.clear();
    seen_.insert(seen_.end(), part.seen_.begin(), part.seen_.end());
    part.seen_.clear();
  }

  /// A packet begins to leave its terminal.
  void injected(std::uint64_t created) { measured_ += created >= from_ && created < to_ ? 1 : 0; }
  /// A packet's tail, which leaves its last router in cycle `now`, arrives at `step`.
  void packet(const Packet& packet, const Journey& journey, std::uint64_t now, std::uint64_t step) {
    last_ = std::max(last_, step);
    if (check_order) order_.arrived(journey.source, packet.target, journey.injected);
    const std::uint64_t created = now - (static_cast<std::uint32_t>(now) - journey.created);
    const std::uint64_t latency = step - created * speedup;
    if (now >= from_ && now < to_) accepted_ += packet.flits;
    if (created >= from_ && created < to_) {
      latency_.add(latency);
      network_sum_ += latency - std::uint64_t{journey.injected - journey.created} * speedup;
      hops_sum_ += packet.hops;
      indirect_ += journey.source >> 31U;
    }
    by_creation_.add(created, static_cast<double>(latency));
    if (keep_deliveries || keep_seen) keep(packet, journey, {created, now}, step);
  }

  /// A packet is lost in cycle `now`, which no other number is of.
  void lost(const Journey& journey, std::uint64_t now) {
    if (keep_deliveries) lost_.push_back(now - (static_cast<std::uint32_t>(now) - journey.created));
  }

  // Multicast: packets that have left their terminals, and copies that have arrived, since the beginning.
  void sent_to_group(std::uint64_t now) {
    ++to_groups_;
    to_groups_measured_ += now >= from_ && now < to_ ? 1 : 0;
  }
  void copy(std::uint64_t step) {
    last_ = std::max(last_, step);
    ++copies_;
  }
  [[nodiscard]] std::uint64_t to_groups() const { return to_groups_; }
  [[nodiscard]] std::uint64_t copies() const { return copies_; }

  /// Step in which the last flit arrived.
  [[nodiscard]] std::uint64_t last_arrival() const { return last_; }
  // Of the window.
  [[nodiscard]] std::uint64_t to_groups_measured() const { return to_groups_measured_; }
  /// Packets created in it that have begun to leave their terminals.
  [[nodiscard]] std::uint64_t measured() const { return measured_; }
  [[nodiscard]] std::uint64_t accepted_flits() const { return accepted_; }
  [[nodiscard]] const LatencyHistogram& latency() const {
    return latency_;
  }                                                                         ///< steps, from creation to tail
  [[nodiscard]] std::uint64_t network_sum() const { return network_sum_; }  ///< steps, from injection to tail
  [[nodiscard]] std::uint64_t hops_sum() const { return hops_sum_; }
  [[nodiscard]] std::uint64_t indirect() const { return indirect_; }
  /// Latency in steps by cycle of creation, of all packets.
  [[nodiscard]] const IntervalSeries& by_creation() const { return by_creation_; }
  [[nodiscard]] const std::vector<Delivery>& deliveries() const { return deliveries_; }
  /// Where deliveries are kept: cycles in which lost packets were created.
  [[nodiscard]] const std::vector<std::uint64_t>& losses() const { return lost_; }
  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }

 private:
  struct Cycles {
    std::uint64_t created, now;
  };
  [[nodiscard]] bool in_window(std::uint64_t cycle) const { return cycle >= from_ && cycle < to_; }
  /// Apart, as hardly a run asks for it.
  [[gnu::noinline]] void keep(const Packet& packet, const Journey& journey, Cycles cycles,
                              std::uint64_t step) {
    const std::uint32_t source = journey.source & ~Journey::kIndirect;
    if (keep_deliveries) deliveries_.push_back({cycles.created, step, source, packet.target});
    const bool measured = in_window(cycles.created), accepted = in_window(cycles.now);
    if (keep_seen && (measured || accepted)) {
      seen_.push_back({step - cycles.created * speedup, source, packet.target, packet.hops, packet.flits,
                       measured, accepted});
    }
  }

  std::uint64_t from_ = 0, to_ = std::numeric_limits<std::uint64_t>::max() / 16;
  std::uint64_t accepted_ = 0, last_ = 0;
  std::uint64_t to_groups_ = 0, to_groups_measured_ = 0, copies_ = 0;
  std::uint64_t measured_ = 0, network_sum_ = 0, hops_sum_ = 0, indirect_ = 0;
  LatencyHistogram latency_;
  IntervalSeries by_creation_;
  std::vector<Delivery> deliveries_;
  std::vector<std::uint64_t> lost_;
  std::vector<Seen> seen_;
  OrderCheck order_;
};

}  // namespace unknot::simulate
