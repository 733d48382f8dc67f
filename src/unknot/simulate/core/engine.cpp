// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/simulate/core/core.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

/// The form for routers as small as these are.
template <Mode kMode>
std::unique_ptr<PartEngine> by_size(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                                    Source& source, const PartOf* part) {
  const std::uint32_t ports = std::max(plan.ports.most_inputs, plan.ports.most_outputs);
  const std::uint32_t lanes = ports << lane_shift(settings.vcs);
  if (ports < 64 && lanes < 64)
    return std::make_unique<Core<OneWord, kMode>>(plan, settings, links, source, part);
  if constexpr (kMode == Mode::single || kMode == Mode::plain) {
    if (ports < 64 && lanes < 128)
      return std::make_unique<Core<TwoWords, kMode>>(plan, settings, links, source, part);
  }
  return std::make_unique<Core<AnyShape, kMode>>(plan, settings, links, source, part);
}

/// Mode packets or trains where they do what is asked for, else full.
Mode mode_of(const RoutePlan& plan, const Settings& settings) {
  if (settings.router != RouterKind::input_output_queued || settings.routing_delay > 1 || plan.bubble ||
      plan.ports.sinks || settings.ecn_threshold != 0) {
    return Mode::full;
  }
  if (settings.packet_flits == 1) return Mode::packets;
  return settings.arbitration == Arbitration::packets ? Mode::trains : Mode::full;
}

}  // namespace

void check_fit(const RoutePlan& plan, const Settings& settings) {
  if (settings.vcs < plan.lanes_needed) {
    throw InputError(
        fmt::format("simulate: the routing needs {} lanes, vcs is {}", plan.lanes_needed, settings.vcs));
  }
  if (plan.bubble &&
      (settings.router != RouterKind::input_queued || settings.switching != Switching::virtual_cut_through)) {
    throw InputError(
        "simulate: bubble flow control needs input-queued routers and virtual cut-through switching");
  }
  if (plan.bubble && settings.vc_buffer < 2 * settings.packet_flits) {
    throw InputError(
        fmt::format("simulate: bubble flow control needs buffers of two packets, {} flits; vc_buffer is {}",
                    2 * settings.packet_flits, settings.vc_buffer));
  }
  const bool whole =
      settings.switching == Switching::virtual_cut_through || moves_whole(mode_of(plan, settings));
  if (plan.adaptive != nullptr && !whole) {
    throw InputError(
        "simulate: a packet that is routed adaptively lies in one buffer: set switching=virtual-cut-through, "
        "or router=input-output-queued with packet_flits=1");
  }
  if (!plan.multicast.groups.empty() &&
      (settings.router != RouterKind::input_output_queued || settings.packet_flits != 1 ||
       settings.routing_delay > 1 || plan.bubble || plan.ports.sinks || settings.ecn_threshold != 0)) {
    throw InputError(
        "simulate: multicast needs routers that move whole packets: router=input-output-queued, "
        "packet_flits=1, "
        "routing_delay of 0 or 1, no ecn_threshold and no bubble flow control");
  }
  if (plan.messages != nullptr &&
      (settings.router != RouterKind::input_queued || (!whole && settings.packet_flits > 1))) {
    throw InputError(
        "simulate: --messages is simulated with router=input-queued, and a message of several flits lies in "
        "one buffer: set switching=virtual-cut-through, or packet_flits=1");
  }
  if (settings.named_allocator() && moves_whole(mode_of(plan, settings))) {
    throw InputError(
        "simulate: sw_allocator and vc_allocator are for switches that are given to flits: set "
        "router=input-queued, or packets of several flits with arbitration=flits");
  }
  if (settings.priority == Priority::network && plan.messages == nullptr)
    throw InputError("simulate: priority = \"class\" is for --messages, whose classes have virtual networks");
  constexpr std::uint32_t kMostBuffer = 32767;
  if (std::max(settings.vc_buffer, settings.output_buffer) > kMostBuffer) {
    throw InputError(fmt::format("simulate: a lane's buffer of more than {} flits", kMostBuffer));
  }
  if (plan.messages != nullptr &&
      std::uint64_t{settings.receive_queue} * settings.packet_flits > kMostBuffer) {
    throw InputError(fmt::format("simulate: a receive queue of more than {} flits", kMostBuffer));
  }
  constexpr std::uint32_t kMostLanes = 0xFFFE;
  if (std::uint64_t{plan.ports.most_inputs} * 32 > kMostLanes) {
    throw InputError(fmt::format("simulate: a router with {} inputs is too large", plan.ports.most_inputs));
  }
}

