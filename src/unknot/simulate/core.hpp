// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "unknot/simulate/bit_scan.hpp"
#include "unknot/simulate/engine.hpp"
#include "unknot/simulate/event_wheel.hpp"
#include "unknot/simulate/link_times.hpp"
#include "unknot/simulate/packets.hpp"
#include "unknot/simulate/recorder.hpp"
#include "unknot/simulate/route_plan.hpp"
#include "unknot/simulate/settings.hpp"
#include "unknot/simulate/source.hpp"
#include "unknot/simulate/terminal_queue.hpp"
#include "unknot/support/random.hpp"
#include "unknot/verify/lane_function.hpp"

namespace unknot::simulate {

/// How much of the model a core can do. `full` does everything that Settings and RoutePlan can say. `plain`
/// leaves out what forwarding tables with any lane, input-queued routers and wormhole switching do without,
/// `single` also packets of more than one flit and delays of routing and lane allocation other than 1. The
/// results are the same.
enum class Mode : std::uint8_t { single, plain, full };

/// The flit-level model itself, one run of it.
///
/// Credits reserve room in the next buffer, so a flit that wins the switch is at once put into the queue it
/// will arrive in; what travels is an event that says "lane g has got a flit". Each output keeps masks of
/// the input lanes that want a lane of it and of those that can cross to it now: a lane that has to wait
/// leaves the mask, and the event that frees it puts it back, so waiting costs nothing.
///
/// A step: credits and flits that arrive; switch allocated and crossed; lanes allocated, of those that were
/// free before this step; heads routed; terminals inject. Allocation is iSLIP with one iteration, between
/// input lanes and output lanes and between inputs and outputs. [McKeown 1999; BookSim2's iq_router]
///
/// kWords: 64-bit words of a mask over a router's input lanes, 0 for any number. With 1 or 2 a router has
/// less than 64 outputs, and less lanes, strictly, than the mask has bits.
template <std::uint32_t kWords, Mode kMode>
class Core final : public Engine {
 public:
  Core(const RoutePlan& plan, const Settings& settings, const LinkTimes& links, Source& source);

  bool run_until(std::uint64_t cycle) override;
  [[nodiscard]] std::uint64_t cycle() const override { return step_ / speedup_; }
  void wake(std::uint32_t terminal) override {
    if (!nics_[terminal].waiting && nics_[terminal].left == 0) request_packet(terminal, cycle());
  }
  [[nodiscard]] std::uint32_t in_flight() const override { return packets_.live() - 1; }  // but packet 0
  [[nodiscard]] std::uint64_t oldest_waiting() const override;
  [[nodiscard]] std::uint64_t sent(std::uint32_t output) const override {
    return out_ports_[strided_output(output)].sent;
  }
  void clear_counts() override {
    for (OutPort& port : out_ports_) port.sent = 0;
  }
  [[nodiscard]] std::uint64_t flit_hops() const override { return flit_hops_; }
  [[nodiscard]] std::uint32_t lane_shift() const override { return shift_; }
  [[nodiscard]] std::vector<LaneState> lane_states() const override;
  [[nodiscard]] std::vector<std::uint32_t> lane_holders() const override;
  [[nodiscard]] std::string broken_law() const override;

  static constexpr bool kFull = kMode == Mode::full;
  static constexpr bool kSingle = kMode == Mode::single;

 private:
  // Lanes and ports are numbered with a stride, a power of two, for each router, so that a router and the
  // place within it are read off a number: lane = router << router_shift() | port << shift_ | virtual
  // channel. All that a router needs in a step lies together, and routers act on each other by events alone:
  // a step goes from router to router, each with its state in the nearest cache.
  enum State : std::uint8_t {
    kIdle,
    kRouting,
    kWaiting,  ///< for a lane
    kActive,   ///< has a lane; the head has not left
    kBody,     ///< has a lane; the head has left
  };
  using Bits = Mask<kWords>;                     // over a router's input lanes
  using OutputBits = Mask<kWords == 0 ? 0 : 1>;  // over its outputs

