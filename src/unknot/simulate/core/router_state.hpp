// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "unknot/simulate/core/own_array.hpp"
#include "unknot/simulate/core/packet_queue.hpp"
#include "unknot/simulate/core/packets.hpp"

namespace unknot::simulate {

/// How much of the model a core can do. `full` does everything that Settings and RoutePlan can say. `plain`
/// leaves out what forwarding tables, with lanes by level or any, input-queued routers and wormhole switching
/// do without; `single` also lanes that are told apart, packets of more than one flit, more than one step in
/// a cycle, and delays of routing, lane allocation and links other than 1 step for a flit. The results are
/// the same.
///
/// `packets` is for input-output-queued routers and packets of one flit, with all routings. Such a packet
/// needs no lane to itself behind the switch: the queue of the output's lane takes it whole, so that it asks
/// for the switch as soon as it is routed and there is room, and the one behind it in the step after. The
/// stage that gives lanes out is left out. All time inside the router but that of waiting is spent between
/// the output's queue and its channel: a queue with a constant delay before it sends when one with the same
/// delay behind it does. So while the channel does nothing but wait its turn, its queue is only a time, that
/// at which it is free again.
///
/// `trains` is the same for packets of several flits that inputs, outputs and channels are given to whole.
/// Their flits follow each other without pause everywhere, so that the head's time is that of all of them:
/// what happens at the tail happens a known time after what happens at the head, and costs no more.
///
/// `messages` is `full` for plans with messages: each terminal sends on several virtual networks at once, and
/// takes packets out of its receive queues when its source says so. See core_terminals.hpp.
enum class Mode : std::uint8_t { single, plain, full, packets, trains, messages };
/// Modes with packets that nothing comes between and that need no lane to themselves.
constexpr bool moves_whole(Mode mode) {
  return mode == Mode::packets || mode == Mode::trains;
}
/// Modes that know everything that RoutePlan can say.
constexpr bool routes_all(Mode mode) {
  return mode == Mode::full || mode == Mode::messages || moves_whole(mode);
}
/// Modes in which a packet moves as one.
constexpr bool moves_as_one(Mode mode) {
  return mode == Mode::single || moves_whole(mode);
}

/// Routers of less than 64 lanes, of whose ports each has any number of them: masks over lanes are a word.
struct OneWord {
  static constexpr bool kWatched = false, kAged = false;
  static constexpr std::uint32_t kWords = 1;
  using Place = std::uint8_t;
  using LaneBits = std::uint32_t;
};
/// The same for less than 128 lanes, and less than 64 ports.
struct TwoWords : OneWord {
  static constexpr std::uint32_t kWords = 2;
};
/// Routers of any size.
struct AnyShape {
  static constexpr bool kWatched = false, kAged = false;
  static constexpr std::uint32_t kWords = 0;
  using Place = std::uint16_t;
  using LaneBits = std::uint32_t;
};

/// The same, where packets may go by age, and terminals be held back.
struct AgedShape : AnyShape {
  static constexpr bool kAged = true;
};
/// The same, with a watch that is told what happens to packets.
struct WatchedShape : AgedShape {
  static constexpr bool kWatched = true;
};

/// Forms whose step is compiled as one function, which runs up to 5 % faster and takes twice as long to
/// compile.
template <class Shape>
constexpr bool steps_flat(Mode mode) {
  return Shape::kWords != 0 && (mode == Mode::single || mode == Mode::plain || mode == Mode::full);
}

/// How far the first packet of an input lane has come.
enum class LaneStage : std::uint8_t {
  idle,
  routing,
  waiting,  ///< for a lane
  active,   ///< has a lane; the head has not left
  body,     ///< has a lane; the head has left
};

/// A lane of an input: the packets whose heads are in its buffer, and how far the first has come.
template <class Place, class LaneBits>
struct WholeInLane : PacketQueue {
  Place out = 0;              ///< out lane of the router that it has; waiting: lane 0 of the output
  Place preferred = 0;        ///< out lane of the router where its arbiter starts
  std::uint16_t present = 0;  ///< flits in the buffer
  std::uint8_t left = 0;      ///< flits of the first packet that have not left
  LaneStage stage = LaneStage::idle;
  LaneBits allowed = 0;  ///< full mode: lanes of its output that it may take
};
/// The same where every packet is one flit.
template <class Place>
struct SingleInLane : PacketQueue {
  Place out = 0;
  Place preferred = 0;
};
/// A lane of an output.
template <class Place>
struct OutLane {
  static constexpr Place kNoOwner = static_cast<Place>(0xFFFF);
  Place owner = kNoOwner;  ///< input lane of the router that has it
  Place preferred = 0;     ///< input lane of the router where its arbiter starts
  std::int16_t room = 0;   ///< flits that the buffer behind it still takes
};
template <class Place>
struct InPort {
  std::uint32_t upstream = 0;      ///< lane 0 of the output that feeds it, where its credits go
  std::uint16_t credit_steps = 0;  ///< of a credit's way
  Place preferred = 0;             ///< output where its arbiter starts
  std::uint8_t preferred_lane = 0;
};
template <class Place, class LaneBits>
struct OutPort {
  std::uint32_t input = kNobody;    ///< lane 0 of the input at its other end; kNobody for terminals
  std::uint32_t sent = 0;           ///< flits
  std::uint16_t latency = 0;        ///< steps of the channel
  std::uint16_t period = 0;         ///< steps for a flit
  Place preferred = 0;              ///< input where its arbiter starts
  std::uint8_t preferred_lane = 0;  ///< of its channel's arbiter
  LaneBits link_requests = 0;       ///< lanes whose output buffers can send
  LaneBits free = 0;                ///< lanes that nobody has
};
/// A lane's output buffer with the packets whose heads are in it, and what the next buffer takes.
struct LinkLane : PacketQueue {
  std::uint16_t credits = 0;
  std::uint16_t queued = 0;  ///< flits
  std::uint8_t left = 0;     ///< flits of the packet whose head has left
};

/// Modes packets and trains: a lane of an output with its output buffer, where packets wait for more than
/// their turn on the channel.
struct PacketLane : PacketQueue {
  std::int16_t room = 0;      ///< packets that the buffer still takes
  std::uint16_t credits = 0;  ///< that the next buffer takes
};
template <class Place, class LaneBits>
struct PacketOutPort {
  std::uint32_t sent = 0;
  Place preferred = 0;  ///< lane where its arbiter starts
  std::uint8_t preferred_lane = 0;
  LaneBits link_requests = 0;
};
inline bool holds_any(const LinkLane& lane) {
  return lane.queued > 0;
}
inline bool holds_any(const PacketLane& lane) {
  return lane.head != kNobody;
}
/// What an output leads to.
struct OutLink {
  std::uint32_t input = kNobody;  ///< as in OutPort
  std::uint16_t latency = 0;
  std::uint16_t period = 0;
};

/// log2 of the lanes of a port, rounded up to a power of two.
inline std::uint32_t lane_shift(std::uint32_t vcs) {
  return vcs < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(vcs - 1));
}