namespace {

/// Packets go by age, or terminals are held back.
bool seldom(const Settings& settings) {
  return settings.priority != Priority::none || settings.ecn_threshold != 0;
}

/// The form for what is seldom asked for.
std::unique_ptr<PartEngine> make_seldom(const RoutePlan& plan, const Settings& settings,
                                        const LinkTimes& links, Source& source, const PartOf* part) {
  if (plan.messages != nullptr)
    return std::make_unique<Core<AgedShape, Mode::messages>>(plan, settings, links, source);
  return std::make_unique<Core<AgedShape, Mode::full>>(plan, settings, links, source, part);
}

/// Settings in which no packet is longer than they say.
Settings for_longest(Settings settings, const Source& source) {
  settings.packet_flits = std::max(settings.packet_flits, source.longest_packet());
  return settings;
}

}  // namespace

std::unique_ptr<Engine> make_watched_engine(const RoutePlan& plan, const Settings& given,
                                            const LinkTimes& links, Source& source, PacketWatch& watch) {
  const Settings settings = for_longest(given, source);
  check_fit(plan, settings);
  if (!plan.multicast.groups.empty())
    throw InputError("simulate: --watch follows packets from one terminal to one other, and not --multicast");
  std::unique_ptr<Engine> engine;
  const Mode mode = plan.messages != nullptr ? Mode::messages : mode_of(plan, settings);
  if (mode == Mode::messages) {
    engine = std::make_unique<Core<WatchedShape, Mode::messages>>(plan, settings, links, source);
  } else if (mode == Mode::packets) {
    engine = std::make_unique<Core<WatchedShape, Mode::packets>>(plan, settings, links, source);
  } else if (mode == Mode::trains) {
    engine = std::make_unique<Core<WatchedShape, Mode::trains>>(plan, settings, links, source);
  } else {
    engine = std::make_unique<Core<WatchedShape, Mode::full>>(plan, settings, links, source);
  }
  engine->watch = &watch;
  return engine;
}

std::unique_ptr<Engine> make_full_engine(const RoutePlan& plan, const Settings& given, const LinkTimes& links,
                                         Source& source) {
  const Settings settings = for_longest(given, source);
  check_fit(plan, settings);
  if (seldom(settings)) return make_seldom(plan, settings, links, source, nullptr);
  if (plan.messages != nullptr)
    return std::make_unique<Core<AnyShape, Mode::messages>>(plan, settings, links, source);
  return std::make_unique<Core<AnyShape, Mode::full>>(plan, settings, links, source);
}

namespace {

/// Every packet may take any lane, by tables that tell none apart. O(service levels).
bool any_lane_for_all(const RoutePlan& plan) {
  if (plan.lanes == RoutePlan::Lanes::any) return true;
  return plan.lanes == RoutePlan::Lanes::level && plan.lanes_needed == 1 &&
         plan.routing.lane_map == nullptr && plan.routing.data_lanes > 0 &&
         plan.routing.service_levels.all_zero();
}

/// Of a part of the network, or (null) of the whole.
std::unique_ptr<PartEngine> make(const RoutePlan& plan, const Settings& given, const LinkTimes& links,
                                 Source& source, const PartOf* part) {
  const Settings settings = for_longest(given, source);
  check_fit(plan, settings);
  if (seldom(settings)) return make_seldom(plan, settings, links, source, part);
  if (plan.messages != nullptr)
    return std::make_unique<Core<AnyShape, Mode::messages>>(plan, settings, links, source);
  const Mode mode = mode_of(plan, settings);
  if (mode == Mode::packets) return by_size<Mode::packets>(plan, settings, links, source, part);
  if (mode == Mode::trains) return by_size<Mode::trains>(plan, settings, links, source, part);
  const bool plain = plan.kind == RoutePlan::Kind::tables && plan.lanes != RoutePlan::Lanes::scheme &&
                     !plan.bubble && plan.address != AddressChoice::queues && !settings.named_allocator() &&
                     settings.router == RouterKind::input_queued &&
                     settings.switching == Switching::wormhole && !source.wants_messages() &&
                     !plan.ports.sinks;
  if (!plain) return by_size<Mode::full>(plan, settings, links, source, part);
  if (SinglePacket::fits(plan.network.router_count(), plan.network.terminal_count()) &&
      settings.packet_flits == 1 && settings.routing_delay == 1 && settings.vc_alloc_delay == 1 &&
      settings.speedup == 1 && links.a_flit_a_step() && any_lane_for_all(plan)) {
    return by_size<Mode::single>(plan, settings, links, source, part);
  }
  return by_size<Mode::plain>(plan, settings, links, source, part);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                                    Source& source) {
  return make(plan, settings, links, source, nullptr);
}

std::unique_ptr<PartEngine> make_part(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                                      Source& source, const PartOf& part) {
  return make(plan, settings, links, source, &part);
}

}  // namespace unknot::simulate
