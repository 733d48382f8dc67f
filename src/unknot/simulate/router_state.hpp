// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "unknot/simulate/divider.hpp"
#include "unknot/simulate/packets.hpp"

namespace unknot::simulate {

/// How much of the model a core can do. `full` does everything that Settings and RoutePlan can say. `plain`
/// leaves out what forwarding tables with any lane, input-queued routers and wormhole switching do without,
/// `single` also packets of more than one flit, more than one step in a cycle, and delays of routing, lane
/// allocation and links other than 1 step for a flit. The results are the same.
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
enum class Mode : std::uint8_t { single, plain, full, packets, trains };
/// Modes with packets that nothing comes between and that need no lane to themselves.
constexpr bool moves_whole(Mode mode) {
  return mode == Mode::packets || mode == Mode::trains;
}
/// Modes that know everything that RoutePlan can say.
constexpr bool routes_all(Mode mode) {
  return mode == Mode::full || moves_whole(mode);
}
/// Modes in which a packet moves as one.
constexpr bool moves_as_one(Mode mode) {
  return mode == Mode::single || moves_whole(mode);
}

/// Routers whose size is known when this is compiled: 64-bit words of a mask over a router's lanes, of which
/// there are less than that has bits, strictly, and log2 of the lanes of a port. Less than 64 ports.
template <std::uint32_t kMaskWords, std::uint32_t kLaneShift>
struct FixedShape {
  static constexpr bool kFixed = true;
  static constexpr std::uint32_t kWords = kMaskWords;
  static constexpr std::uint32_t kShift = kLaneShift;
  using Place = std::uint8_t;     ///< a place among a router's lanes or ports
  using LaneBits = std::uint8_t;  ///< a bit for each lane of a port
};
/// Routers of less than 64 lanes, of whose ports each has any number of them.
struct OneWord {
  static constexpr bool kFixed = false;
  static constexpr std::uint32_t kWords = 1;
  using Place = std::uint8_t;
  using LaneBits = std::uint32_t;
};
/// Routers of any size.
struct AnyShape {
  static constexpr bool kFixed = false;
  static constexpr std::uint32_t kWords = 0;
  using Place = std::uint16_t;
  using LaneBits = std::uint32_t;
};

/// How far the first packet of an input lane has come.
enum class LaneStage : std::uint8_t {
  idle,
  routing,
  waiting,  ///< for a lane
  active,   ///< has a lane; the head has not left
  body,     ///< has a lane; the head has left
};

/// A lane of an input: its buffer and how far its first packet has come.
template <class Place, class LaneBits>
struct WholeInLane {
  std::uint32_t head = kNobody, tail = 0;  ///< queue of packets whose heads are here
  Place out = 0;              ///< out lane of the router that it has; waiting: lane 0 of the output
  Place preferred = 0;        ///< out lane of the router where its arbiter starts
  std::uint16_t present = 0;  ///< flits in the buffer
  std::uint8_t left = 0;      ///< flits of the first packet that have not left
  LaneStage stage = LaneStage::idle;
  LaneBits allowed = 0;  ///< full mode: lanes of its output that it may take
};
/// The same where every packet is one flit.
template <class Place>
struct SingleInLane {
  std::uint32_t head = kNobody, tail = 0;
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
/// A lane's output buffer, and what the next buffer takes.
struct LinkLane {
  std::uint32_t head = kNobody, tail = 0;  ///< packets whose heads are here
  std::uint16_t credits = 0;
  std::uint16_t queued = 0;  ///< flits
  std::uint8_t left = 0;     ///< flits of the packet whose head has left
};

/// Modes packets and trains: a lane of an output, with its output buffer.
struct PacketLane {
  std::uint32_t head = kNobody, tail = 0;  ///< packets that wait for more than their turn on the channel
  std::int16_t room = 0;                   ///< packets that the buffer still takes
  std::uint16_t credits = 0;               ///< that the next buffer takes
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

/// A member that a form of the model has or has not; the number tells members without anything in them apart.
template <int kNumber>
struct Nothing {};
template <bool kHas, class T, int kNumber>
using Where = std::conditional_t<kHas, T, Nothing<kNumber>>;

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
  std::uint32_t ports = 1;         ///< inputs, or outputs if they are more, of the router that has most
};

// Ports of all routers are numbered in one row, a fixed number for each router, inputs and outputs alike;
// lanes are numbered port << shift | virtual channel. A place is a port's or a lane's number less that of its
// router's first. `row` of wants_lane is a port, in the modes full, packets and trains an out lane.

/// An output of a router and its lanes: what is needed together lies together, in the least number of cache
/// lines.
template <class Shape, Mode kMode>
struct alignas(kMode == Mode::single ? 64 : 32) Outlet {
  static constexpr std::uint32_t kWords = Shape::kWords, kLanes = 1U << Shape::kShift;
  static constexpr std::uint32_t kRows = routes_all(kMode) ? kLanes : 1;

