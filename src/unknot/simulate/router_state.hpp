// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "unknot/simulate/bit_scan.hpp"
#include "unknot/simulate/packets.hpp"

namespace unknot::simulate {

/// How much of the model a core can do. `full` does everything that Settings and RoutePlan can say. `plain`
/// leaves out what forwarding tables with any lane, input-queued routers and wormhole switching do without,
/// `single` also packets of more than one flit, more than one step in a cycle, and delays of routing, lane
/// allocation and links other than 1 step for a flit. The results are the same.
enum class Mode : std::uint8_t { single, plain, full };

/// Routers whose size is known when this is compiled. Lanes and ports of a router are numbered with a stride,
/// a power of two, so that a router and the place within it are read off a number:
///     lane = router << router_shift | port << shift | virtual channel.
/// kMaskWords: 64-bit words of a mask over a router's lanes. There are less lanes than that has bits,
/// strictly, and less than 64 ports.
template <std::uint32_t kMaskWords, std::uint32_t kLaneShift>
struct FixedShape {
  static constexpr bool kFixed = true;
  static constexpr std::uint32_t kWords = kMaskWords;
  static constexpr std::uint32_t kShift = kLaneShift;
  using Place = std::uint8_t;     ///< a place among a router's lanes or ports
  using LaneBits = std::uint8_t;  ///< a bit for each lane of a port
};
/// Routers of any size.
struct AnyShape {
  static constexpr bool kFixed = false;
  static constexpr std::uint32_t kWords = 0;
  static constexpr std::uint32_t kShift = 0;
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
template <class Place>
struct WholeInLane {
  std::uint32_t head = kNobody, tail = 0;  ///< queue of packets whose heads are here
  Place out = 0;              ///< out lane of the router that it has; waiting: lane 0 of the output
  Place preferred = 0;        ///< out lane of the router where its arbiter starts
  std::uint16_t present = 0;  ///< flits in the buffer
  std::uint8_t left = 0;      ///< flits of the first packet that have not left
  LaneStage stage = LaneStage::idle;
};
/// The same where every packet is one flit.
template <class Place>
struct SingleInLane {
  std::uint32_t head = kNobody, tail = 0;
  std::uint32_t upstream = 0;      ///< lane that feeds it
  std::uint16_t credit_steps = 0;  ///< of a credit's way
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
  Place preferred = 0;  ///< output where its arbiter starts
  std::uint8_t preferred_lane = 0;
};
/// Where the credits of an input go.
struct CreditWay {
  std::uint32_t upstream = 0;  ///< lane 0 of the output that feeds it
  std::uint16_t steps = 0;
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
};
/// A lane's output buffer, and what the next buffer takes.
struct LinkLane {
  std::uint32_t head = kNobody, tail = 0;  ///< packets whose heads are here
  std::uint16_t credits = 0;
  std::uint16_t queued = 0;  ///< flits
  std::uint8_t left = 0;     ///< flits of the packet whose head has left
};

/// What there is of each in a router.
struct RouterSizes {
  std::uint32_t shift = 0;         ///< log2 of the lanes of a port
  std::uint32_t router_shift = 0;  ///< log2 of the lanes of a router
  std::uint32_t words = 1;         ///< of a mask over its lanes
  std::uint32_t output_words = 1;  ///< of a mask over its outputs
  std::uint32_t ports = 1;         ///< inputs, or outputs if they are more, of the router that has most
};

/// An output of a router and its lanes: what is needed together lies together, in the least number of cache
/// lines.
template <class Shape, Mode kMode>
struct alignas(kMode == Mode::single ? 64 : 32) Outlet {
  static constexpr std::uint32_t kWords = Shape::kWords, kLanes = 1U << Shape::kShift;
  static constexpr std::uint32_t kRows = kMode == Mode::full ? kLanes : 1;

