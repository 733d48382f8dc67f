// SPDX-License-Identifier: Apache-2.0
// The plain model: routing, the switch, and from the output buffers to the channels.
#include <algorithm>

#include "simulate/flit_by_flit_model.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot::simulate::plain {

/// A flit goes from its input buffer to its output buffer.
void Model::cross(Input& in, Flit flit) {
  Output& out = outputs_[in.crossing_output];
  const Train& packet = packets_[flit.packet];
  must(in.free <= step_ && out.free <= step_, "two flits in the switch at once", packet);
  in.free = out.free = step_ + 1;
  in.lanes[in.lane].flits.pop_front();
  OutLane& lane = out.lanes[in.to_lane];
  lane.flits.push_back(flit);
  if (flit.number == 0) ++lane.packets;
  must(lane.packets <= out_places_ || !equal_, "no place in the output buffer", packet);
  must(lane.flits.size() <= s_.output_buffer, "the output buffer is full", packet);
  in.next = flit.number + 1;
  if (in.next < packet.flits) return;
  --in.lanes[in.lane].packets;
  in.credits.push_back({step_ + 1, in.lane});
}

/// The next flit of a packet whose head has begun to cross.
void Model::go_on_crossing(Input& in) {
  if (!in.crossing) return;
  const Train& packet = packets_[in.packet];
  if (in.next == packet.flits) {
    in.crossing = outputs_[in.crossing_output].crossing = false;
    return;
  }
  const std::deque<Flit>& flits = in.lanes[in.lane].flits;
  const bool here = !flits.empty() && flits.front().packet == in.packet && flits.front().number == in.next;
  must(here, "a flit is not in the input buffer when it is to cross", packet);
  if (here) cross(in, flits.front());
}

/// Lanes of the output that the packet may take, a bit each.
std::uint32_t Model::lanes_for(const Input& in, const Train& packet, std::uint32_t output) const {
  const std::uint32_t all = s_.vcs >= 32 ? ~0U : (1U << s_.vcs) - 1;
  if (outputs_[output].to_terminal || plan_.lanes == RoutePlan::Lanes::any) return all;
  const std::uint32_t group = s_.vcs / plan_.lanes_needed;
  const std::uint32_t lane =
      lane_of_hop(plan_.routing.lane_map.get(), packet.level, RouterId(in.router),
                  plan_.ports.input_number[plan_.ports.first_input[in.router] + in.place],
                  plan_.ports.output_number[output]);
  std::uint32_t lanes = 0;
  for (std::uint32_t vc = lane * group; vc < (lane + 1) * group; ++vc) lanes |= 1U << vc;
  return lanes;
}

/// The first packet that has not begun to cross is routed once all of its flits will be here in time: from
/// then on it asks for the lane that has most room now.
void Model::route(Input& in, InLane& lane) {
  if (lane.asks || lane.packets == 0) return;
  const auto head =
      std::find_if(lane.flits.begin(), lane.flits.end(), [](const Flit& f) { return f.number == 0; });
  if (head == lane.flits.end()) return;
  Train& packet = packets_[head->packet];
  if (step_ < head->arrives + std::uint64_t{packet.flits - 1} * (in.from->period - 1)) return;
  const TerminalId goal(packet.destination);
  if (plan_.network.router_of(goal).value == in.router) {
    lane.output = plan_.ports.output_of_terminal[goal.value];
  } else if (plan_.kind == RoutePlan::Kind::source) {
    const auto way = plan_.routing.routes()->route(TerminalId(packet.source), goal);
    lane.output = plan_.ports.output_of_channel[way[packet.hops].value];
  } else {
    const ChannelId next = plan_.routing.table().next(plan_.network, RouterId(in.router), goal);
    lane.output = plan_.ports.output_of_channel[next.value];
  }
  ++packet.hops;
  const std::uint32_t lanes = lanes_for(in, packet, lane.output);
  const std::vector<OutLane>& behind = outputs_[lane.output].lanes;
  lane.lane = s_.vcs;
  for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
    if ((lanes >> vc & 1U) == 0) continue;
    if (lane.lane == s_.vcs || behind[vc].places > behind[lane.lane].places) lane.lane = vc;
  }
  lane.asks = true;
}

/// A free channel takes one of the packets that wait for it and have a place in the next buffer.
void Model::give_channel(Output& out) {
  if (out.to_terminal || out.given_until > departure()) return;
  std::vector<std::uint32_t> asking;
  for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
    if (!out.lanes[vc].waiting.empty() && out.to->places[vc] > 0) asking.push_back(vc);
  }
  if (asking.empty()) return;
  const std::uint32_t vc = in_turn(asking, out.preferred_on_channel);
  out.preferred_on_channel = vc + 1;
  --out.to->places[vc];
  const std::uint32_t packet = out.lanes[vc].waiting.front();
  out.lanes[vc].waiting.pop_front();
  out.turns.push_back({packet, vc, 0, true, false, step_, departure()});
  out.given_until = departure() + std::uint64_t{packets_[packet].flits} * out.to->period;
}

