// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a core is set up, and what it refuses. See core.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "unknot/simulate/core/core.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {

/// Longest time between an event and the step that announces it: a flit that waits for all others of its
/// channel, then the way there and back.
inline std::uint32_t longest_delay(const Settings& settings, const LinkTimes& links) {
  std::uint64_t longest = 0;
  const std::uint32_t unit = links.in_steps ? 1 : settings.speedup;
  const std::uint64_t queue =
      std::uint64_t{settings.vcs} * (std::uint64_t{settings.vc_buffer} + settings.output_buffer);
  const std::uint64_t packet =
      std::uint64_t{2} * settings.packet_flits;  // in front of the queue and behind it
  const auto see = [&](const std::vector<std::uint32_t>& latency, const std::vector<std::uint32_t>& period) {
    for (std::size_t i = 0; i < latency.size(); ++i) {
      longest = std::max(longest, 2 * unit * std::uint64_t{latency[i]} + (queue + packet) * period[i]);
    }
  };
  see(links.channel_latency, links.channel_period);
  see(links.terminal_latency, links.terminal_period);
  longest += settings.st_delay + settings.sw_alloc_delay + settings.routing_delay + settings.vc_alloc_delay +
             std::uint64_t{settings.speedup} * (settings.credit_delay + 4) + queue * settings.speedup;
  if (longest > 1U << 24) {
    throw InputError(
        "simulate: links and buffers this long need more than 16 million steps of events at once");
  }
  return static_cast<std::uint32_t>(longest);
}

inline std::uint16_t steps(std::uint32_t number) {
  if (number > 0xFFFF) throw InputError("simulate: a link takes more than 65,535 steps");
  return static_cast<std::uint16_t>(number);
}

/// A power of two of lanes at each port, and of each router's lanes: one more than there are, so that the
/// number after the last is in the mask as well.
inline RouterSizes router_sizes(const Ports& ports, const Settings& settings, std::uint32_t terminals,
                                std::uint32_t groups) {
  const std::uint64_t routers = ports.first_input.size() - 1;
  RouterSizes sizes;
  sizes.shift = lane_shift(settings.vcs);
  sizes.row_shift = groups > 1 ? sizes.shift : 0;
  const std::uint32_t most_ports = std::max(ports.most_inputs, ports.most_outputs);
  while (1U << sizes.router_shift <= most_ports << sizes.shift) ++sizes.router_shift;
  sizes.words = std::max(1U, (1U << sizes.router_shift) / 64);
  sizes.output_words = ports.most_outputs / 64 + 1;
  const std::uint64_t stride = 1U << (sizes.router_shift - sizes.shift),
                      lanes = stride * routers << sizes.shift;
  if (lanes + (std::uint64_t{terminals} << sizes.shift) > 0xFFFF0000U ||
      !Divider::fits(static_cast<std::uint32_t>(stride * routers), static_cast<std::uint32_t>(stride))) {
    throw InputError("simulate: a network of too many lanes");
  }
  return sizes;
}

