// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

/// Longest time between an event and the step that announces it: a flit that waits for all others of its
/// channel, then the way there and back.
std::uint32_t longest_delay(const Settings& settings, const LinkTimes& links) {
  std::uint64_t longest = 0;
  const std::uint32_t unit = links.in_steps ? 1 : settings.speedup;
  const std::uint64_t queue =
      std::uint64_t{settings.vcs} * (std::uint64_t{settings.vc_buffer} + settings.output_buffer);
  const auto see = [&](const std::vector<std::uint32_t>& latency, const std::vector<std::uint32_t>& period) {
    for (std::size_t i = 0; i < latency.size(); ++i) {
      longest = std::max(longest, 2 * unit * std::uint64_t{latency[i]} + queue * period[i]);
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

std::uint16_t steps(std::uint32_t number) {
  if (number > 0xFFFF) throw InputError("simulate: a link takes more than 65,535 steps");
  return static_cast<std::uint16_t>(number);
}

}  // namespace

template <std::uint32_t kWords, Mode kMode>
Core<kWords, kMode>::Core(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                          Source& source)
    : plan_(plan),
      settings_(settings),
      source_(source),
      speedup_(settings.speedup),
      flits_(longest_delay(settings, links)),
      credits_(longest_delay(settings, links)),
      routed_(settings.routing_delay + 1),
      granted_later_(settings.vc_alloc_delay),
      queued_(settings.st_delay + settings.sw_alloc_delay),
      arrived_(longest_delay(settings, links)),
      created_(plan.network.terminal_count()),
      random_(settings.seed, 1) {
  const Ports& ports = plan.ports;
  while (1U << shift_ < settings.vcs) ++shift_;
  all_lanes_ = settings.vcs >= 32 ? ~0U : (1U << settings.vcs) - 1;
  // One lane more than there are, so that the number after the last is in the mask as well.
  const std::uint32_t most_ports = std::max(ports.most_inputs, ports.most_outputs);
  while (1U << router_shift_ <= most_ports << shift_) ++router_shift_;
  words_ = std::max(1U, (1U << router_shift()) / 64);
  output_words_ = ports.most_outputs / 64 + 1;
  traversal_ = settings.st_delay + settings.sw_alloc_delay;
  links_on_grid_ = !links.in_steps;
  wants_messages_ = source.wants_messages();
  queued_outputs_ = kFull && settings.router == RouterKind::input_output_queued;
  const std::uint32_t unit = links.in_steps ? 1 : speedup_;  // steps of a unit of latency
  const std::uint32_t behind = queued_outputs_ ? settings.output_buffer : settings.vc_buffer;
  buffer_behind_ = static_cast<double>(behind) * settings.vcs;
  credit_delay_ = settings.credit_delay * speedup_;
  const auto one_a_step = [](const std::vector<std::uint32_t>& periods) {
    return std::all_of(periods.begin(), periods.end(), [](std::uint32_t p) { return p <= 1; });
  };
  steady_links_ = !queued_outputs_ && one_a_step(links.channel_period) && one_a_step(links.terminal_period);

  const std::uint32_t routers = plan.network.router_count();
  const std::uint32_t terminals = plan.network.terminal_count();
  const std::uint64_t lanes = std::uint64_t{routers} << router_shift();
  if (lanes + (std::uint64_t{terminals} << shift_) > 0xFFFF0000U) {
    throw InputError("simulate: more than four billion lanes");
  }
  const std::size_t strided = lanes >> shift_;
  first_injection_ = static_cast<std::uint32_t>(lanes);
  constexpr std::size_t kSmall = 20'000;  // lanes whose state fits the second cache
  large_ = lanes > kSmall;
  router_ports_ = most_ports;
  in_lanes_.resize(lanes);
  in_ports_.resize(strided);
  out_lanes_.resize(lanes + (std::size_t{terminals} << shift_));
  out_ports_.resize(strided);
  nics_.resize(terminals);
  free_lanes_.assign(strided, all_lanes_);
  if (!steady_links_) link_free_.assign(strided, 0);
  if (speedup_ > 1 && links_on_grid_) credit_free_.assign(strided, 0);
  switch_requests_.assign(strided * words(), 0);
  lane_requests_.assign((kFull ? lanes : strided) * words(), 0);
  busy_.resize(routers);
  nic_active_.resize(terminals);
  switch_active_.assign(std::size_t{routers} * output_words(), 0);
  lane_active_.assign(std::size_t{routers} * output_words(), 0);
  heads_.assign(std::size_t{routers} * words(), 0);
  behind_.assign(std::size_t{routers} * words(), 0);
  granted_.assign(std::size_t{ports.most_inputs} * output_words(), 0);
  granted_lanes_.assign(std::size_t{1} << router_shift(), 0);
  chosen_.reserve(ports.most_inputs);
  touched_.reserve(granted_lanes_.size());
  freed_.reserve(granted_lanes_.size());
  if (kFull) {
    used_.assign(strided, 0);
    candidates_.assign(words(), 0);
    if (plan.bubble) entering_.assign(strided * words(), 0);
  }
  if (queued_outputs_) {
    link_lanes_.resize(lanes);
    link_requests_.assign(strided, 0);
    link_active_.assign(std::size_t{routers} * output_words(), 0);
  }

  for (std::uint32_t o = 0; o < ports.outputs(); ++o) {
    const std::uint32_t at = strided_output(o);
    OutPort& port = out_ports_[at];
    const std::uint32_t to = ports.output_to[o];
    if ((to & Ports::kTerminal) != 0) {
      port.latency = steps(links.terminal_latency[to & ~Ports::kTerminal] * unit);
      port.period = steps(links.terminal_period[to & ~Ports::kTerminal]);
    } else {
      port.input = strided_input(ports.input_of_channel[to]);
      port.latency = steps(links.channel_latency[to] * unit);
      port.period = steps(links.channel_period[to]);
    }
    for (std::uint32_t vc = 0; vc < settings.vcs; ++vc) {
      out_lanes_[(at << shift_) | vc].room = static_cast<std::int16_t>(behind);
      if (queued_outputs_)
        link_lanes_[(at << shift_) | vc].credits = static_cast<std::uint16_t>(settings.vc_buffer);
    }
  }
  for (std::uint32_t i = 0; i < ports.inputs(); ++i) {
    const std::uint32_t at = strided_input(i);
    InPort& port = in_ports_[at];
    const std::uint32_t from = ports.input_from[i];
    if ((from & Ports::kTerminal) == 0) {
      port.credit_steps = steps(links.channel_latency[from] * unit + credit_delay_);
      port.upstream = strided_output(ports.output_of_channel[from]) << shift_;
      continue;
    }
    const std::uint32_t t = from & ~Ports::kTerminal;
    port.credit_steps = steps(links.terminal_latency[t] * unit);
    port.upstream = first_injection_ + (t << shift_);
    Nic& nic = nics_[t];
    nic.input_lane = at << shift_;
    nic.latency = steps(links.terminal_latency[t] * unit + speedup_);
    nic.lane = static_cast<std::uint8_t>(settings.vcs - 1);
    for (std::uint32_t vc = 0; vc < settings.vcs; ++vc) {
      out_lanes_[port.upstream + vc].room = static_cast<std::int16_t>(settings.vc_buffer);
    }
  }
  packets_.take();  // packet 0 stands behind empty queues
  for (std::uint32_t t = 0; t < terminals; ++t) request_packet(t, 0);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::no_route(std::uint32_t router, std::uint32_t destination) const {
  throw InputError(fmt::format("{}: router {} has no route to terminal {}", plan_.network.description(),
                               plan_.network.router_name(RouterId(router)),
                               plan_.network.terminal_name(TerminalId(destination))));
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::no_lane(std::uint32_t router, std::uint32_t lane) const {
  throw InputError(fmt::format("{}: a packet at router {} is to take lane {}, but there are lanes 0 to {}",
                               plan_.network.description(), plan_.network.router_name(RouterId(router)), lane,
                               settings_.vcs - 1));
}

template class Core<1, Mode::single>;
template class Core<2, Mode::single>;
template class Core<0, Mode::single>;
template class Core<1, Mode::plain>;
template class Core<2, Mode::plain>;
template class Core<0, Mode::plain>;
template class Core<1, Mode::full>;
template class Core<2, Mode::full>;
template class Core<0, Mode::full>;

}  // namespace unknot::simulate