/// What there is of each in a router.
struct RouterSizes {
  std::uint32_t shift = 0;         ///< log2 of the lanes of a port
  std::uint32_t router_shift = 0;  ///< log2 of the lanes of a router
  std::uint32_t words = 1;         ///< of a mask over its lanes
  std::uint32_t output_words = 1;  ///< of a mask over its outputs
  std::uint32_t row_shift = 0;     ///< log2 of the rows of wants_lane that a port has, in mode plain
};

// Ports of all routers are numbered in one row, a fixed number for each router, inputs and outputs alike;
// lanes are numbered port << shift | virtual channel. A place is a port's or a lane's number less that of its
// router's first. `row` of wants_lane is an out lane; in the modes single and plain a port, of which each
// group of lanes that the routing tells apart has one where there are several: all of a group are asked for
// together.

/// The types that a form of the model works with.
template <class Shape, Mode kMode>
struct StateOf {
  using Place = typename Shape::Place;
  using LaneBits = typename Shape::LaneBits;
  using InLane = std::conditional_t<moves_as_one(kMode), SingleInLane<Place>, WholeInLane<Place, LaneBits>>;
  using InPort = simulate::InPort<Place>;
  using OutPort = std::conditional_t<moves_whole(kMode), PacketOutPort<Place, LaneBits>,
                                     simulate::OutPort<Place, LaneBits>>;
  using OutLane = std::conditional_t<moves_whole(kMode), PacketLane, simulate::OutLane<Place>>;
  using LinkLane = std::conditional_t<moves_whole(kMode), PacketLane, simulate::LinkLane>;
  using OutLink = std::conditional_t<moves_whole(kMode), simulate::OutLink, OutPort>;
};

/// All routers, part by part.
template <class Shape, Mode kMode>
class RouterArrays {
 public:
  using State = StateOf<Shape, kMode>;