  std::array<std::uint64_t, kWords> wants_switch{};
  std::array<std::uint64_t, kRows * kWords> wants_lane{};
  OutPort<typename Shape::Place, typename Shape::LaneBits> port;
  std::array<OutLane<typename Shape::Place>, kLanes> lanes{};
  [[no_unique_address]] Where<kMode != Mode::single, std::uint64_t, 0> link_free{};
  [[no_unique_address]] Where<kMode == Mode::full, std::array<LinkLane, kLanes>, 1> link_lanes{};
};
template <class Shape, Mode kMode>
requires(moves_whole(kMode)) struct alignas(64) Outlet<Shape, kMode> {
  static constexpr std::uint32_t kWords = Shape::kWords, kLanes = 1U << Shape::kShift, kRows = kLanes;

  std::array<std::uint64_t, kWords> wants_switch{};
  std::array<std::uint64_t, kRows * kWords> wants_lane{};
  std::uint64_t link_free = 0;
  PacketOutPort<typename Shape::Place, typename Shape::LaneBits> port;
  std::array<PacketLane, kLanes> lanes{};
};
static_assert(sizeof(Outlet<FixedShape<1, 1>, Mode::packets>) == 64);

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

/// Routers of a fixed shape.
template <class Shape, Mode kMode>
class FixedRouters {
 public:
  using State = StateOf<Shape, kMode>;

  FixedRouters(std::uint32_t routers, const RouterSizes& sizes, bool /*output_buffers*/)
      : ports_(sizes.ports), divide_(routers * sizes.ports, sizes.ports) {
    const std::size_t ports = std::size_t{routers} * sizes.ports;
    in_lanes_.resize(ports << Shape::kShift);
    in_ports_.resize(ports);
    outlets_.resize(ports);
    if (kMode != Mode::single) credit_free_.resize(ports);
    if (moves_whole(kMode)) out_links_.resize(ports);
  }
  static constexpr std::uint32_t shift() { return Shape::kShift; }
  static constexpr std::uint32_t words() { return Shape::kWords; }
  static constexpr std::uint32_t output_words() { return 1; }
  /// Numbers from one router's first port to the next one's.
  [[nodiscard]] std::uint32_t stride() const { return ports_; }
  [[nodiscard]] std::uint32_t router_of(std::uint32_t port) const { return divide_(port); }
  [[nodiscard]] std::uint32_t first_port(std::uint32_t router) const { return router * ports_; }

  auto& in_lane(std::uint32_t lane) { return in_lanes_[lane]; }
  auto& in_port(std::uint32_t port) { return in_ports_[port]; }
  auto& out_lane(std::uint32_t lane) { return outlets_[lane / kLanes].lanes[lane % kLanes]; }
  auto& out_port(std::uint32_t port) { return outlets_[port].port; }
  auto& out_link(std::uint32_t port) {
    if constexpr (moves_whole(kMode)) {
      return out_links_[port];
    } else {
      return outlets_[port].port;
    }
  }
  [[nodiscard]] const auto& out_link(std::uint32_t port) const {
    if constexpr (moves_whole(kMode)) {
      return out_links_[port];
    } else {
      return outlets_[port].port;
    }
  }
  auto& link_lane(std::uint32_t lane) {
    if constexpr (moves_whole(kMode)) {
      return out_lane(lane);
    } else {
      return outlets_[lane / kLanes].link_lanes[lane % kLanes];
    }
  }
  const auto& in_lane(std::uint32_t lane) const { return in_lanes_[lane]; }
  const auto& out_lane(std::uint32_t lane) const { return outlets_[lane / kLanes].lanes[lane % kLanes]; }
  const auto& out_port(std::uint32_t port) const { return outlets_[port].port; }
  const auto& link_lane(std::uint32_t lane) const {
    if constexpr (moves_whole(kMode)) {
      return out_lane(lane);
    } else {
      return outlets_[lane / kLanes].link_lanes[lane % kLanes];
    }
  }
  std::uint64_t& credit_free(std::uint32_t port) { return credit_free_[port]; }
  std::uint64_t& link_free(std::uint32_t port) { return outlets_[port].link_free; }
  [[nodiscard]] std::uint64_t link_free(std::uint32_t port) const { return outlets_[port].link_free; }
  std::uint64_t* wants_switch(std::uint32_t port) { return outlets_[port].wants_switch.data(); }
  std::uint64_t* wants_lane(std::uint32_t row) {
    return outlets_[row / kRows].wants_lane.data() + row % kRows * Shape::kWords;
  }
  [[nodiscard]] const std::uint64_t* wants_lane(std::uint32_t row) const {
    return outlets_[row / kRows].wants_lane.data() + row % kRows * Shape::kWords;
  }
  /// Brings ports near.
  void prefetch(std::uint32_t first, std::uint32_t last) const {
    fetch(in_lanes_.data() + (std::size_t{first} << Shape::kShift),
          in_lanes_.data() + (std::size_t{last} << Shape::kShift));
    fetch(in_ports_.data() + first, in_ports_.data() + last);
    fetch(outlets_.data() + first, outlets_.data() + last);
  }
  static constexpr std::uint32_t kLanes = Outlet<Shape, kMode>::kLanes, kRows = Outlet<Shape, kMode>::kRows;
  static constexpr std::size_t kBytesOfPort =
      sizeof(Outlet<Shape, kMode>) + kLanes * sizeof(typename State::InLane) + sizeof(typename State::InPort);
  [[nodiscard]] std::size_t bytes_of_router() const { return ports_ * kBytesOfPort; }

