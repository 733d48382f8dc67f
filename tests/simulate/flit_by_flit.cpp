// SPDX-License-Identifier: Apache-2.0
// The plain model: links and terminals, and the order of what happens in a step.
#include "simulate/flit_by_flit.hpp"

#include <algorithm>

#include "simulate/flit_by_flit_model.hpp"

namespace unknot::simulate {
namespace plain {

Model::Model(const RoutePlan& plan, const Settings& settings, const LinkTimes& links, Source& source)
    : plan_(plan), s_(settings), source_(source), links_in_steps_(links.in_steps) {
  s_.packet_flits = std::max(s_.packet_flits, source.longest_packet());
  in_places_ = s_.vc_buffer / s_.packet_flits;
  out_places_ = s_.output_buffer / s_.packet_flits;
  turns_ = std::min(32U, out_places_ / 4);
  const std::uint32_t unit = links.in_steps ? 1 : s_.speedup;
  const Ports& ports = plan.ports;
  links_.resize(plan.network.channel_count());
  for (std::uint32_t c = 0; c < links_.size(); ++c) {
    links_[c].latency = links.channel_latency[c] * unit;
    links_[c].period = links.channel_period[c];
    links_[c].credit_steps = links_[c].latency + s_.credit_delay * s_.speedup;
  }
  terminals_.resize(plan.network.terminal_count());
  for (std::uint32_t t = 0; t < terminals_.size(); ++t) {
    terminals_[t].in.latency = links.terminal_latency[t] * unit;
    terminals_[t].in.period = links.terminal_period[t];
    terminals_[t].out.latency = terminals_[t].out.credit_steps = terminals_[t].in.latency;
    terminals_[t].out.period = s_.speedup;  // a flit in a cycle, whatever the link takes
    terminals_[t].lane = s_.vcs - 1;
  }
  inputs_.resize(ports.inputs());
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    Input& in = inputs_[i];
    in.router = ports.input_router[i];
    in.place = i - ports.first_input[in.router];
    const std::uint32_t from = ports.input_from[i];
    in.from = (from & Ports::kTerminal) != 0 ? &terminals_[from & ~Ports::kTerminal].out : &links_[from];
    in.from->places.assign(s_.vcs, in_places_);
    in.lanes.resize(s_.vcs);
  }
  outputs_.resize(ports.outputs());
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
    Output& out = outputs_[o];
    out.router = ports.output_router[o];
    const std::uint32_t to = ports.output_to[o];
    out.to_terminal = (to & Ports::kTerminal) != 0;
    out.to = out.to_terminal ? &terminals_[to & ~Ports::kTerminal].in : &links_[to];
    out.lanes.resize(s_.vcs);
    for (OutLane& lane : out.lanes) lane.places = out_places_ - turns_;
  }
  for (std::uint32_t t = 0; t < terminals_.size(); ++t) {
    terminals_[t].waiting = source_.next(t, 0, terminals_[t].next);
  }
}

void Model::take_credits(Link& link, std::uint64_t step) {
  for (; !link.credits.empty() && link.credits.front().at <= step; link.credits.pop_front()) {
    ++link.places[link.credits.front().lane];
  }
}

/// The flits of a packet follow each other, with nothing between them.
void Model::come_in(Link& link, const Flit& flit) {
  const Train& packet = packets_[flit.packet];
  must(flit.number == 0 || (flit.packet == link.last.packet && flit.number == link.last.number + 1 &&
                            flit.lane == link.last.lane && flit.arrives == link.last.arrives + link.period),
       "a flit does not follow the one before", packet);
  link.last = flit;
  link.flits.pop_front();
}

void Model::arrive(Input& in) {
  Link& link = *in.from;
  while (!link.flits.empty() && link.flits.front().arrives <= step_) {
    const Flit flit = link.flits.front();
    come_in(link, flit);
    InLane& lane = in.lanes[flit.lane];
    lane.flits.push_back(flit);
    if (flit.number == 0) ++lane.packets;
    must(lane.packets <= in_places_, "no place in the input buffer", packets_[flit.packet]);
    must(lane.flits.size() <= s_.vc_buffer, "the input buffer is full", packets_[flit.packet]);
  }
}

void Model::arrive(Terminal& terminal) {
  while (!terminal.in.flits.empty() && terminal.in.flits.front().arrives <= step_) {
    const Flit flit = terminal.in.flits.front();
    come_in(terminal.in, flit);
    ++arrived_;
    const Train& packet = packets_[flit.packet];
    must(&terminal == &terminals_[packet.destination], "a flit at another terminal", packet);
    if (flit.number + 1 < packet.flits) continue;
    result_.deliveries.push_back({packet.created, flit.arrives, packet.source, packet.destination});
  }
}