  /// A lane of an input: its buffer and how far its first packet has come.
  struct InLane {
    std::uint32_t head = kNobody, tail = 0;  ///< queue of packets whose heads are here
    std::uint16_t out = 0;        ///< out lane of the router that it has; waiting: lane 0 of the output
    std::uint16_t preferred = 0;  ///< out lane of the router where its arbiter starts
    std::uint16_t present = 0;    ///< flits in the buffer
    std::uint8_t left = 0;        ///< flits of the first packet that have not left
    State state = kIdle;
  };
  static_assert(sizeof(InLane) == 16);
  /// A place among a router's lanes or ports; of routers that small, one byte.
  using Place = std::conditional_t<kWords == 0, std::uint16_t, std::uint8_t>;
  static constexpr Place kNoOwner = static_cast<Place>(0xFFFF);

  struct OutLane {
    Place owner = kNoOwner;  ///< input lane of the router that has it
    Place preferred = 0;     ///< input lane of the router where its arbiter starts
    std::int16_t room = 0;   ///< flits that the buffer behind it still takes
  };
  struct InPort {
    std::uint32_t upstream = 0;      ///< lane 0 of the output that feeds it
    std::uint16_t credit_steps = 0;  ///< of a credit's way
    Place preferred = 0;             ///< output where its arbiter starts
    std::uint8_t preferred_lane = 0;
  };
  struct OutPort {
    std::uint32_t input = kNobody;    ///< the input at its other end; kNobody for terminals
    std::uint32_t sent = 0;           ///< flits
    std::uint16_t latency = 0;        ///< steps of the channel
    std::uint16_t period = 0;         ///< steps for a flit
    Place preferred = 0;              ///< input where its arbiter starts
    std::uint8_t preferred_lane = 0;  ///< of its channel's arbiter
  };
  struct Nic {
    NewPacket next;
    std::uint32_t input_lane = 0;  ///< lane 0 of the input it feeds
    std::uint16_t latency = 0;     ///< steps
    std::uint8_t left = 0;         ///< flits of the packet that is being sent
    std::uint8_t lane = 0;         ///< it goes on, or went on last
    bool waiting = false;          ///< `next` is to be sent
    bool blocked = false;          ///< no room in the router
  };
  /// A lane's output buffer, and what the next buffer takes.
  struct LinkLane {
    std::uint32_t head = kNobody, tail = 0;  ///< packets whose heads are here
    std::uint16_t credits = 0;
    std::uint16_t queued = 0;  ///< flits
    std::uint8_t left = 0;     ///< flits of the packet whose head has left
  };
  /// A flit on its way: the lane, and the packet where it is a head.
  struct FlitEvent {
    std::uint32_t lane;
    std::uint32_t packet;
  };

  [[nodiscard]] std::uint32_t words() const { return kWords > 0 ? kWords : words_; }
  [[nodiscard]] std::uint32_t output_words() const { return kWords > 0 ? 1 : output_words_; }
  [[nodiscard]] std::uint32_t router_shift() const {
    return kWords == 1 ? 6 : kWords == 2 ? 7 : router_shift_;
  }
  [[nodiscard]] std::uint32_t router_of(std::uint32_t lane) const { return lane >> router_shift(); }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t lane) const {
    return lane & ((1U << router_shift()) - 1);
  }
  [[nodiscard]] std::uint32_t vc_of(std::uint32_t lane) const { return lane & ((1U << shift_) - 1); }
  [[nodiscard]] std::uint32_t first_lane(std::uint32_t router) const { return router << router_shift(); }
  [[nodiscard]] std::uint32_t injection_lane(std::uint32_t terminal) const {
    return first_injection_ + (terminal << shift_);
  }
  [[nodiscard]] std::uint32_t first_port(std::uint32_t router) const {
    return router << (router_shift() - shift_);
  }
  [[nodiscard]] std::uint32_t strided_input(std::uint32_t input) const {
    const std::uint32_t router = plan_.ports.input_router[input];
    return first_port(router) + input - plan_.ports.first_input[router];
  }
  [[nodiscard]] std::uint32_t strided_output(std::uint32_t output) const {
    const std::uint32_t router = plan_.ports.output_router[output];
    return first_port(router) + output - plan_.ports.first_output[router];
  }
  /// Input lanes that can send a flit to the output now.
  [[nodiscard]] std::uint64_t* wants_switch(std::uint32_t output) {
    return switch_requests_.data() + std::size_t{output} * words();
  }
  /// Input lanes that want a lane of the output; in full mode by out lane, else by output.
  [[nodiscard]] std::uint64_t* wants_lane(std::uint32_t row) {
    return lane_requests_.data() + std::size_t{row} * words();
  }
  static void set_bit(std::uint64_t* mask, std::uint32_t i) { mask[i >> 6] |= std::uint64_t{1} << (i & 63U); }
  static void set_bit_if(bool wanted, std::uint64_t* mask, std::uint32_t i) {
    mask[i >> 6] |= std::uint64_t{wanted} << (i & 63U);
  }
  static void clear_bit(std::uint64_t* mask, std::uint32_t i) {
    mask[i >> 6] &= ~(std::uint64_t{1} << (i & 63U));
  }
  static void clear_bit_if(bool wanted, std::uint64_t* mask, std::uint32_t i) {
    mask[i >> 6] &= ~(std::uint64_t{wanted} << (i & 63U));
  }
  /// Row of a router in a list of things to do.
  [[nodiscard]] std::uint64_t* outputs_in(std::vector<std::uint64_t>& list, std::uint32_t router) const {
    return list.data() + std::size_t{router} * output_words();
  }
  /// First step at or after this one at which links may send.
  [[nodiscard]] std::uint64_t grid(std::uint64_t step) const {
    return speedup_ == 1 || !links_on_grid_ ? step : (step + speedup_ - 1) / speedup_ * speedup_;
  }