  /// Makes those of the routers for which owns(router).
  template <class Owns>
  RouterArrays(std::uint32_t routers, const RouterSizes& sizes, bool output_buffers, const Owns& owns)
      : sizes_(sizes) {
    const auto make = [&](auto& array, std::size_t of_router) {
      array.resize(routers * of_router);
      for (std::size_t r = 0; r < routers; ++r) {
        if (owns(static_cast<std::uint32_t>(r))) array.make(r * of_router, (r + 1) * of_router);
      }
    };
    const std::size_t ports = stride(), lanes = ports << shift();
    make(in_lanes_, lanes);
    make(out_lanes_, lanes);
    make(in_ports_, ports);
    make(out_ports_, ports);
    make(wants_switch_, ports * words());
    make(wants_lane_, (routes_all(kMode) ? lanes : ports << row_shift()) * words());
    make(link_free_, ports);
    make(credit_free_, ports);
    if (output_buffers && !moves_whole(kMode)) make(link_lanes_, lanes);
    if (moves_whole(kMode)) make(out_links_, ports);
  }
  [[nodiscard]] std::uint32_t shift() const { return sizes_.shift; }
  [[nodiscard]] std::uint32_t row_shift() const { return kMode == Mode::single ? 0 : sizes_.row_shift; }
  [[nodiscard]] std::uint32_t words() const { return Shape::kWords == 0 ? sizes_.words : Shape::kWords; }
  [[nodiscard]] std::uint32_t output_words() const { return Shape::kWords == 0 ? sizes_.output_words : 1; }
  [[nodiscard]] std::uint32_t stride() const { return 1U << (sizes_.router_shift - sizes_.shift); }
  [[nodiscard]] std::uint32_t router_of(std::uint32_t port) const {
    return port >> (sizes_.router_shift - sizes_.shift);
  }
  [[nodiscard]] std::uint32_t first_port(std::uint32_t router) const {
    return router << (sizes_.router_shift - sizes_.shift);
  }

  auto& in_lane(std::uint32_t lane) { return in_lanes_[lane]; }
  auto& in_port(std::uint32_t port) { return in_ports_[port]; }
  auto& out_lane(std::uint32_t lane) { return out_lanes_[lane]; }
  auto& out_port(std::uint32_t port) { return out_ports_[port]; }
  auto& out_link(std::uint32_t port) {
    if constexpr (moves_whole(kMode)) {
      return out_links_[port];
    } else {
      return out_ports_[port];
    }
  }
  [[nodiscard]] const auto& out_link(std::uint32_t port) const {
    if constexpr (moves_whole(kMode)) {
      return out_links_[port];
    } else {
      return out_ports_[port];
    }
  }
  auto& link_lane(std::uint32_t lane) {
    if constexpr (moves_whole(kMode)) {
      return out_lanes_[lane];
    } else {
      return link_lanes_[lane];
    }
  }
  const auto& in_lane(std::uint32_t lane) const { return in_lanes_[lane]; }
  const auto& out_lane(std::uint32_t lane) const { return out_lanes_[lane]; }
  const auto& out_port(std::uint32_t port) const { return out_ports_[port]; }
  const auto& link_lane(std::uint32_t lane) const {
    if constexpr (moves_whole(kMode)) {
      return out_lanes_[lane];
    } else {
      return link_lanes_[lane];
    }
  }
  std::uint64_t& credit_free(std::uint32_t port) { return credit_free_[port]; }
  std::uint64_t& link_free(std::uint32_t port) { return link_free_[port]; }
  [[nodiscard]] std::uint64_t link_free(std::uint32_t port) const { return link_free_[port]; }
  std::uint64_t* wants_switch(std::uint32_t port) {
    return wants_switch_.data() + std::size_t{port} * words();
  }
  std::uint64_t* wants_lane(std::uint32_t row) { return wants_lane_.data() + std::size_t{row} * words(); }
  [[nodiscard]] const std::uint64_t* wants_lane(std::uint32_t row) const {
    return wants_lane_.data() + std::size_t{row} * words();
  }
  /// What a router counts for where a network is divided into blocks, which each fit the nearest cache.
  [[nodiscard]] std::size_t bytes_of_router() const {
    return stride() * ((sizeof(typename State::OutLane) + sizeof(typename State::InLane)) << shift()) +
           2 * stride() * sizes_.words * sizeof(std::uint64_t);
  }

 private:
  RouterSizes sizes_;
  OwnArray<typename State::InLane> in_lanes_;
  OwnArray<typename State::OutLane> out_lanes_;
  OwnArray<typename State::InPort> in_ports_;
  OwnArray<typename State::OutPort> out_ports_;
  OwnArray<std::uint64_t> wants_switch_, wants_lane_, link_free_, credit_free_;
  OwnArray<typename State::LinkLane> link_lanes_;  // packets, trains: they are the out lanes
  OwnArray<typename State::OutLink> out_links_;    // packets, trains; in other modes they are the out ports
};

}  // namespace unknot::simulate