/// Credits share a link: on the grid it carries one a cycle.
void Model::send_credit(Input& in) {
  if (in.credits.empty() || in.credits.front().at > step_ || !on_grid()) return;
  in.from->credits.push_back({step_ + in.from->credit_steps, in.credits.front().lane});
  in.credits.pop_front();
}

/// A flit in a cycle, on a lane on which the whole packet has a place.
void Model::inject(std::uint32_t number) {
  Terminal& t = terminals_[number];
  if (t.sent == 0) {
    if (!t.waiting || t.next.created * s_.speedup > step_) return;
    std::vector<std::uint32_t> open;
    for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
      if (t.out.places[vc] > 0) open.push_back(vc);
    }
    if (open.empty()) return;
    t.lane = in_turn(open, t.lane + 1);
    --t.out.places[t.lane];
    Train packet{t.next.created, number, t.next.destination, t.next.flits};
    if (plan_.lanes == RoutePlan::Lanes::level)
      packet.level = plan_.routing.service_levels.get(TerminalId(number), TerminalId(packet.destination));
    equal_ = equal_ && packet.flits == s_.packet_flits;
    t.packet = static_cast<std::uint32_t>(packets_.size());
    packets_.push_back(packet);
  }
  t.out.flits.push_back({t.packet, t.sent, t.lane, step_ + s_.speedup + t.out.latency});
  ++injected_;
  if (++t.sent < packets_[t.packet].flits) return;
  t.sent = 0;
  t.waiting = source_.next(number, step_ / s_.speedup, t.next);
}

void Model::step() {
  for (Link& link : links_) take_credits(link, step_);
  for (Terminal& t : terminals_) {
    take_credits(t.out, step_);
    arrive(t);
  }
  for (Output& out : outputs_) {
    for (; !out.leaving.empty() && out.leaving.front().at <= step_; out.leaving.pop_front()) {
      ++out.lanes[out.leaving.front().lane].places;
    }
  }
  const auto route_heads = [&] {
    for (Input& in : inputs_) {
      for (InLane& lane : in.lanes) route(in, lane);
    }
  };
  for (Input& in : inputs_) {
    send_credit(in);
    arrive(in);
    go_on_crossing(in);
  }
  for (Output& out : outputs_) send(out);
  if (s_.routing_delay == 0) route_heads();
  for (Output& out : outputs_) {
    give_channel(out);
    send(out);
  }
  for (std::uint32_t r = 0; r + 1 < plan_.ports.first_input.size(); ++r) allocate(r);
  for (Output& out : outputs_) send(out);
  route_heads();
  for (std::uint32_t t = 0; t < terminals_.size() && step_ % s_.speedup == 0; ++t) inject(t);
}

/// Every flit is somewhere, and every place of an input buffer free, taken, or on its way back.
void Model::check_end() {
  std::uint64_t flits = arrived_;
  for (Input& in : inputs_) {
    flits += in.from->flits.size();
    for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
      flits += in.lanes[vc].flits.size();
      std::uint64_t places = in.from->places[vc] + in.lanes[vc].packets;
      for (const Flit& flit : in.from->flits) places += flit.lane == vc && flit.number == 0 ? 1 : 0;
      for (const Credit& credit : in.from->credits) places += credit.lane == vc ? 1 : 0;
      for (const Credit& credit : in.credits) places += credit.lane == vc ? 1 : 0;
      // Turns that are given have taken theirs.
      if ((plan_.ports.input_from[&in - inputs_.data()] & Ports::kTerminal) == 0) {
        const std::uint32_t channel = plan_.ports.input_from[&in - inputs_.data()];
        for (const Turn& turn : outputs_[plan_.ports.output_of_channel[channel]].turns) {
          places += turn.lane == vc && turn.next == 0 ? 1 : 0;
        }
      }
      if (places != in_places_ && result_.broken.empty())
        result_.broken = fmt::format("router {}: {} places of {}", in.router, places, in_places_);
    }
  }
  for (const Terminal& t : terminals_) flits += t.in.flits.size();
  for (const Output& out : outputs_) {
    for (const OutLane& lane : out.lanes) flits += lane.flits.size();
  }
  if (flits != injected_ && result_.broken.empty())
    result_.broken = fmt::format("{} flits were sent, {} are somewhere", injected_, flits);
}

FlitByFlit Model::run(std::uint64_t cycles) {
  for (; step_ < cycles * s_.speedup && result_.broken.empty(); ++step_) step();
  check_end();
  return result_;
}

}  // namespace plain

FlitByFlit run_flit_by_flit(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                            Source& source, std::uint64_t cycles) {
  return plain::Model(plan, settings, links, source).run(cycles);
}

}  // namespace unknot::simulate