  // core_events.hpp
  [[gnu::flatten]] void do_step();
  void credit(std::uint32_t out_lane);
  void give_room(std::uint32_t out_lane);
  void flit(std::uint32_t lane, std::uint32_t packet);
  void enter_output(std::uint32_t out_lane, std::uint32_t packet);
  void request_switch(std::uint32_t router, std::uint32_t output_place, std::uint32_t lane_place);
  void new_head(std::uint32_t lane);
  void route(std::uint32_t lane);
  void request_packet(std::uint32_t terminal, std::uint64_t cycle);
  void inject(std::uint32_t terminal);
  template <class Queue>
  void push(Queue& queue, std::uint32_t packet);
  [[nodiscard]] bool idle() const;
  [[gnu::flatten]] void step_router(std::uint32_t router);
  void prefetch_router(std::uint32_t router) const;
  // core_allocate.hpp
  void allocate_lanes(std::uint32_t router);
  void allocate_any_lane(std::uint32_t router, std::uint32_t place);
  void allocate_given_lanes(std::uint32_t router, std::uint32_t place);
  void accept_lanes(std::uint32_t router, std::uint32_t place);
  void take_one_of(std::uint32_t router, std::uint32_t place, std::uint32_t local, std::uint32_t lanes);
  void take_lane(std::uint32_t router, std::uint32_t place, std::uint32_t local, std::uint32_t vc);
  void free_lanes(std::uint32_t router);
  void allocate_switch(std::uint32_t router);
  void cross(std::uint32_t router, std::uint32_t input_place, std::uint32_t output_place);
  void return_credit(std::uint32_t input, std::uint32_t vc);
  void eject(std::uint32_t packet, std::uint64_t arrival);
  void send_from_outputs(std::uint32_t router);
  [[noreturn]] void no_route(std::uint32_t router, std::uint32_t destination) const;
  [[noreturn]] void no_lane(std::uint32_t router, std::uint32_t lane) const;
  // core_paths.hpp
  struct Choice {
    std::uint32_t place;    ///< output among the router's
    std::uint32_t allowed;  ///< lanes
  };
  Choice choose(std::uint32_t lane, Packet& packet);
  Choice choose_path(std::uint32_t router, Packet& packet);
  void decide_indirect(std::uint32_t router, Packet& packet);
  [[nodiscard]] std::uint32_t lane_group(std::uint32_t lane) const;
  /// Flits in the buffers behind the output: in its own output buffer where it has one, else in the next
  /// router's input buffer, those on the way included.
  [[nodiscard]] std::uint32_t occupancy(std::uint32_t router, std::uint32_t place) const {
    return used_[first_port(router) + place];
  }
  std::uint32_t minimal_output(std::uint32_t router, std::uint32_t destination, bool least);