/// The flit whose turn it is leaves the output buffer for the channel.
void Model::send(Output& out) {
  if (out.turns.empty() || out.turns.front().step > step_) return;
  Turn& turn = out.turns.front();
  const Train& packet = packets_[turn.packet];
  OutLane& lane = out.lanes[turn.lane];
  const bool here = turn.step == step_ && !lane.flits.empty() && lane.flits.front().packet == turn.packet &&
                    lane.flits.front().number == turn.next;
  must(here, "a flit is not in the output buffer when its turn comes", packet);
  if (!here) return;
  Flit flit = lane.flits.front();
  lane.flits.pop_front();
  must(turn.departs >= out.idle_from && turn.departs >= step_, "two flits on the channel at once", packet);
  out.idle_from = turn.departs + out.to->period;
  flit.lane = turn.lane;
  flit.arrives = turn.departs + out.to->latency;
  out.to->flits.push_back(flit);
  ++turn.next;
  turn.step += out.to->period;
  turn.departs += out.to->period;
  if (turn.next < packet.flits) return;
  --lane.packets;
  if (turn.has_place && !turn.tells_late) ++lane.places;
  if (turn.has_place && turn.tells_late) out.leaving.push_back({turn.departs - out.to->period, turn.lane});
  out.turns.pop_front();
}

/// The head of the lane's packet crosses. Where nothing is before it but turns that are given, it has its
/// own.
void Model::begin_crossing(Input& in, std::uint32_t vc) {
  InLane& from = in.lanes[vc];
  const Flit head = from.flits.front();
  const Train& packet = packets_[head.packet];
  must(head.number == 0, "a head is not in front", packet);
  from.asks = false;
  Output& out = outputs_[from.output];
  OutLane& lane = out.lanes[from.lane];
  in.crossing = out.crossing = true;
  in.packet = head.packet;
  in.lane = vc;
  in.crossing_output = from.output;
  in.to_lane = from.lane;
  cross(in, head);

  const std::uint64_t departs = std::max(departure(), out.given_until);
  const std::uint64_t before = departs - departure();
  const std::uint64_t tail = std::uint64_t{packet.flits - 1} * out.to->period;
  const std::uint64_t most = std::uint64_t{turns_} * s_.packet_flits * out.to->period;
  bool channel_asked = false;
  for (std::uint32_t l = 0; l < s_.vcs; ++l) {
    channel_asked = channel_asked || (!out.lanes[l].waiting.empty() && out.to->places[l] > 0);
  }
  const bool has_turn = out.to_terminal || (before <= most && !channel_asked && lane.waiting.empty() &&
                                            out.to->places[from.lane] > 0);
  // As many flits as `turns_` packets have wait for their turns beside the queues.
  const bool has_place = !has_turn || before + tail > most;
  if (has_place) --lane.places;
  if (!has_turn) {
    lane.waiting.push_back(head.packet);
    return;
  }
  if (!out.to_terminal) --out.to->places[from.lane];
  out.turns.push_back({head.packet, from.lane, 0, has_place, before > most, step_ + before, departs});
  out.given_until = departs + tail + out.to->period;
}

/// Outputs choose an input lane each, inputs one of the outputs that have chosen them.
void Model::allocate(std::uint32_t router) {
  const std::uint32_t first_input = plan_.ports.first_input[router];
  const std::uint32_t first_output = plan_.ports.first_output[router];
  std::vector<Request> requests;
  for (std::uint32_t i = first_input; i < plan_.ports.first_input[router + 1]; ++i) {
    if (inputs_[i].crossing) continue;
    for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
      const InLane& lane = inputs_[i].lanes[vc];
      if (!lane.asks || outputs_[lane.output].crossing) continue;
      if (outputs_[lane.output].lanes[lane.lane].places > 0) requests.push_back({i, vc, lane.output});
    }
  }
  if (requests.empty()) return;
  const auto lane_of = [&](const Request& r) { return inputs_[r.input].lanes[r.lane].lane; };
  const auto number = [&](const Request& r) { return (r.input - first_input) * s_.vcs + r.lane; };
  std::vector<std::vector<std::uint32_t>> granted(plan_.ports.first_input[router + 1] - first_input);
  for (std::uint32_t o = first_output; o < plan_.ports.first_output[router + 1]; ++o) {
    std::vector<std::uint32_t> lanes, asking;
    for (std::uint32_t vc = 0; vc < s_.vcs; ++vc) {
      for (const Request& r : requests) {
        if (r.output == o && lane_of(r) == vc && (lanes.empty() || lanes.back() != vc)) lanes.push_back(vc);
      }
    }
    if (lanes.empty()) continue;
    const std::uint32_t vc = in_turn(lanes, outputs_[o].preferred_lane);
    for (const Request& r : requests) {
      if (r.output == o && lane_of(r) == vc) asking.push_back(number(r));
    }
    granted[in_turn(asking, outputs_[o].lanes[vc].preferred) / s_.vcs].push_back(o - first_output);
  }
  for (std::uint32_t i = 0; i < granted.size(); ++i) {
    if (granted[i].empty()) continue;
    Input& in = inputs_[first_input + i];
    const std::uint32_t output = in_turn(granted[i], in.preferred);
    std::vector<std::uint32_t> lanes;
    for (const Request& r : requests) {
      if (r.input == first_input + i && r.output == first_output + output) lanes.push_back(r.lane);
    }
    const std::uint32_t vc = in_turn(lanes, in.preferred_lane);
    in.preferred = output + 1;
    in.preferred_lane = vc + 1;
    Output& out = outputs_[first_output + output];
    out.preferred_lane = in.lanes[vc].lane + 1;
    out.lanes[in.lanes[vc].lane].preferred = i * s_.vcs + vc + 1;
    begin_crossing(in, vc);
  }
}

}  // namespace unknot::simulate::plain