template <class Shape, Mode kMode>
Core<Shape, kMode>::Core(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                         Source& source, const PartOf* part)
    : plan_(plan),
      settings_(settings),
      lane_function_(plan.routing),
      source_(source),
      speedup_(settings.speedup),
      all_lanes_(settings.vcs >= 32 ? ~0U : (1U << settings.vcs) - 1),
      traversal_(settings.st_delay + settings.sw_alloc_delay + (kWhole ? settings.vc_alloc_delay : 0)),
      credit_delay_(settings.credit_delay * settings.speedup),
      routing_delay_(settings.routing_delay),
      links_on_grid_(!links.in_steps),
      wants_messages_(source.wants_messages()),
      counts_transit_(kWhole &&
                      (plan.kind == RoutePlan::Kind::ugal || plan.kind == RoutePlan::Kind::adaptive ||
                       plan.address == AddressChoice::queues)),
      errands_(wants_messages_ || plan.within || plan.kind == RoutePlan::Kind::valiant ||
               plan.kind == RoutePlan::Kind::ugal || !plan.multicast.groups.empty()),
      copies_(!plan.multicast.groups.empty()),
      adapts_(plan.kind == RoutePlan::Kind::adaptive),
      by_level_(plan.lanes == RoutePlan::Lanes::level && !adapts_),
      queued_outputs_(kFull && settings.router == RouterKind::input_output_queued),
      whole_packets_(kFull && settings.switching == Switching::virtual_cut_through),
      steady_links_(!queued_outputs_ && links.a_flit_a_step()),
      part_of_(part == nullptr ? nullptr : &part->of_router),
      part_(part == nullptr ? std::uint8_t{0} : part->own),
      routers_(plan.network.router_count(),
               router_sizes(plan.ports, settings, plan.network.terminal_count(), plan.lanes_needed),
               queued_outputs_, [this](std::uint32_t router) { return owns(router); }),
      longest_delay_(longest_delay(settings, links)),
      flits_(longest_delay_),
      credits_(longest_delay_),
      routed_(settings.routing_delay + 1),
      granted_later_(settings.vc_alloc_delay),
      left_(counts_transit_ ? longest_delay_ : 1),
      crossed_(kTrains ? settings.packet_flits : 1),
      emptied_(kTrains ? longest_delay_ : 1),
      queued_(traversal_),
      arrived_(wants_messages_ ? longest_delay_ : 1),
      created_(plan.network.terminal_count()),
      draw_seed_(TerminalRandom(settings.seed, kNobody).next()) {
  const Ports& ports = plan.ports;
  const std::uint32_t unit = links.in_steps ? 1 : speedup_;         // steps of a unit of latency
  const std::uint32_t place = kTrains ? settings.packet_flits : 1;  // flits that take one of a buffer
  const std::uint32_t behind = (queued_outputs_ ? settings.output_buffer : settings.vc_buffer) / place;
  input_places_ = settings.vc_buffer / place;
  buffer_behind_ = behind * settings.vcs;
  constexpr std::uint32_t kTurns = 32;  // a queue that is seldom longer at loads that a channel can bear
  if (kWhole) taking_turns_ = std::min(kTurns, behind / 4);

  group_size_ = settings.vcs / plan.lanes_needed;
  const std::uint32_t group_bits = group_size_ >= 32 ? ~0U : (1U << group_size_) - 1;
  for (std::uint32_t lane = 0; lane < plan.lanes_needed; ++lane) {
    lane_groups_[lane] = group_bits << (lane * group_size_);
  }
  for (std::uint32_t vc = 0; vc < settings.vcs; ++vc)
    group_of_[vc] = static_cast<std::uint8_t>(std::min(vc / group_size_, plan.lanes_needed));

  const std::uint32_t routers = plan.network.router_count();
  const std::uint32_t terminals = plan.network.terminal_count();
  ports_ = routers * routers_.stride();
  if (kWhole) lane_preferred_.assign(std::size_t{ports_} << shift(), 0);
  if (counts_transit_) in_transit_.assign(ports_, 0);
  first_injection_ = ports_ << shift();
  constexpr std::size_t kLarge = 1'000'000, kBlock = 16'000;  // bytes, of the second cache and of the first
  const std::size_t bytes = routers_.bytes_of_router();
  large_ = routers * bytes > kLarge;
  block_ports_ =
      routers_.stride() * static_cast<std::uint32_t>(std::clamp<std::size_t>(kBlock / bytes, 1, routers));
  if (!Divider::fits(ports_, block_ports_)) block_ports_ = routers_.stride();
  divide_block_ = Divider(ports_, block_ports_);
  injection_room_.assign(std::size_t{terminals} << shift(), 0);
  nics_.resize(terminals);
  busy_.resize(ports_ / block_ports_ + 1);
  for (BitSet* set : {&switch_active_, &lane_active_, &link_active_}) set->resize(ports_);
  heads_.resize(first_injection_);
  nic_active_.resize(terminals);
  for (BitSet* set : {&crossing_inputs_, &crossing_outputs_}) set->resize(kTrains ? ports_ : 0);
  looking_.resize(adapts_ ? first_injection_ : 0);
  asked_.assign(adapts_ ? ports_ : 0, 0);
  roomier_.resize(adapts_ ? routers : 0);
  output_offers_.resize(block_ports_, output_words());
  lane_offers_.resize(64 * words(), 1);
  freed_.reserve(block_ports_);
  behind_.reserve(ports_);
  if (kFull) candidates_.assign(words(), 0);
  if (kFull && plan.bubble) entering_.assign(std::size_t{ports_} * words(), 0);

  for (std::uint32_t o = 0; o < ports.outputs(); ++o) {
    if (!owns(ports.output_router[o])) continue;
    const std::uint32_t at = port_of_output(o);
    OutLink& port = routers_.out_link(at);
    if constexpr (!kWhole) port.free = static_cast<LaneBits>(all_lanes_);
    const std::uint32_t to = ports.output_to[o];
    if (to == Ports::kSink) {
      port.period = 1;
    } else if ((to & Ports::kTerminal) != 0) {
      port.latency = steps(links.terminal_latency[to & ~Ports::kTerminal] * unit);
      port.period = steps(links.terminal_period[to & ~Ports::kTerminal]);
    } else {
      port.input = port_of_input(ports.input_of_channel[to]) << shift();
      port.latency = steps(links.channel_latency[to] * unit);
      port.period = steps(links.channel_period[to]);
    }
    for (std::uint32_t lane = at << shift(); lane < (at << shift()) + settings.vcs; ++lane) {
      routers_.out_lane(lane).room = static_cast<std::int16_t>(behind - taking_turns_);
      if constexpr (kFull) {
        if (queued_outputs_) routers_.link_lane(lane).credits = static_cast<std::uint16_t>(input_places_);
      }
    }
  }
  for (std::uint32_t i = 0; i < ports.inputs(); ++i) {
    if (!owns(ports.input_router[i])) continue;
    const std::uint32_t at = port_of_input(i);
    const std::uint32_t from = ports.input_from[i];
    InPort& in = routers_.in_port(at);
    if ((from & Ports::kTerminal) == 0) {
      in.upstream = port_of_output(ports.output_of_channel[from]) << shift();
      in.credit_steps = steps(links.channel_latency[from] * unit + credit_delay_);
    } else {
      const std::uint32_t t = from & ~Ports::kTerminal;
      in.upstream = injection_lane(t);
      in.credit_steps = steps(links.terminal_latency[t] * unit);
      Nic& nic = nics_[t];
      nic.input_lane = at << shift();
      nic.open = all_lanes_;
      nic.latency = steps(links.terminal_latency[t] * unit + speedup_);
      nic.period = steps(links.terminal_period[t]);
      nic.lane = static_cast<std::uint8_t>(settings.vcs - 1);
      for (std::uint32_t vc = 0; vc < settings.vcs; ++vc) {
        injection_room_[(t << shift()) + vc] = static_cast<std::int16_t>(input_places_);
      }
    }
  }
  by_age_ = Shape::kAged && kFull && !kWhole && settings.priority != Priority::none;
  if (by_age_) front_created_.assign(first_injection_, 0);
  if constexpr (kFull && !kWhole) {
    const auto by_name = [&](const Allocator& allocator, const SwitchSizes& sizes, SwitchRequests& requests) {
      if (allocator.is_usual()) return std::unique_ptr<SwitchAllocator>();
      requests = SwitchRequests(sizes.inputs, sizes.outputs);
      const bool rounds = allocator.iterations != 1;
      return make_switch_allocator(
          allocator.name + (rounds ? fmt::format(":iterations={}", allocator.iterations) : ""), sizes);
    };
    constexpr std::uint64_t kDrawsOfLanes = 0x6C616E6573;
    switch_allocator_ =
        by_name(settings.sw_allocator, {routers, ports.most_inputs, ports.most_outputs, settings.seed},
                switch_requests_);
    lane_allocator_ = by_name(
        settings.vc_allocator,
        {routers, ports.most_inputs << shift(), ports.most_outputs << shift(), settings.seed ^ kDrawsOfLanes},
        lane_requests_);
  }
  if (Shape::kAged && kFull && !kWhole && settings.ecn_threshold != 0)
    throttle_ = std::make_unique<Throttle>(settings, plan.network.terminal_count());
  offers_apart_ = by_age_ || switch_allocator_ != nullptr;
  if constexpr (kMessages) set_up_messages();
  if constexpr (Shape::kWatched) {
    flits_of_.sender.assign(nics_.size(), kNobody);
    for (auto* packets : {&flits_of_.arriving, &flits_of_.crossing, &flits_of_.sending})
      packets->assign(std::size_t{ports_} << shift(), kNobody);
    flits_of_.arrived.assign(std::size_t{ports_} << shift(), 0);
  }
  if (part != nullptr) set_up_part(*part);
  for (std::uint32_t sender = 0; sender < nics_.size(); ++sender) {
    const RouterId home = plan.network.router_of(TerminalId(terminal_of(sender)));
    if (owns(home.value)) request_packet(sender, 0);
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::no_route(std::uint32_t router, std::uint32_t destination) const {
  throw InputError(fmt::format("{}: router {} has no route to terminal {}", plan_.network.description(),
                               plan_.network.router_name(RouterId(router)),
                               plan_.network.terminal_name(TerminalId(destination))));
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::no_lane(std::uint32_t router, std::uint32_t lane) const {
  if (lane >= kLanesToldApart) {
    throw InputError(fmt::format("{}: a packet at router {} has no lane that carries data",
                                 plan_.network.description(), plan_.network.router_name(RouterId(router))));
  }
  throw InputError(fmt::format("{}: a packet at router {} is to take lane {}, but there are lanes 0 to {}",
                               plan_.network.description(), plan_.network.router_name(RouterId(router)), lane,
                               settings_.vcs - 1));
}

}  // namespace unknot::simulate
