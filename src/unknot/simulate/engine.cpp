// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/simulate/core.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

template <class Shape>
bool fits(const RoutePlan& plan, const Settings& settings) {
  const std::uint32_t shift = lane_shift(settings.vcs);
  const std::uint32_t ports = std::max(plan.ports.most_inputs, plan.ports.most_outputs);
  if constexpr (Shape::kFixed) {
    if (shift != Shape::kShift) return false;
  }
  return Shape::kWords == 0 || (ports < 64 && ports << shift < 64 * Shape::kWords);
}

/// The first of these shapes that the routers fit. The last one is for any.
template <Mode kMode, class First, class... Rest>
std::unique_ptr<Engine> engine(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                               Source& source) {
  if constexpr (sizeof...(Rest) > 0) {
    if (!fits<First>(plan, settings)) return engine<kMode, Rest...>(plan, settings, links, source);
  }
  return std::make_unique<Core<First, kMode>>(plan, settings, links, source);
}

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
  constexpr std::uint32_t kMostBuffer = 32767;
  if (std::max(settings.vc_buffer, settings.output_buffer) > kMostBuffer) {
    throw InputError(fmt::format("simulate: a lane's buffer of more than {} flits", kMostBuffer));
  }
  constexpr std::uint32_t kMostLanes = 0xFFFE;
  if (std::uint64_t{plan.ports.most_inputs} * 32 > kMostLanes) {
    throw InputError(fmt::format("simulate: a router with {} inputs is too large", plan.ports.most_inputs));
  }
}

/// Settings in which no packet is longer than they say.
Settings for_longest(Settings settings, const Source& source) {
  settings.packet_flits = std::max(settings.packet_flits, source.longest_packet());
  return settings;
}

}  // namespace

std::unique_ptr<Engine> make_full_engine(const RoutePlan& plan, const Settings& given, const LinkTimes& links,
                                         Source& source) {
  const Settings settings = for_longest(given, source);
  check_fit(plan, settings);
  return engine<Mode::full, OneWord, FixedShape<2, 2>, AnyShape>(plan, settings, links, source);
}

std::unique_ptr<Engine> make_engine(const RoutePlan& plan, const Settings& given, const LinkTimes& links,
                                    Source& source) {
  const Settings settings = for_longest(given, source);
  check_fit(plan, settings);
  if (settings.router == RouterKind::input_output_queued && settings.routing_delay <= 1 && !plan.bubble) {
    if (settings.packet_flits == 1) {
      return engine<Mode::packets, FixedShape<1, 1>, OneWord, FixedShape<2, 2>, AnyShape>(plan, settings,
                                                                                          links, source);
    }
    if (settings.arbitration == Arbitration::packets) {
      return engine<Mode::trains, FixedShape<1, 1>, OneWord, FixedShape<2, 2>, AnyShape>(plan, settings,
                                                                                         links, source);
    }
  }
  const bool plain = plan.kind == RoutePlan::Kind::tables && plan.lanes == RoutePlan::Lanes::any &&
                     !plan.bubble && settings.router == RouterKind::input_queued &&
                     settings.switching == Switching::wormhole && !source.wants_messages();
  if (!plain) return engine<Mode::full, OneWord, FixedShape<2, 2>, AnyShape>(plan, settings, links, source);
  if (SinglePacket::fits(plan.network.router_count(), plan.network.terminal_count()) &&
      settings.packet_flits == 1 && settings.routing_delay == 1 && settings.vc_alloc_delay == 1 &&
      settings.speedup == 1 && links.a_flit_a_step()) {
    return engine<Mode::single, FixedShape<1, 2>, FixedShape<2, 2>, AnyShape>(plan, settings, links, source);
  }
  return engine<Mode::plain, FixedShape<1, 2>, FixedShape<2, 2>, AnyShape>(plan, settings, links, source);
}

}  // namespace unknot::simulate
