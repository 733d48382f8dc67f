// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
/// Mode::full does everything that Settings and RoutePlan can say. Mode::plain leaves out what forwarding
/// tables with any lane, input-queued routers and wormhole switching do without, Mode::single also packets of
/// more than one flit and delays of routing and lane allocation other than 1. The results are the same.
enum class Mode : std::uint8_t { single, plain, full };

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
  [[nodiscard]] std::uint64_t sent(std::uint32_t output) const override { return out_ports_[output].sent; }
  void clear_counts() override {
    for (OutPort& port : out_ports_) port.sent = 0;
  }
  [[nodiscard]] std::uint64_t flit_hops() const override { return flit_hops_; }
  [[nodiscard]] std::uint32_t lane_shift() const override { return shift_; }
  [[nodiscard]] std::vector<LaneState> lane_states() const override;
  [[nodiscard]] std::vector<std::uint32_t> lane_holders() const override;
  [[nodiscard]] std::string broken_law() const override;

 private:
  static constexpr bool kFull = kMode == Mode::full;
  static constexpr bool kSingle = kMode == Mode::single;
  enum State : std::uint8_t { kIdle, kRouting, kWaiting, kActive };
  using Bits = Mask<kWords>;
  static constexpr std::uint16_t kNoOwner = 0xFFFF;

  /// A lane of an input: its buffer and how far its first packet has come.
  struct alignas(32) InLane {
    std::uint32_t head = kNobody, tail = 0;  ///< queue of packets whose heads are here
    std::uint32_t out_lane = 0;              ///< active: lane it has; waiting: first lane of the output
    std::uint32_t upstream = 0;              ///< out lane that feeds it
    std::uint32_t allowed = 0;               ///< waiting: lanes it may take, a bit each
    std::uint32_t leaving = kNobody;         ///< entry of the packet that goes to a terminal, its head gone
    std::uint16_t present = 0;               ///< flits in the buffer
    std::uint16_t preferred = 0;             ///< out lane, among the router's, where its arbiter starts
    std::uint8_t left = 0;                   ///< flits of the first packet that have not left
    State state = kIdle;
    bool fresh = false;  ///< the head of the first packet has not left
  };
  static_assert(sizeof(InLane) == 32);
  struct OutLane {
    std::uint16_t owner = kNoOwner;  ///< input lane of the router that has it
    std::uint16_t preferred = 0;     ///< input lane where its arbiter starts
    std::int32_t room = 0;           ///< flits that the buffer behind it still takes
  };
  struct InPort {
    std::uint64_t granted = 0;      ///< outputs that have chosen it in this step, where kWords > 0
    std::uint64_t credit_free = 0;  ///< step from which its credit wire is free
    std::uint32_t router = 0, first_output = 0;
    std::uint32_t credit_steps = 0;
    std::uint16_t outputs = 0;
    std::uint16_t preferred = 0;  ///< output where its arbiter starts
    std::uint16_t local = 0;
    std::uint8_t preferred_lane = 0;
  };
  struct alignas(64) OutPort {
    std::uint64_t link_free = 0;  ///< step from which its channel is free
    std::uint32_t first_input = 0;
    std::uint32_t sent = 0;         ///< flits
    std::uint32_t latency = 0;      ///< steps of the channel
    std::uint32_t period = 0;       ///< steps for a flit
    std::uint32_t input = kNobody;  ///< the input at its other end; kNobody for terminals
    std::uint32_t back = 0;         ///< to a terminal: steps from a flit's arrival there to its credit
    std::uint16_t local = 0;
    std::uint16_t inputs = 0;         ///< of its router
    std::uint16_t preferred = 0;      ///< input where its arbiter starts
    std::uint8_t preferred_lane = 0;  ///< of its channel's arbiter
  };
  struct Nic {
    NewPacket next;
    std::uint32_t first_lane = 0;  ///< out lane of its injection channel
    std::uint32_t input_lane = 0;  ///< lane of the input it feeds
    std::uint32_t latency = 0;
    std::uint8_t left = 0;  ///< flits of the packet that is being sent
    std::uint8_t lane = 0;  ///< it goes on, or went on last
    bool waiting = false;   ///< `next` is to be sent
    bool blocked = false;   ///< no room in the router
  };
  /// A lane's output buffer, and what the next buffer takes.
  struct LinkLane {
    std::uint32_t head = kNobody, tail = kNobody;  ///< packets whose heads are here
    std::int32_t credits = 0;
    std::uint32_t queued = 0;  ///< flits
    std::uint8_t left = 0;     ///< flits of the packet whose head has left
  };
  /// Outputs of routers that are looked at together.
  struct Block {
    std::uint32_t first = 0, last = 0;
  };
  /// A flit on its way: the lane, and the packet where it is a head.
  struct FlitEvent {
    std::uint32_t lane;
    std::uint32_t entry;
  };

  [[nodiscard]] std::uint32_t words() const { return kWords > 0 ? kWords : words_; }
  [[nodiscard]] std::uint64_t* wants_switch(std::uint32_t output) {
    return switch_requests_.data() + std::size_t{output} * words();
  }
  [[nodiscard]] std::uint64_t* wants_lane(std::uint32_t row) {
    return lane_requests_.data() + std::size_t{row} * words();
  }
  static void set_bit(std::uint64_t* mask, std::uint32_t i) { mask[i >> 6] |= std::uint64_t{1} << (i & 63U); }
  static void clear_bit(std::uint64_t* mask, std::uint32_t i) {
    mask[i >> 6] &= ~(std::uint64_t{1} << (i & 63U));
  }
  [[nodiscard]] std::uint32_t lane_of(std::uint32_t index) const { return index & ((1U << shift_) - 1); }
  /// First step at or after this one at which links may send.
  [[nodiscard]] std::uint64_t grid(std::uint64_t step) const {
    return speedup_ == 1 || !links_on_grid_ ? step : (step + speedup_ - 1) / speedup_ * speedup_;
  }
  [[nodiscard]] std::uint32_t input_lane(const OutPort& port, std::uint32_t local) const {
    return (port.first_input << shift_) + local;
  }

  // core_events.hpp
  void do_step();
  void credit(std::uint32_t out_lane);
  void give_room(std::uint32_t out_lane);
  void flit(std::uint32_t lane, std::uint32_t entry);
  void enter_output(std::uint32_t out_lane, std::uint32_t entry);
  void request_switch(std::uint32_t output, std::uint32_t local);
  void route_heads();
  void route(std::uint32_t lane);
  void request_packet(std::uint32_t terminal, std::uint64_t cycle);
  void inject(std::uint32_t terminal);
  template <class Queue>
  void push(Queue& queue, std::uint32_t entry);
  [[nodiscard]] bool idle() const;
  // core_allocate.hpp
  void allocate_lanes(const Block& block);
  void allocate_any_lane(std::uint32_t output);
  void allocate_given_lanes(std::uint32_t output);
  void accept_lanes(std::uint32_t output);
  void free_lane(std::uint32_t out_lane);
  void take_lane(std::uint32_t output, std::uint32_t local, std::uint32_t vc);
  void allocate_switch(const Block& block);
  void cross(std::uint32_t input, std::uint32_t output);
  void move(std::uint32_t lane_index, std::uint32_t input, std::uint32_t output);
  void return_credit(InPort& in, std::uint32_t upstream);
  void eject(std::uint32_t entry, std::uint64_t arrival);
  [[noreturn]] void no_route(std::uint32_t router, std::uint32_t destination) const;
  [[noreturn]] void no_lane(std::uint32_t router, std::uint32_t lane) const;
  void send_from_outputs();
  // core_paths.hpp
  struct Choice {
    std::uint32_t local;    ///< output among the router's
    std::uint32_t allowed;  ///< lanes
  };
  Choice choose(std::uint32_t lane, const InPort& port, Packet& packet);
  Choice choose_path(const InPort& port, Packet& packet);
  void decide_indirect(std::uint32_t router, Packet& packet);
  [[nodiscard]] std::uint32_t lane_group(std::uint32_t lane) const;
  [[nodiscard]] std::uint32_t occupancy(std::uint32_t output) const;
  std::uint32_t minimal_output(std::uint32_t router, std::uint32_t destination, bool least);

  const RoutePlan& plan_;
  const Settings settings_;
  Source& source_;
  const std::uint32_t speedup_;
  std::uint32_t shift_ = 0;      // lanes of a port are numbered port << shift_ | lane
  std::uint32_t all_lanes_ = 0;  // a bit for each lane
  std::uint32_t words_ = 1;
  std::uint32_t traversal_ = 0;  // steps from winning the switch to the channel
  bool links_on_grid_ = true;
  bool wants_messages_ = false;  // the source
  bool queued_outputs_ = false;
  bool steady_links_ = false;  // a flit a step at most on every link: none waits for its channel
  double buffer_behind_ = 0;   // flits in the buffers that occupancy() counts
  std::uint64_t step_ = 0;
  std::uint64_t cycle_ = 0;                            // of the step
  std::uint64_t credit_leaves_ = 0, flit_leaves_ = 0;  // steps at which what is sent now leaves, at best
  std::uint64_t flit_hops_ = 0;
  std::uint32_t first_injection_ = 0;  // out lanes from here on are those of terminals

  std::vector<Block> blocks_;
  std::vector<InLane> in_lanes_;
  std::vector<OutLane> out_lanes_;
  std::vector<InPort> in_ports_;
  std::vector<OutPort> out_ports_;
  std::vector<std::uint32_t> free_lanes_;       // by output, a bit each
  std::vector<std::uint64_t> lane_requests_;    // by output, or by out lane: mask of input lanes
  std::vector<std::uint64_t> switch_requests_;  // by output: mask of input lanes
  std::vector<std::uint64_t> grants_;           // kWords == 0: by input, mask of outputs
  std::uint32_t grant_words_ = 1;
  std::vector<std::uint32_t> granted_lanes_;  // scratch: by local input lane
  std::vector<std::uint32_t> used_;           // by output: flits in the buffers behind it
  std::vector<LinkLane> link_lanes_;          // input-output-queued
  std::vector<std::uint32_t> link_requests_;  // by output: lanes that can send
  std::vector<Nic> nics_;
  BitSet lane_active_, switch_active_, link_active_, nic_active_;
  StepList heads_;   // input lanes with a head to route in this step
  StepList behind_;  // whose next packet has come to the front in this step
  StepList freed_;   // out lanes whose packet has left in this step
  StepList chosen_inputs_, touched_;
  std::vector<std::uint64_t> candidates_;  // scratch: one mask
  std::vector<std::uint64_t> entering_;    // bubble: by output, mask of input lanes that enter its ring
  EventWheel<FlitEvent> flits_;            // input lane: a flit is in its buffer
  EventWheel<std::uint32_t> credits_;      // out lane: the buffer behind its channel has room for a flit more
  EventWheel<std::uint32_t> routed_;  // input lane: its head may be routed; where that takes several steps
  EventWheel<std::uint32_t>
      granted_;                   // input lane: it may ask for the switch; where that takes several steps
  EventWheel<FlitEvent> queued_;  // out lane: a flit is in the output buffer
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
