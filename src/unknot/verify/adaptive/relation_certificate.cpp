// SPDX-License-Identifier: Apache-2.0
// Apart from the search: nothing of its blocks, sets or orders is used here, but for what an entry means and
// which destinations are alike (RelationView). Each destination's packets are followed one by one.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "unknot/support/parallel.hpp"
#include "unknot/tables/lane_function.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/adaptive/relation_view.hpp"
#include "unknot/verify/certificate_gap.hpp"

namespace unknot {
namespace {

/// Follows packets of one level and kind.
class NumberWalk {
 public:
  NumberWalk(const Network& network, const AdaptiveRouting& routing, const RelationView& view,
             PacketClass packets, const Certificate& certificate)
      : network_(network),
        routing_(routing),
        view_(view),
        packets_(packets),
        certificate_(certificate),
        lane_rule_(routing),
        seen_(static_cast<std::size_t>(kLanes) * network.channel_count(), 0),
        limit_(network.router_count(), 0),
        limit_round_(network.router_count(), 0) {
    for (const TerminalId t : network.terminals()) {
      if (lane_rule_.injected(packets.level, t) >= kLanes) continue;
      // Where ports make no difference, terminals of a router that send alike begin alike.
      const bool alike = same_for_all_ports() && !sources_.empty() &&
                         network.router_of(sources_.back()) == network.router_of(t) &&
                         (routing.service_levels.empty() || !routing.service_levels.begins_row(network, t));
      if (!alike) sources_.push_back(t);
    }
  }

  /// A sentence where some packet to the class has no choice with a number that is large enough.
  std::string objection(std::uint32_t index) {
    ++round_;
    queue_.clear();
    const TerminalId destination = view_.representative(index);
    const ServiceLevels& levels = routing_.service_levels;
    for (const TerminalId source : sources_) {
      if (!levels.empty() && levels.get(source, destination) != packets_.level) continue;
      (void)leave(network_.router_of(source), network_.terminal_port(source),
                  lane_rule_.injected(packets_.level, source), destination, nullptr);
    }
    std::string text;
    for (std::size_t next = 0; next < queue_.size() && text.empty(); ++next) {
      const LaneChannel at = queue_[next];
      text = leave(network_.target(at.channel), network_.target_port(at.channel), at.lane, destination, &at);
    }
    return text;
  }

 private:
  static constexpr std::uint32_t kLanes = LaneMap::kLevels;

  [[nodiscard]] bool same_for_all_ports() const {
    return lane_rule_.stays() && routing_.plane_map == nullptr;
  }
  [[nodiscard]] std::uint32_t number(const LaneChannel& at) const {
    if (at.lane >= certificate_.lanes) return Certificate::kUnused;
    return certificate_
        .number[static_cast<std::size_t>(at.lane) * network_.channel_count() + at.channel.value];
  }

  /// All choices of a packet that came by a port on a lane, and whether their numbers are right where it
  /// stands in a channel's buffer.
  std::string leave(RouterId r, std::uint16_t in_port, std::uint8_t lane, TerminalId destination,
                    const LaneChannel* from) {
    const std::uint32_t plane =
        routing_.plane_map ? routing_.plane_map->plane(r, in_port, lane, packets_.level) : 0U;
    if (from != nullptr && number(*from) == Certificate::kUnused) return no_number(*from, destination);
    const std::uint16_t entry = view_.option_of(plane, r, destination);
    if (entry == RelationView::kHere) return {};
    const RelationOption& option = view_.options(plane, r)[entry];
    // Where ports make no difference, one look at a router's choices is enough for all channels into it.
    if (from != nullptr && same_for_all_ports() && limit_round_[r.value] == round_ &&
        number(*from) < limit_[r.value])
      return {};
    std::uint32_t larger = 0;
    std::uint32_t limit = option.free() ? 0 : Certificate::kUnused;
    std::uint32_t gone = 0;
    LaneChannel bad;
    for (const std::uint16_t position : option.positions) {
      const ChannelId c = network_.out(r)[position];
      const std::uint8_t next_lane =
          lane_rule_.next(packets_.level, lane, r, in_port, network_.source_port(c));
      if (next_lane >= kLanes) {
        ++gone;
        continue;
      }
      const LaneChannel next{c, next_lane};
      std::uint32_t& seen = seen_[static_cast<std::size_t>(next_lane) * network_.channel_count() + c.value];
      if (seen != round_) {
        seen = round_;
        queue_.push_back(next);
      }
      const std::uint32_t its = number(next);
      // What has no number is larger than none.
      const std::uint32_t bound = its == Certificate::kUnused ? 0 : its;
      limit = option.free() ? std::max(limit, bound) : std::min(limit, bound);
      if (from != nullptr && its != Certificate::kUnused && its > number(*from)) {
        ++larger;
      } else {
        bad = next;
      }
    }
    limit_[r.value] = limit;
    limit_round_[r.value] = round_;
    if (from == nullptr || option.positions.empty()) return {};
    const bool good = option.free() ? larger + gone > 0 : larger + gone == option.positions.size();
    return good ? std::string() : too_small(*from, bad, option.free(), destination);
  }

