// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/queues.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace unknot::ethernet {
namespace {

template <class Visit>
void for_each_bit(std::uint64_t bits, const Visit& visit) {
  for (std::uint8_t i = 0; bits != 0; ++i, bits >>= 1U) {
    if ((bits & 1U) != 0) visit(i);
  }
}

}  // namespace

Queues::Queues(const Forwarding& forwarding) : forwarding_(forwarding), fabric_(forwarding.fabric()) {
  Priorities lossless = 0;
  for (const Channel& channel : fabric_.channels) lossless |= fabric_.quality[channel.in_quality].lossless;
  for_each_bit(lossless, [&](std::uint8_t p) { priorities_.push_back(p); });

  // What each table of the fabric makes of a code point; two with the same are one.
  std::map<std::string, std::uint8_t> known;
  for (unsigned d = 0; d < kCodePoints; ++d) {
    std::string treated;
    for (const PortQuality& q : fabric_.quality) treated += static_cast<char>(q.class_of_code_point[d]);
    for (const Switch& s : fabric_.switches) {
      if (s.tunnel && s.tunnel->quality.maps_in)
        treated += static_cast<char>(s.tunnel->quality.class_of_code_point[d]);
    }
    bool matters = false;
    for (const PortQuality& q : fabric_.quality)
      matters |= (q.lossless >> q.group_of_class[q.class_of_code_point[d]] & 1U) != 0;
    for (const Switch& s : fabric_.switches) {
      if (!s.tunnel) continue;
      const TunnelQuality& tunnel = s.tunnel->quality;
      matters |= tunnel.code_points_out;  // it may get another one that is
      // The end of a tunnel has maps of its own.
      for (const PortQuality& q : fabric_.quality) {
        const std::uint8_t c = (tunnel.maps_in ? tunnel.class_of_code_point : q.class_of_code_point)[d];
        matters |= (q.lossless >> (tunnel.groups_in ? tunnel.group_of_class : q.group_of_class)[c] & 1U) != 0;
      }
    }
    if (matters && known.emplace(std::move(treated), static_cast<std::uint8_t>(d)).second)
      code_points_.push_back(static_cast<std::uint8_t>(d));
  }

  uniform_ = forwarding.flow_count() == forwarding.destination_count();
  if (fabric_.channels.empty()) return;
  const PortQuality& first = in(0);
  for (const Channel& channel : fabric_.channels) {
    uniform_ = uniform_ && fabric_.quality[channel.in_quality] == first &&
               fabric_.quality[channel.out_quality] == first;
  }
  if (!uniform_) return;
  for (const std::uint8_t d : code_points_) {
    const std::uint8_t c = first.class_of_code_point[d];
    const std::uint8_t group = first.group_of_class[c];
    Priorities stopping = 0;
    for (const std::uint8_t p : priorities_) {
      if (first.queue_of_priority[p] == first.queue_of_class[c]) stopping |= static_cast<Priorities>(1U << p);
    }
    uniform_ = uniform_ && stopping == Priorities(1U << group);
  }
  // A priority that no class is in holds nothing; it is as free as the others are, or freer.
  for (const std::uint8_t p : priorities_) {
    uniform_ = uniform_ && std::any_of(code_points_.begin(), code_points_.end(), [&](std::uint8_t d) {
                 return first.group_of_class[first.class_of_code_point[d]] == p;
               });
  }
}

const PortQuality& Queues::in(std::uint32_t channel) const {
  return fabric_.quality[fabric_.channels[channel].in_quality];
}

const PortQuality& Queues::out(std::uint32_t channel) const {
  return fabric_.quality[fabric_.channels[channel].out_quality];
}

std::uint64_t Queues::outside(std::uint32_t flow, std::uint8_t code_point) const {
  const Flow& f = forwarding_.flows()[flow];
  const Switch& entry = fabric_.switches[f.encapsulated_at];
  const TunnelQuality& tunnel = entry.tunnel->quality;
  if (!tunnel.pipe || !tunnel.code_points_out) return std::uint64_t{1} << code_point;
  std::uint64_t result = 0;
  for (const std::uint32_t q : entry.quality) {
    const std::uint8_t traffic_class = fabric_.quality[q].class_of_code_point[code_point];
    result |= std::uint64_t{1} << tunnel.code_point_of_class[traffic_class];
  }
  return result;
}

const TunnelQuality* Queues::leaves_tunnel(std::uint32_t channel, std::uint32_t flow) const {
  const std::uint32_t at = fabric_.channels[channel].to;
  if (!forwarding_.in_tunnel(flow) || !fabric_.switches[at].tunnel) return nullptr;
  return forwarding_.step(at, flow).left_tunnel ? &fabric_.switches[at].tunnel->quality : nullptr;
}

Priorities Queues::classes(std::uint32_t channel, std::uint32_t flow, std::uint8_t code_point) const {
  const PortQuality& port = in(channel);
  if (!forwarding_.in_tunnel(flow))
    return static_cast<Priorities>(1U << port.class_of_code_point[code_point]);
  Priorities result = 0;
  const TunnelQuality* const end = leaves_tunnel(channel, flow);
  const CodePointMap& map =
      end != nullptr && end->maps_in ? end->class_of_code_point : port.class_of_code_point;
  const bool inner = end != nullptr && end->maps_in && end->pipe;
  for_each_bit(inner ? std::uint64_t{1} << code_point : outside(flow, code_point),
               [&](std::uint8_t d) { result |= static_cast<Priorities>(1U << map[d]); });
  return result;
}

Priorities Queues::held(std::uint32_t channel, std::uint32_t flow, std::uint8_t traffic_class) const {
  const PortQuality& port = in(channel);
  const TunnelQuality* const end = leaves_tunnel(channel, flow);
  const PriorityMap& groups = end != nullptr && end->groups_in ? end->group_of_class : port.group_of_class;
  return static_cast<Priorities>(port.lossless & 1U << groups[traffic_class]);
}

Priorities Queues::awaited(std::uint32_t flow, std::uint32_t next, std::uint32_t next_flow,
                           std::uint8_t traffic_class) const {
  const std::uint32_t at = fabric_.channels[next].from;
  const PortQuality& port = out(next);
  const bool enters = forwarding_.in_tunnel(next_flow) && next_flow != flow &&
                      forwarding_.flows()[next_flow].encapsulated_at == at;
  const PriorityMap* queues = &port.queue_of_class;
  if (enters && fabric_.switches[at].tunnel->quality.queues_out)
    queues = &fabric_.switches[at].tunnel->quality.queue_of_class;
  Priorities result = 0;
  for (const std::uint8_t p : priorities_) {
    if (port.queue_of_priority[p] == (*queues)[traffic_class]) result |= static_cast<Priorities>(1U << p);
  }
  return result & port.lossless & in(next).lossless;
}

}  // namespace unknot::ethernet