  std::array<std::uint64_t, kWords> wants_switch{};
  std::array<std::uint64_t, kRows * kWords> wants_lane{};
  OutPort<typename Shape::Place, typename Shape::LaneBits> port;
  std::array<OutLane<typename Shape::Place>, kLanes> lanes{};
  std::array<std::uint64_t, kMode == Mode::single ? 0 : 1> link_free{};
  std::array<LinkLane, kMode == Mode::full ? kLanes : 0> link_lanes{};
};
/// A router's masks over its lanes and outputs.
template <class Shape>
struct Agenda {
  std::array<std::uint64_t, Shape::kWords> heads{}, behind{}, free{}, waiting{};
  std::uint64_t switch_active = 0, link_active = 0;
};

/// One of FixedRouters. The parts are functions, of the same names as in AnyRouter; `row` is port, or in full
/// mode port << shift | lane.
template <class Store, class Agenda, class Outlet>
class FixedRouter {
 public:
  FixedRouter(Store& store, Agenda& agenda, Outlet* outlets, std::size_t first_port)
      : store_(&store), agenda_(&agenda), outlets_(outlets), first_port_(first_port) {}

  auto& in_lane(std::uint32_t place) const { return store_->in_lanes[(first_port_ * kLanes) + place]; }
  auto& in_port(std::uint32_t port) const { return store_->in_ports[first_port_ + port]; }
  auto& credit_way(std::uint32_t port) const { return store_->credit_ways[first_port_ + port]; }
  auto& credit_free(std::uint32_t port) const { return store_->credit_free[first_port_ + port]; }
  auto& out_lane(std::uint32_t port, std::uint32_t vc) const { return outlets_[port].lanes[vc]; }
  auto& out_port(std::uint32_t port) const { return outlets_[port].port; }
  auto& link_free(std::uint32_t port) const { return outlets_[port].link_free[0]; }
  auto& link_lane(std::uint32_t port, std::uint32_t vc) const { return outlets_[port].link_lanes[vc]; }
  auto* wants_switch(std::uint32_t port) const { return outlets_[port].wants_switch.data(); }
  auto* wants_lane(std::uint32_t row) const {
    return outlets_[row / Outlet::kRows].wants_lane.data() + row % Outlet::kRows * Outlet::kWords;
  }
  auto* heads() const { return agenda_->heads.data(); }
  auto* behind() const { return agenda_->behind.data(); }
  auto* free() const { return agenda_->free.data(); }
  auto* waiting() const { return agenda_->waiting.data(); }
  auto* switch_active() const { return &agenda_->switch_active; }
  auto* link_active() const { return &agenda_->link_active; }

 private:
  static constexpr std::uint32_t kLanes = Outlet::kLanes;
  Store* store_;
  Agenda* agenda_;
  Outlet* outlets_;
  std::size_t first_port_;
};

/// Routers of a fixed shape. Lanes are numbered (router * ports + port) << shift | virtual channel.
template <class Shape, Mode kMode>
class FixedRouters {
 public:
  using Place = typename Shape::Place;
  using InLane = std::conditional_t<kMode == Mode::single, SingleInLane<Place>, WholeInLane<Place>>;
  using Router = FixedRouter<FixedRouters, Agenda<Shape>, Outlet<Shape, kMode>>;
  using Viewed = FixedRouter<const FixedRouters, const Agenda<Shape>, const Outlet<Shape, kMode>>;