 private:
  template <class T>
  static void fetch(const T* from, const T* to) {
    const auto* const end = reinterpret_cast<const char*>(to);
    for (const auto* at = reinterpret_cast<const char*>(from); at < end; at += 64) __builtin_prefetch(at, 1);
  }

  std::uint32_t ports_;
  Divider divide_;  // by ports_
  std::vector<typename State::InLane> in_lanes_;
  std::vector<typename State::InPort> in_ports_;
  std::vector<Outlet<Shape, kMode>> outlets_;
  std::vector<std::uint64_t> credit_free_;
  std::vector<typename State::OutLink> out_links_;  // packets, trains; in other modes they are the outlets
};

/// Routers of any size, or of one word, part by part. The same functions.
template <class Shape, Mode kMode>
class AnyRouters {
 public:
  using State = StateOf<Shape, kMode>;

  AnyRouters(std::uint32_t routers, const RouterSizes& sizes, bool output_buffers) : sizes_(sizes) {
    const std::size_t ports = std::size_t{routers} * stride(), lanes = ports << shift();
    in_lanes_.resize(lanes);
    out_lanes_.resize(lanes);
    in_ports_.resize(ports);
    out_ports_.resize(ports);
    wants_switch_.resize(ports * words());
    wants_lane_.resize((routes_all(kMode) ? lanes : ports) * words());
    link_free_.resize(ports);
    credit_free_.resize(ports);
    if (output_buffers && !moves_whole(kMode)) link_lanes_.resize(lanes);
    if (moves_whole(kMode)) out_links_.resize(ports);
  }
  [[nodiscard]] std::uint32_t shift() const { return sizes_.shift; }
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
  void prefetch(std::uint32_t /*first*/, std::uint32_t /*last*/) const {}
  /// For one word as in the fixed shape, so that a network falls into the same blocks in both, and gives the
  /// same numbers.
  [[nodiscard]] std::size_t bytes_of_router() const {
    if constexpr (Shape::kWords == 1) {
      if (shift() == 0) return sizes_.ports * FixedRouters<FixedShape<1, 0>, kMode>::kBytesOfPort;
      if (shift() == 1) return sizes_.ports * FixedRouters<FixedShape<1, 1>, kMode>::kBytesOfPort;
      if (shift() == 2) return sizes_.ports * FixedRouters<FixedShape<1, 2>, kMode>::kBytesOfPort;
    }
    using Whole = StateOf<AnyShape, kMode>;
    return stride() * ((sizeof(typename Whole::OutLane) + sizeof(typename Whole::InLane)) << shift()) +
           2 * stride() * sizes_.words * sizeof(std::uint64_t);
  }

 private:
  RouterSizes sizes_;
  std::vector<typename State::InLane> in_lanes_;
  std::vector<typename State::OutLane> out_lanes_;
  std::vector<typename State::InPort> in_ports_;
  std::vector<typename State::OutPort> out_ports_;
  std::vector<std::uint64_t> wants_switch_, wants_lane_, link_free_, credit_free_;
  std::vector<typename State::LinkLane> link_lanes_;  // packets, trains: they are the out lanes
  std::vector<typename State::OutLink> out_links_;  // packets, trains; in other modes they are the out ports
};

template <class Shape, Mode kMode>
using RoutersOf = std::conditional_t<Shape::kFixed, FixedRouters<Shape, kMode>, AnyRouters<Shape, kMode>>;

}  // namespace unknot::simulate
