// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "simulate/flit_by_flit.hpp"

// The parts of the plain model. See flit_by_flit.hpp.
namespace unknot::simulate::plain {

struct Train {
  std::uint64_t created = 0;
  std::uint32_t source = 0, destination = 0, flits = 0, hops = 0;
  std::uint8_t level = 0;
};
struct Flit {
  std::uint32_t packet = 0, number = 0, lane = 0;
  std::uint64_t arrives = 0;  ///< at the end of the link that it is on, or was on last
};
struct Credit {
  std::uint64_t at = 0;  ///< sets out, or arrives
  std::uint32_t lane = 0;
};
/// A link and what its sender knows of the buffer at its end.
struct Link {
  std::uint32_t latency = 0, period = 0, credit_steps = 0;
  std::deque<Flit> flits;
  std::deque<Credit> credits;
  std::vector<std::uint32_t> places;  ///< by lane: free, as the sender knows
  Flit last;                          ///< that has come
};
/// A lane's input buffer.
struct InLane {
  std::deque<Flit> flits;
  std::uint32_t packets = 0;  ///< of which a flit is here or on its way through the switch
  bool asks = false;          ///< its first packet is routed and has not begun to cross
  std::uint32_t output = 0, lane = 0;
};
struct Input {
  std::uint32_t router = 0, place = 0;
  Link* from = nullptr;
  std::vector<InLane> lanes;
  std::deque<Credit> credits;  ///< to be sent back
  bool crossing = false;       ///< a packet: from `lane`, of which `next` is the next flit
  std::uint32_t lane = 0, next = 0;
  std::uint64_t free = 0;                           ///< first step after its last flit's crossing
  std::uint32_t preferred = 0, preferred_lane = 0;  ///< where its arbiters start
  std::uint32_t crossing_output = 0, to_lane = 0, packet = 0;
};
/// A lane's output buffer.
struct OutLane {
  std::deque<Flit> flits;
  std::deque<std::uint32_t> waiting;      ///< packets that have not been given the channel
  std::uint32_t packets = 0, places = 0;  ///< here or coming; free for those that take one
  std::uint32_t preferred = 0;            ///< input lane of the router where its arbiter starts
};
/// A packet that the channel is given to.
struct Turn {
  std::uint32_t packet = 0, lane = 0, next = 0;
  bool has_place = false;   ///< of its lane, until its tail has left the buffer
  bool tells_late = false;  ///< and tells of that when its tail is on the channel: long queues of terminals
  std::uint64_t step = 0, departs = 0;  ///< its next flit leaves the buffer, enters the channel
};
struct Output {
  std::uint32_t router = 0;
  bool to_terminal = false;
  Link* to = nullptr;
  std::vector<OutLane> lanes;
  std::deque<Turn> turns;
  std::deque<Credit> leaving;     ///< towards a terminal: places that become free
  std::uint64_t given_until = 0;  ///< the channel's time
  std::uint64_t idle_from = 0;    ///< by the flits that have entered it
  std::uint64_t free = 0;         ///< first step after its last flit's crossing
  bool crossing = false;
  std::uint32_t preferred_lane = 0, preferred_on_channel = 0;
};
struct Terminal {
  Link out, in;
  NewPacket next;
  bool waiting = false;
  std::uint32_t sent = 0, lane = 0, packet = 0;  ///< flits of the packet that is being sent; 0: none is
};
struct Request {
  std::uint32_t input, lane, output;
};

/// The first of these ascending numbers that is `from` or more, around.
inline std::uint32_t in_turn(const std::vector<std::uint32_t>& asking, std::uint32_t from) {
  for (const std::uint32_t number : asking) {
    if (number >= from) return number;
  }
  return asking.front();
}

class Model {
 public:
  Model(const RoutePlan& plan, const Settings& settings, const LinkTimes& links, Source& source);
  FlitByFlit run(std::uint64_t cycles);

 private:
  void must(bool holds, const char* what, const Train& packet) {
    if (holds || !result_.broken.empty()) return;
    result_.broken = fmt::format("step {}: {} ({} flits from {} to {}, created in cycle {})", step_, what,
                                 packet.flits, packet.source, packet.destination, packet.created);
  }
  [[nodiscard]] bool on_grid() const { return links_in_steps_ || step_ % s_.speedup == 0; }
  /// First step at which a flit that is sent now enters a channel.
  [[nodiscard]] std::uint64_t departure() const {
    std::uint64_t at = step_ + s_.vc_alloc_delay + s_.sw_alloc_delay + s_.st_delay;
    while (!links_in_steps_ && at % s_.speedup != 0) ++at;
    return at;
  }
  static void take_credits(Link& link, std::uint64_t step);
  void come_in(Link& link, const Flit& flit);
  void arrive(Input& in);
  void arrive(Terminal& terminal);
  void send_credit(Input& in);
  void go_on_crossing(Input& in);
  void cross(Input& in, Flit flit);
  void route(Input& in, InLane& lane);
  [[nodiscard]] std::uint32_t lanes_for(const Input& in, const Train& packet, std::uint32_t output) const;
  void give_channel(Output& out);
  void send(Output& out);
  void allocate(std::uint32_t router);
  void begin_crossing(Input& in, std::uint32_t vc);
  void inject(std::uint32_t number);
  void step();
  void check_end();

  const RoutePlan& plan_;
  Settings s_;
  Source& source_;
  const bool links_in_steps_;
  std::uint32_t in_places_ = 0, out_places_ = 0, turns_ = 0;
  std::uint64_t step_ = 0;
  std::vector<Link> links_;  // by channel
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Terminal> terminals_;
  std::vector<Train> packets_;
  std::uint64_t injected_ = 0, arrived_ = 0;  // flits
  bool equal_ = true;                         // all packets are of one length
  FlitByFlit result_;
};

}  // namespace unknot::simulate::plain