  FixedRouters(std::uint32_t routers, const RouterSizes& sizes, bool /*output_buffers*/)
      : ports_(sizes.ports), inverse_((std::uint64_t{1} << 32U) / sizes.ports + 1), agendas_(routers) {
    const std::size_t ports = std::size_t{routers} * sizes.ports;
    in_lanes.resize(ports << Shape::kShift);
    in_ports.resize(ports);
    outlets_.resize(ports);
    if (kMode != Mode::single) credit_ways.resize(ports);
    if (kMode != Mode::single) credit_free.resize(ports);
  }
  Router operator[](std::uint32_t router) {
    const std::size_t first = std::size_t{router} * ports_;
    return {*this, agendas_[router], outlets_.data() + first, first};
  }
  Viewed operator[](std::uint32_t router) const {
    const std::size_t first = std::size_t{router} * ports_;
    return {*this, agendas_[router], outlets_.data() + first, first};
  }
  [[nodiscard]] std::uint32_t first_lane(std::uint32_t router) const {
    return router * ports_ << Shape::kShift;
  }
  /// A division by the number of ports: exact for less than 2^32 / ports of them. [Granlund and Montgomery
  /// 1994]
  [[nodiscard]] std::uint32_t router_of(std::uint32_t lane) const {
    return static_cast<std::uint32_t>((lane >> Shape::kShift) * inverse_ >> 32U);
  }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t lane, std::uint32_t router) const {
    return lane - first_lane(router);
  }
  InLane& in_lane(std::uint32_t lane) { return in_lanes[lane]; }
  OutLane<Place>& out_lane(std::uint32_t lane) {
    return outlets_[lane >> Shape::kShift].lanes[lane & ((1U << Shape::kShift) - 1)];
  }
  LinkLane& link_lane(std::uint32_t lane) {
    return outlets_[lane >> Shape::kShift].link_lanes[lane & ((1U << Shape::kShift) - 1)];
  }
  /// Brings a router near.
  void prefetch(std::uint32_t router) const {
    const std::size_t first = std::size_t{router} * ports_;
    fetch(&agendas_[router], 1);
    fetch(in_lanes.data() + (first << Shape::kShift), std::size_t{ports_} << Shape::kShift);
    fetch(in_ports.data() + first, ports_);
    fetch(outlets_.data() + first, ports_);
  }
  static constexpr std::uint32_t shift() { return Shape::kShift; }
  static constexpr std::uint32_t words() { return Shape::kWords; }
  static constexpr std::uint32_t output_words() { return 1; }

  std::vector<InLane> in_lanes;
  std::vector<InPort<Place>> in_ports;
  std::vector<CreditWay> credit_ways;
  std::vector<std::uint64_t> credit_free;

 private:
  template <class T>
  static void fetch(const T* from, std::size_t count) {
    const auto* const begin = reinterpret_cast<const char*>(from);
    for (const char* at = begin; at < begin + count * sizeof(T); at += 64) __builtin_prefetch(at, 1);
  }

  std::uint32_t ports_;
  std::uint64_t inverse_;
  std::vector<Agenda<Shape>> agendas_;
  std::vector<Outlet<Shape, kMode>> outlets_;
};

/// One of AnyRouters.
template <class Store>
class AnyRouter {
 public:
  AnyRouter(Store& store, std::uint32_t router)
      : store_(&store),
        lane_(store.first_lane(router)),
        port_(lane_ >> store.shift()),
        mask_(std::size_t{router} * store.words()),
        outputs_(std::size_t{router} * store.output_words()) {}

  auto& in_lane(std::uint32_t place) const { return store_->in_lanes[lane_ + place]; }
  auto& out_lane(std::uint32_t port, std::uint32_t vc) const {
    return store_->out_lanes[lane_ + (port << store_->shift()) + vc];
  }
  auto& credit_way(std::uint32_t port) const { return store_->credit_ways[port_ + port]; }
  auto& in_port(std::uint32_t place) const { return store_->in_ports[port_ + place]; }
  auto& out_port(std::uint32_t place) const { return store_->out_ports[port_ + place]; }
  auto* heads() const { return store_->heads.data() + mask_; }
  auto* behind() const { return store_->behind.data() + mask_; }
  auto* free() const { return store_->free.data() + mask_; }
  auto* waiting() const { return store_->waiting.data() + mask_; }
  auto* switch_active() const { return store_->switch_active.data() + outputs_; }
  auto* link_active() const { return store_->link_active.data() + outputs_; }
  auto* wants_switch(std::uint32_t port) const {
    return store_->wants_switch.data() + (port_ + port) * store_->words();
  }
  auto* wants_lane(std::uint32_t row) const {
    return store_->wants_lane.data() + ((Store::kFull ? lane_ : port_) + row) * store_->words();
  }
  auto& link_free(std::uint32_t port) const { return store_->link_free[port_ + port]; }
  auto& credit_free(std::uint32_t port) const { return store_->credit_free[port_ + port]; }
  auto& link_lane(std::uint32_t port, std::uint32_t vc) const {
    return store_->link_lanes[lane_ + (port << store_->shift()) + vc];
  }

