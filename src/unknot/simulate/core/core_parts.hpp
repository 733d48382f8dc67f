// SPDX-License-Identifier: Apache-2.0
#pragma once

// A core of a part of the network: its mail. See part_engine.hpp.
#include <algorithm>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
void Core<Shape, kMode>::set_up_part(const PartOf& part) {
  const Ports& ports = plan_.ports;
  mail_.resize(std::size_t{2} * part.parts);
  boxes_ = mail_.data();
  away_outputs_.resize(ports_);
  away_inputs_.resize(ports_);
  const auto sooner = [&](std::uint32_t steps) { lookahead_ = std::min(lookahead_, steps); };
  // Whole packets know when they leave as they cross; from output buffers flits leave in the step in which
  // they are chosen.
  const std::uint32_t through = queued_outputs_ && !kWhole ? 0 : traversal_;
  for (std::uint32_t o = 0; o < ports.outputs(); ++o) {
    const std::uint32_t to = ports.output_to[o], router = ports.output_router[o];
    if ((to & Ports::kTerminal) != 0 || !owns(router)) continue;
    if (owns(plan_.network.target(ChannelId(to)).value)) continue;
    away_outputs_.set(port_of_output(o));
    sooner(through + routers_.out_link(port_of_output(o)).latency);
  }
  for (std::uint32_t i = 0; i < ports.inputs(); ++i) {
    const std::uint32_t from = ports.input_from[i], router = ports.input_router[i];
    if ((from & Ports::kTerminal) != 0 || !owns(router)) continue;
    if (owns(plan_.network.source(ChannelId(from)).value)) continue;
    away_inputs_.set(port_of_input(i));
    sooner(1U + routers_.in_port(port_of_input(i)).credit_steps);
  }
}

template <class Shape, Mode kMode>
auto Core<Shape, kMode>::box_of(std::uint32_t router) -> Mail<Packet>& {
  return boxes_[(*part_of_)[router]];
}

/// A flit for an input lane of another part; with its packet, which is no longer this one's, where it is the
/// head.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::post_flit(std::uint64_t step, std::uint32_t lane, std::uint32_t p) {
  Mail<Packet>& box = box_of(router_of_lane(lane));
  const typename Mail<Packet>::Event event{lane, static_cast<std::uint32_t>(step)};
  earliest_mail_ = std::min(earliest_mail_, step);
  if (p == kNobody) {
    box.flits.push_back(event);
    return;
  }
  box.heads.push_back({event, packets_[p], packets_.journey(p)});
  if (errands_) box.errands.push_back(packets_.errand(p));
  packets_.give_back(p);
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::post_credit(std::uint64_t step, std::uint32_t out_lane) {
  earliest_mail_ = std::min(earliest_mail_, step);
  box_of(router_of_lane(out_lane)).credits.push_back({out_lane, static_cast<std::uint32_t>(step)});
}

template <class Shape, Mode kMode>
std::uint64_t Core<Shape, kMode>::run_window(std::uint64_t from, std::uint64_t to, std::uint32_t turn) {
  boxes_ = mail_.data() + turn * (mail_.size() / 2);
  earliest_mail_ = kNothing;
  step_ = from;
  advance(to);
  return std::min(earliest_mail_, idle() ? next_event() : step_);
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::take_mail(PartEngine& from, std::uint32_t turn) {
  auto& sender = static_cast<Core&>(from);
  Mail<Packet>& box = sender.mail_[turn * (sender.mail_.size() / 2) + part_];
  // All of it arrives now or later.
  const auto whole = [this](std::uint32_t step) {
    return step_ + (step - static_cast<std::uint32_t>(step_));
  };
  for (std::size_t i = 0; i < box.heads.size(); ++i) {
    const auto& head = box.heads[i];
    const std::uint32_t p = packets_.take();
    packets_[p] = head.packet;
    packets_.journey(p) = head.journey;
    if (errands_) packets_.errand(p) = box.errands[i];
    flits_.add(whole(head.event.step), {head.event.lane, p});
  }
  for (const auto& event : box.flits) flits_.add(whole(event.step), {event.lane, kNobody});
  for (const auto& event : box.credits) credits_.add(whole(event.step), event.lane);
  box.clear();
}

}  // namespace unknot::simulate