  [[nodiscard]] std::string name(const LaneChannel& at) const {
    return fmt::format("{}, lane {}", network_.channel_name(at.channel), at.lane);
  }
  [[nodiscard]] std::string who(TerminalId destination) const {
    return fmt::format("{} packets to {}", packets_.adaptive ? "adaptive" : "fixed",
                       network_.terminal_name(destination));
  }
  [[nodiscard]] std::string no_number(const LaneChannel& at, TerminalId destination) const {
    return fmt::format("{} use {}, which has no number", who(destination), name(at));
  }
  [[nodiscard]] std::string too_small(const LaneChannel& at, const LaneChannel& next, bool free,
                                      TerminalId destination) const {
    if (free) {
      return fmt::format("{} in {} (number {}) have no choice with a larger number", who(destination),
                         name(at), number(at));
    }
    return fmt::format("{} hold {} (number {}) and wait for {} ({})", who(destination), name(at), number(at),
                       name(next),
                       number(next) == Certificate::kUnused ? std::string("no number")
                                                            : fmt::format("number {}", number(next)));
  }

  const Network& network_;
  const AdaptiveRouting& routing_;
  const RelationView& view_;
  PacketClass packets_;
  const Certificate& certificate_;
  AdaptiveLanes lane_rule_;
  std::vector<std::uint32_t> seen_;  // by lane and channel: the round of it
  // By router, where ports make no difference: a number that is smaller than this has a choice after it (is
  // smaller than all, where packets have no choice of their own), as found in that round.
  std::vector<std::uint32_t> limit_, limit_round_;
  std::vector<TerminalId> sources_;
  std::uint32_t round_ = 0;
  std::vector<LaneChannel> queue_;
};

}  // namespace

bool check_adaptive_certificate(const Network& network, const AdaptiveRouting& routing,
                                const Certificate& certificate, bool committed, std::uint32_t threads,
                                std::string* why) {
  require_fit(network, routing);
  std::string text = certificate_misfit(network, certificate);
  for (const bool adaptive : {true, false}) {
    const std::uint16_t levels = adaptive ? routing.adaptive_levels : routing.fixed_levels;
    if (levels == 0 || !text.empty()) continue;
    const RelationView view(network, routing, adaptive, committed, threads);
    for (std::uint8_t level = 0; level < LaneMap::kLevels && text.empty(); ++level) {
      if ((levels >> level & 1U) == 0) continue;
      std::mutex mutex;
      std::uint32_t first_bad = view.class_count();
      constexpr std::uint32_t kBlock = 64;
      parallel_blocks(view.class_count(), kBlock, threads,
                      [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                        NumberWalk walk(network, routing, view, PacketClass{level, adaptive}, certificate);
                        for (std::uint32_t index = begin; index < end; ++index) {
                          std::string objection = walk.objection(index);
                          if (objection.empty()) continue;
                          const std::lock_guard<std::mutex> lock(mutex);
                          if (index < first_bad) {  // the same sentence on any number of threads
                            first_bad = index;
                            text = std::move(objection);
                          }
                          return;
                        }
                      });
    }
  }
  if (why != nullptr) *why = text;
  return text.empty();
}

}  // namespace unknot