 private:
  Store* store_;
  std::size_t lane_, port_, mask_, outputs_;  // its first of each
};

/// Routers of any size, part by part. Lanes are numbered router << router_shift | port << shift | virtual
/// channel.
template <Mode kMode>
class AnyRouters {
 public:
  using Place = AnyShape::Place;
  using Router = AnyRouter<AnyRouters>;
  using InLane = std::conditional_t<kMode == Mode::single, SingleInLane<Place>, WholeInLane<Place>>;
  static constexpr bool kFull = kMode == Mode::full;

  AnyRouters(std::uint32_t routers, const RouterSizes& sizes, bool output_buffers) : sizes_(sizes) {
    const std::size_t lanes = std::size_t{routers} << sizes.router_shift, ports = lanes >> sizes.shift;
    const std::size_t masks = std::size_t{routers} * sizes.words;
    in_lanes.resize(lanes);
    out_lanes.resize(lanes);
    in_ports.resize(ports);
    out_ports.resize(ports);
    for (auto* list : {&heads, &behind, &free, &waiting}) list->resize(masks);
    for (auto* list : {&switch_active, &link_active}) list->resize(std::size_t{routers} * sizes.output_words);
    wants_switch.resize(ports * sizes.words);
    wants_lane.resize((kFull ? lanes : ports) * sizes.words);
    link_free.resize(ports);
    credit_free.resize(ports);
    credit_ways.resize(ports);
    if (output_buffers) link_lanes.resize(lanes);
  }
  Router operator[](std::uint32_t router) { return {*this, router}; }
  AnyRouter<const AnyRouters> operator[](std::uint32_t router) const { return {*this, router}; }
  [[nodiscard]] std::uint32_t shift() const { return sizes_.shift; }
  [[nodiscard]] std::uint32_t words() const { return sizes_.words; }
  [[nodiscard]] std::uint32_t output_words() const { return sizes_.output_words; }
  [[nodiscard]] std::uint32_t first_lane(std::uint32_t router) const { return router << sizes_.router_shift; }
  [[nodiscard]] std::uint32_t router_of(std::uint32_t lane) const { return lane >> sizes_.router_shift; }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t lane, std::uint32_t router) const {
    return lane - first_lane(router);
  }
  InLane& in_lane(std::uint32_t lane) { return in_lanes[lane]; }
  OutLane<Place>& out_lane(std::uint32_t lane) { return out_lanes[lane]; }
  LinkLane& link_lane(std::uint32_t lane) { return link_lanes[lane]; }
  void prefetch(std::uint32_t /*router*/) const {}

  std::vector<InLane> in_lanes;
  std::vector<OutLane<Place>> out_lanes;
  std::vector<InPort<Place>> in_ports;
  std::vector<OutPort<Place, AnyShape::LaneBits>> out_ports;
  std::vector<std::uint64_t> heads, behind, free, waiting, switch_active, link_active, wants_switch,
      wants_lane;
  std::vector<std::uint64_t> link_free, credit_free;
  std::vector<CreditWay> credit_ways;
  std::vector<LinkLane> link_lanes;

 private:
  RouterSizes sizes_;
};

template <class Shape, Mode kMode>
using RoutersOf = std::conditional_t<Shape::kFixed, FixedRouters<Shape, kMode>, AnyRouters<kMode>>;

}  // namespace unknot::simulate
