// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "unknot/ethernet/pauses/queues.hpp"
#include "unknot/ethernet/pauses/usage.hpp"
#include "unknot/ethernet/relation/forwarding.hpp"

namespace unknot::ethernet {

/// Why one buffer waits for another: such a packet fills it.
struct WaitReason {
  std::uint32_t flow = 0;       ///< as it comes
  std::uint32_t next_flow = 0;  ///< as it goes on
  std::uint8_t code_point = 0;
};

/// Buffers, and which waits for which: one that packets fill which then need room in the other. A buffer is
/// that of a priority at the head of a channel. Where Queues::uniform() one priority stands for all.
class Waits {
 public:
  /// All of them have to outlive it.
  Waits(const Forwarding& forwarding, const Usage& usage, const Queues& queues);

  [[nodiscard]] std::uint32_t channel_count() const { return channels_; }
  /// Buffers that each channel has.
  [[nodiscard]] std::uint32_t layer_count() const { return layers_; }
  [[nodiscard]] std::uint32_t buffer(std::uint32_t channel, std::uint32_t layer) const {
    return layer * channels_ + channel;
  }
  [[nodiscard]] std::uint32_t channel_of(std::uint32_t buffer) const { return buffer % channels_; }
  [[nodiscard]] std::uint8_t priority_of(std::uint32_t buffer) const {
    return queues_.priorities()[buffer / channels_];
  }

  /// Calls visit(from, to, code point) for each pair of buffers of one hop: a packet came by the channel as
  /// `flow` and goes on by `next` as `next_flow`. A pair may come with several code points.
  template <class Visit>
  void for_each_pair(std::uint32_t channel, std::uint32_t flow, std::uint32_t next, std::uint32_t next_flow,
                     const Visit& visit) const {
    if (layers_ == 0 || queues_.code_points().empty()) return;
    if (queues_.uniform()) {
      visit(channel, next, queues_.code_points().front());
      return;
    }
    for (const std::uint8_t code_point : queues_.code_points()) {
      const Priorities classes = queues_.classes(channel, flow, code_point);
      for (std::uint8_t c = 0; c < kPriorities; ++c) {
        if ((classes >> c & 1U) == 0) continue;
        const Priorities held = queues_.held(channel, flow, c);
        if (held == 0) continue;
        const Priorities awaited = queues_.awaited(flow, next, next_flow, c);
        for (std::uint32_t i = 0; i < layers_; ++i) {
          if ((held >> queues_.priorities()[i] & 1U) == 0) continue;
          for (std::uint32_t j = 0; j < layers_; ++j) {
            if ((awaited >> queues_.priorities()[j] & 1U) != 0)
              visit(buffer(channel, i), buffer(next, j), code_point);
          }
        }
      }
    }
  }

  /// All of them, without failures: `from` in the upper half, ascending, none twice.
  /// O(sum over switches of in * out * flows / 64).
  [[nodiscard]] std::vector<std::uint64_t> all(std::uint32_t threads, Progress& progress) const;
  /// Pairs of channels that packets take one after the other, whatever they are kept from; as all().
  [[nodiscard]] std::vector<std::uint64_t> hops(std::uint32_t threads, Progress& progress) const;
  /// The first packet for which the first waits for the second without failures, of those that `right` takes;
  /// nothing where there is none.
  [[nodiscard]] std::optional<WaitReason> reason_where(
      std::uint32_t from, std::uint32_t to, const std::function<bool(const WaitReason&)>& right) const;

 private:
  template <class Visit>
  void for_each_hop(std::uint32_t channel, std::uint32_t next, bool all_flows, const Visit& visit) const;
  template <class Pairs>
  [[nodiscard]] std::vector<std::uint64_t> at_all_switches(std::uint32_t threads, Progress& progress,
                                                           const Pairs& pairs_of_hop) const;

  const Forwarding& forwarding_;
  const Usage& usage_;
  const Queues& queues_;
  std::uint32_t channels_;
  std::uint32_t layers_;
  std::vector<std::uint32_t> first_conversion_;  // by switch
};

}  // namespace unknot::ethernet