  const RoutePlan& plan_;
  const Settings settings_;
  Source& source_;
  const std::uint32_t speedup_;
  std::uint32_t shift_ = 0;
  std::uint32_t router_shift_ = 0;
  std::uint32_t all_lanes_ = 0;  // a bit for each lane
  std::uint32_t words_ = 1, output_words_ = 1;
  std::uint32_t traversal_ = 0;     // steps from winning the switch to the channel
  std::uint32_t credit_delay_ = 0;  // steps
  bool links_on_grid_ = true;
  bool wants_messages_ = false;  // the source
  bool queued_outputs_ = false;
  bool large_ = false;              // more state than caches hold
  std::uint32_t router_ports_ = 0;  // of the router that has most
  bool steady_links_ = false;       // a flit a step at most on every link: none waits for its channel
  double buffer_behind_ = 0;        // flits in the buffers that occupancy() counts
  std::uint64_t step_ = 0;
  std::uint64_t cycle_ = 0;                            // of the step
  std::uint64_t credit_leaves_ = 0, flit_leaves_ = 0;  // steps at which what is sent now leaves, at best
  std::uint64_t flit_hops_ = 0;
  std::uint32_t first_injection_ = 0;  // out lanes from here on are those of terminals

  std::vector<InLane> in_lanes_;
  std::vector<OutLane> out_lanes_;
  std::vector<InPort> in_ports_;
  std::vector<OutPort> out_ports_;
  std::vector<std::uint32_t> free_lanes_;  // by output, a bit each
  std::vector<std::uint64_t> lane_requests_, switch_requests_;
  std::vector<std::uint64_t>
      link_free_;  // by output: step from which its channel is free, where flits may have to wait
  std::vector<std::uint64_t> credit_free_;    // by input: the same of its credits' wire
  std::vector<std::uint32_t> used_;           // by output, for occupancy()
  std::vector<LinkLane> link_lanes_;          // by out lane
  std::vector<std::uint32_t> link_requests_;  // by output: lanes that can send
  std::vector<std::uint64_t> entering_;       // bubble: by output, mask of input lanes that enter its ring
  std::vector<Nic> nics_;

  // What is to be done in this step.
  BitSet busy_;                                                           // routers with any of the following
  std::vector<std::uint64_t> switch_active_, lane_active_, link_active_;  // by router: outputs
  std::vector<std::uint64_t> heads_;   // by router: input lanes with a head to route
  std::vector<std::uint64_t> behind_;  // by router: whose next packet has come to the front in this step
  BitSet nic_active_;

  // Scratch of one router's turn.
  std::vector<std::uint64_t> granted_;        // by input: outputs that have chosen it
  std::vector<std::uint32_t> granted_lanes_;  // by input lane: lanes that have chosen it
  std::vector<std::uint64_t> candidates_;     // one mask
  StepList chosen_, touched_, freed_;

  EventWheel<FlitEvent> flits_;        // input lane: a flit is in its buffer
  EventWheel<std::uint32_t> credits_;  // out lane: the buffer behind its channel has room for a flit more
  EventWheel<std::uint32_t> routed_;   // input lane: its head may be routed; where that takes several steps
  EventWheel<std::uint32_t>
      granted_later_;                  // input lane: it may ask for the switch; where that takes several
  EventWheel<FlitEvent> queued_;       // out lane: a flit is in the output buffer
  EventWheel<std::uint32_t> arrived_;  // message: a packet of it has arrived
  TerminalQueue created_;
  Pool<Packet> packets_;
  Random random_;
};

extern template class Core<1, Mode::single>;
extern template class Core<2, Mode::single>;
extern template class Core<0, Mode::single>;
extern template class Core<1, Mode::plain>;
extern template class Core<2, Mode::plain>;
extern template class Core<0, Mode::plain>;
extern template class Core<1, Mode::full>;
extern template class Core<2, Mode::full>;
extern template class Core<0, Mode::full>;

}  // namespace unknot::simulate

#include "unknot/simulate/core_allocate.hpp"
#include "unknot/simulate/core_events.hpp"
#include "unknot/simulate/core_paths.hpp"
#include "unknot/simulate/core_view.hpp"
