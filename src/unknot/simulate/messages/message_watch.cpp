// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/messages/message_watch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "unknot/simulate/plan/message_plan.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kNoPlace = 0xFFFFFFFFU;

/// Places in which packets lie: input lanes, then receive queues and send queues, a terminal's networks in a
/// row.
class MessageSearch {
 public:
  MessageSearch(const Engine& engine, const RoutePlan& plan, const Settings& settings,
                const MessageHosts& hosts)
      : plan_(plan),
        messages_(*plan.messages),
        settings_(settings),
        hosts_(hosts),
        shift_(engine.lane_shift()),
        group_(settings.vcs / plan.lanes_needed),
        whole_(settings.switching == Switching::virtual_cut_through ? settings.packet_flits : 1),
        lanes_(engine.lane_states()),
        receive_(static_cast<std::uint32_t>(lanes_.size())),
        send_(receive_ + plan.network.terminal_count() * messages_.networks),
        moves_(send_ + plan.network.terminal_count() * messages_.networks, 0) {}

  std::vector<MessageWait> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t place = 0; place < moves_.size(); ++place) {
        if (moves_[place] != 0 || waits_for(place) != kNoPlace) continue;
        moves_[place] = 1;
        changed = true;
      }
    }
    return shortest_circle();
  }

 private:
  [[nodiscard]] std::uint32_t network_of_vc(std::uint32_t vc) const { return vc / group_ / messages_.lanes; }
  /// Where a packet comes to by an out lane.
  [[nodiscard]] std::uint32_t behind(std::uint32_t out_lane) const {
    const std::uint32_t to = plan_.ports.output_to[out_lane >> shift_];
    const std::uint32_t vc = out_lane & ((1U << shift_) - 1);
    if ((to & Ports::kTerminal) == 0) return (plan_.ports.input_of_channel[to] << shift_) | vc;
    return receive_ + (to & ~Ports::kTerminal) * messages_.networks + network_of_vc(vc);
  }
  /// No room there for so many flits, for ever. Lanes and receive queues.
  [[nodiscard]] bool is_full(std::uint32_t place, std::uint32_t flits) const {
    if (moves_[place] != 0) return false;
    if (place < receive_) return lanes_[place].present + flits > settings_.vc_buffer;
    return hosts_.receive_queue(place - receive_).size() >= settings_.receive_queue;
  }
  /// A place that this one waits for and that is not known to move; kNoPlace where it lets a packet go.
  [[nodiscard]] std::uint32_t waits_for(std::uint32_t place) const {
    if (place >= send_) return sender_waits_for(place - send_);
    return place >= receive_ ? receiver_waits_for(place - receive_) : lane_waits_for(lanes_[place]);
  }
  [[nodiscard]] std::uint32_t lane_waits_for(const LaneState& lane) const {
    if (!lane.occupied || !lane.flit_here || lane.has_room) return kNoPlace;
    if (lane.holds) return is_full(behind(lane.out_lane), 1) ? behind(lane.out_lane) : kNoPlace;
    std::uint32_t first = kNoPlace;
    for (std::uint32_t rest = lane.wanted; rest != 0; rest &= rest - 1) {
      const std::uint32_t next =
          behind((lane.out_lane >> shift_ << shift_) | static_cast<std::uint32_t>(std::countr_zero(rest)));
      if (!is_full(next, whole_)) return kNoPlace;
      if (first == kNoPlace) first = next;
    }
    return first;
  }
  [[nodiscard]] std::uint32_t receiver_waits_for(std::uint32_t receiver) const {
    if (hosts_.receive_queue(receiver).empty()) return kNoPlace;
    const std::uint32_t terminal = receiver / messages_.networks;
    const MessageHosts::Message& first = hosts_.message(hosts_.receive_queue(receiver).front());
    std::array<std::uint32_t, kMostVirtualNetworks> wanted{};
    for (const std::uint32_t caused : hosts_.caused_at(first.message_class, terminal)) {
      const std::uint32_t network = messages_.classes[caused].network;
      const std::uint32_t sender = terminal * messages_.networks + network;
      if (++wanted[network] > hosts_.room(sender) && moves_[send_ + sender] == 0) return send_ + sender;
    }
    return kNoPlace;
  }
  [[nodiscard]] std::uint32_t sender_waits_for(std::uint32_t sender) const {
    if (hosts_.room(sender) == settings_.send_queue) return kNoPlace;
    const std::uint32_t input = plan_.ports.input_of_terminal[sender / messages_.networks];
    const std::uint32_t lanes = group_ * messages_.lanes;
    const std::uint32_t first = (input << shift_) + sender % messages_.networks * lanes;
    for (std::uint32_t lane = first; lane < first + lanes; ++lane) {
      if (!is_full(lane, whole_)) return kNoPlace;
    }
    return first;
  }

  /// Each place that cannot move waits for one that cannot move either: from each the way leads into a
  /// circle.
  [[nodiscard]] std::vector<MessageWait> shortest_circle() const {
    std::vector<std::uint32_t> seen_from(moves_.size(), kNoPlace), at(moves_.size(), 0), path;
    std::vector<MessageWait> shortest;
    for (std::uint32_t start = 0; start < moves_.size(); ++start) {
      if (moves_[start] != 0) continue;
      path.clear();
      std::uint32_t place = start;
      while (seen_from[place] == kNoPlace) {
        seen_from[place] = start;
        at[place] = static_cast<std::uint32_t>(path.size());
        path.push_back(place);
        place = waits_for(place);
      }
      // Where an earlier way has been met, its circle is known already.
      if (seen_from[place] != start) continue;
      std::vector<MessageWait> circle = named({path.begin() + at[place], path.end()});
      if (shortest.empty() || circle.size() < shortest.size()) shortest = std::move(circle);
    }
    return shortest;
  }
  /// In the words of MessageModel, no buffer twice.
  [[nodiscard]] std::vector<MessageWait> named(const std::vector<std::uint32_t>& places) const {
    std::vector<MessageWait> circle;
    for (const std::uint32_t place : places) {
      if (place >= send_) continue;  // its first packet lies in the router: the next place
      const MessageWait wait = name(place);
      const auto before = std::find_if(circle.begin(), circle.end(),
                                       [&](const MessageWait& one) { return one.held == wait.held; });
      circle.erase(before, circle.end());
      circle.push_back(wait);
    }
    return circle;
  }
  [[nodiscard]] MessageWait name(std::uint32_t place) const {
    MessageWait wait;
    std::uint32_t word = 0;
    if (place >= receive_) {
      const std::uint32_t receiver = place - receive_;
      wait.held.kind = MessageBuffer::Kind::receive;
      wait.held.network = receiver % messages_.networks;
      wait.held.terminal = TerminalId(receiver / messages_.networks);
      word = hosts_.receive_queue(receiver).front();
    } else {
      const std::uint32_t from = plan_.ports.input_from[place >> shift_];
      const std::uint32_t lane = (place & ((1U << shift_) - 1)) / group_;
      wait.held.network = lane / messages_.lanes;
      if ((from & Ports::kTerminal) != 0) {
        wait.held.kind = MessageBuffer::Kind::send;
        wait.held.terminal = TerminalId(from & ~Ports::kTerminal);
      } else {
        wait.held.channel = {ChannelId(from), static_cast<std::uint8_t>(lane % messages_.lanes)};
      }
      word = lanes_[place].message;
    }
    const MessageHosts::Message& message = hosts_.message(word);
    wait.message_class = message.message_class;
    wait.source = TerminalId(message.source);
    wait.destination = TerminalId(message.destination);
    return wait;
  }

  const RoutePlan& plan_;
  const MessagePlan& messages_;
  const Settings& settings_;
  const MessageHosts& hosts_;
  const std::uint32_t shift_;
  const std::uint32_t group_;  // lanes of each that the tables tell apart
  const std::uint32_t whole_;  // flits that move on together
  const std::vector<LaneState> lanes_;
  const std::uint32_t receive_, send_;  // the first of each kind
  std::vector<std::uint8_t> moves_;
};

}  // namespace

std::vector<MessageWait> find_message_deadlock(const Engine& engine, const RoutePlan& plan,
                                               const Settings& settings, const MessageHosts& hosts) {
  return MessageSearch(engine, plan, settings, hosts).run();
}

}  // namespace unknot::simulate
