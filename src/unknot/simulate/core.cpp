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
      granted_(settings.vc_alloc_delay),
      queued_(settings.st_delay + settings.sw_alloc_delay),
      arrived_(longest_delay(settings, links)),
      created_(plan.network.terminal_count()),
      random_(settings.seed, 1) {
  const Ports& ports = plan.ports;
  while (1U << shift_ < settings.vcs) ++shift_;
  all_lanes_ = settings.vcs >= 32 ? ~0U : (1U << settings.vcs) - 1;
  words_ = ((ports.most_inputs << shift_) + 63) / 64;
  if (kWords > 0) words_ = kWords;
  traversal_ = settings.st_delay + settings.sw_alloc_delay;
  links_on_grid_ = !links.in_steps;
  wants_messages_ = source.wants_messages();
  const std::uint32_t unit = links.in_steps ? 1 : speedup_;  // steps of a unit of latency
  queued_outputs_ = settings.router == RouterKind::input_output_queued;
  const std::uint32_t behind = queued_outputs_ ? settings.output_buffer : settings.vc_buffer;
  buffer_behind_ = static_cast<double>(behind) * settings.vcs;
  const std::uint32_t terminals = plan.network.terminal_count();
  first_injection_ = ports.outputs() << shift_;

  in_lanes_.resize(std::size_t{ports.inputs()} << shift_);
  in_ports_.resize(ports.inputs());
  out_lanes_.resize((std::size_t{ports.outputs()} + terminals) << shift_);
  out_ports_.resize(ports.outputs());
  nics_.resize(terminals);
  free_lanes_.assign(ports.outputs(), all_lanes_);
  switch_requests_.assign(std::size_t{ports.outputs()} * words(), 0);
  lane_requests_.assign((kFull ? std::size_t{ports.outputs()} << shift_ : ports.outputs()) * words(), 0);
  granted_lanes_.assign(std::size_t{ports.most_inputs} << shift_, 0);
  for (StepList* list : {&heads_, &behind_, &freed_}) list->reserve(in_lanes_.size());
  chosen_inputs_.reserve(ports.inputs());
  touched_.reserve(granted_lanes_.size());
  lane_active_.resize(ports.outputs());
  switch_active_.resize(ports.outputs());
  nic_active_.resize(terminals);
  if (kWords == 0) {
    grant_words_ = (ports.most_outputs + 63) / 64;
    grants_.assign(std::size_t{ports.inputs()} * grant_words_, 0);
  }
  if (kFull) {
    used_.assign(ports.outputs(), 0);
    candidates_.assign(words(), 0);
    if (plan.bubble) entering_.assign(std::size_t{ports.outputs()} * words(), 0);
    if (queued_outputs_) {
      link_lanes_.resize(std::size_t{ports.outputs()} << shift_);
      link_requests_.assign(ports.outputs(), 0);
      link_active_.resize(ports.outputs());
    }
  }

  const std::uint32_t credit_delay = settings.credit_delay * speedup_;
  const auto one_a_step = [](const std::vector<std::uint32_t>& periods) {
    return std::all_of(periods.begin(), periods.end(), [](std::uint32_t p) { return p <= 1; });
  };
  steady_links_ = one_a_step(links.channel_period) && one_a_step(links.terminal_period);
  for (std::uint32_t o = 0; o < ports.outputs(); ++o) {
    OutPort& port = out_ports_[o];
    const std::uint32_t router = ports.output_router[o];
    const std::uint32_t to = ports.output_to[o];
    const bool terminal = (to & Ports::kTerminal) != 0;
    port.first_input = ports.first_input[router];
    port.inputs = static_cast<std::uint16_t>(ports.first_input[router + 1] - port.first_input);
    port.local = static_cast<std::uint16_t>(o - ports.first_output[router]);
    if (terminal) {
      port.latency = links.terminal_latency[to & ~Ports::kTerminal] * unit;
      port.period = links.terminal_period[to & ~Ports::kTerminal];
      port.back = port.latency + speedup_ + credit_delay;
    } else {
      port.input = ports.input_of_channel[to];
      port.latency = links.channel_latency[to] * unit;
      port.period = links.channel_period[to];
    }
    for (std::uint32_t vc = 0; vc < settings.vcs; ++vc) {
      out_lanes_[(o << shift_) | vc].room = static_cast<std::int32_t>(behind);
      if (queued_outputs_ && kFull) {
        link_lanes_[(o << shift_) | vc].credits = static_cast<std::int32_t>(settings.vc_buffer);
      }
    }
  }
  for (std::uint32_t i = 0; i < ports.inputs(); ++i) {
    InPort& port = in_ports_[i];
    const std::uint32_t from = ports.input_from[i];
    const bool terminal = (from & Ports::kTerminal) != 0;
    port.router = ports.input_router[i];
    port.first_output = ports.first_output[port.router];
    port.outputs = static_cast<std::uint16_t>(ports.first_output[port.router + 1] - port.first_output);
    port.local = static_cast<std::uint16_t>(i - ports.first_input[port.router]);
    std::uint32_t upstream = 0;
    if (terminal) {
      const std::uint32_t t = from & ~Ports::kTerminal;
      port.credit_steps = links.terminal_latency[t] * unit;
      upstream = first_injection_ + (t << shift_);
      Nic& nic = nics_[t];
      nic.first_lane = upstream;
      nic.input_lane = i << shift_;
      nic.latency = links.terminal_latency[t] * unit + speedup_;
      nic.lane = static_cast<std::uint8_t>(settings.vcs - 1);
      for (std::uint32_t vc = 0; vc < settings.vcs; ++vc) {
        out_lanes_[upstream + vc].room = static_cast<std::int32_t>(settings.vc_buffer);
      }
    } else {
      port.credit_steps = links.channel_latency[from] * unit + credit_delay;
      upstream = ports.output_of_channel[from] << shift_;
    }
    for (std::uint32_t vc = 0; vc < settings.vcs; ++vc)
      in_lanes_[(i << shift_) | vc].upstream = upstream + vc;
  }
  packets_.take();  // packet 0 stands behind empty queues
  // Blocks of routers whose ports and lanes fit the cache nearest to the core together.
  constexpr std::uint32_t kBlockPorts = 128;
  Block block;
  for (std::uint32_t r = 0; r < plan.network.router_count(); ++r) {
    block.last = ports.first_output[r + 1];
    if (block.last - block.first >= kBlockPorts || r + 1 == plan.network.router_count()) {
      if (block.last > block.first) blocks_.push_back(block);
      block.first = block.last;
    }
  }
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
