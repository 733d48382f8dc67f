// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "unknot/simulate/allocate/switch_allocator.hpp"
#include "unknot/simulate/core/bit_scan.hpp"
#include "unknot/simulate/core/divider.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/core/event_wheel.hpp"
#include "unknot/simulate/core/mail.hpp"
#include "unknot/simulate/core/offers.hpp"
#include "unknot/simulate/core/packet_queue.hpp"
#include "unknot/simulate/core/packets.hpp"
#include "unknot/simulate/core/part_engine.hpp"
#include "unknot/simulate/core/recorder.hpp"
#include "unknot/simulate/core/router_state.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/core/terminal_queue.hpp"
#include "unknot/simulate/core/throttle.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/tables/lane_function.hpp"

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
/// Shape: what is known of the routers when this is compiled. See router_state.hpp.
template <class Shape, Mode kMode>
class Core final : public PartEngine {
 public:
  /// Of a part of the network, or (null) of the whole.
  Core(const RoutePlan& plan, const Settings& settings, const LinkTimes& links, Source& source,
       const PartOf* part = nullptr);

  bool run_until(std::uint64_t cycle) override;
  [[nodiscard]] std::uint64_t cycle() const override { return step_ / speedup(); }
  void wake(std::uint32_t terminal) override {
    if (!nics_[terminal].waiting && nics_[terminal].left == 0) request_packet(terminal, cycle());
  }
  void take(std::uint32_t terminal, std::uint32_t network, std::uint32_t flits) override;
  [[nodiscard]] std::uint32_t in_flight() const override { return packets_.live(); }
  void ask_anew() override;
  void fail_channel(std::uint32_t channel) override;
  void fail_router(std::uint32_t router) override;
  void mark() override { passage_ = {packets_.live(), passage_.lost, 0, cycle()}; }
  [[nodiscard]] Passage passage() const override { return passage_; }
  [[nodiscard]] std::uint64_t oldest_waiting() const override;
  [[nodiscard]] std::uint64_t sent(std::uint32_t output) const override;
  void clear_counts() override;
  [[nodiscard]] ThrottleCounts throttle_counts() const override {
    return throttle_ ? throttle_->counts() : ThrottleCounts{};
  }
  [[nodiscard]] std::uint64_t flit_hops() const override { return flit_hops_; }
  [[nodiscard]] std::uint32_t lane_shift() const override { return shift(); }
  [[nodiscard]] std::vector<LaneState> lane_states() const override;
  [[nodiscard]] std::vector<std::uint32_t> lane_holders() const override;
  [[nodiscard]] std::string broken_law() const override { return law_broken_by(law_counts()); }

  [[nodiscard]] std::uint32_t lookahead() const override { return lookahead_; }
  std::uint64_t run_window(std::uint64_t from, std::uint64_t to, std::uint32_t turn) override;
  void take_mail(PartEngine& from, std::uint32_t turn) override;
  [[nodiscard]] LawCounts law_counts() const override;
  [[nodiscard]] std::string law_broken_by(const LawCounts& counts) const override;

  static constexpr bool kFull = routes_all(kMode);
  static constexpr bool kWhole = moves_whole(kMode);
  static constexpr bool kTrains = kMode == Mode::trains;
  static constexpr bool kAsOne = moves_as_one(kMode);
  static constexpr bool kSingle = kMode == Mode::single;
  static constexpr bool kMessages = kMode == Mode::messages;

 private:
  using Bits = Mask<Shape::kWords>;  // over a router's lanes
  using Place = typename Shape::Place;
  using Packet = std::conditional_t<kSingle, SinglePacket, simulate::Packet>;
  using Routers = RouterArrays<Shape, kMode>;
  using State = typename Routers::State;
  using InLane = typename State::InLane;
  using OutLane = typename State::OutLane;
  using InPort = typename State::InPort;
  using OutPort = typename State::OutPort;
  using LaneBits = typename Shape::LaneBits;
  using LinkLane = typename State::LinkLane;
  using OutLink = typename State::OutLink;
  static constexpr Place kNoOwner = simulate::OutLane<Place>::kNoOwner;

  struct Nic {
    NewPacket next;
    std::uint32_t input_lane = 0;  ///< lane 0 of the input it feeds
    std::uint32_t open = 0;        ///< lanes of it with room, a bit each
    std::uint16_t latency = 0;     ///< steps
    std::uint16_t period = 0;      ///< steps that its link takes for a flit
    std::uint64_t free = 0;        ///< step at which the link is, where a flit takes more than a cycle
    std::uint8_t left = 0;         ///< flits of the packet that is being sent
    std::uint8_t lane = 0;         ///< it goes on, or went on last
    bool waiting = false;          ///< `next` is to be sent
    bool blocked = false;          ///< no room in the router
  };
  /// A flit on its way: the lane, and the packet where it is a head.
  struct FlitEvent {
    std::uint32_t lane;
    std::uint32_t packet;
  };

  /// A packet that an input and an output are given to until its tail has crossed.
  struct Crossing {
    std::uint32_t input, output;  ///< ports
  };

  /// Watched: a flit by its packet.
  struct WatchedFlit {
    std::uint32_t packet = kNobody, number = 0;
  };
  /// Watched: the packet whose flits are on their way, by sender, by input lane and by out lane.
  struct FlitsOf {
    std::vector<std::uint32_t> sender, arriving, crossing, sending;
    std::vector<std::uint8_t> arrived;  // flits of the one that is arriving
  };
  struct Nothing {};

  /// Where a head goes.
  struct Choice {
    std::uint32_t place;    ///< output among the router's
    std::uint32_t allowed;  ///< lanes
    bool again = false;     ///< while it waits it may be given another
  };

  [[nodiscard]] std::uint32_t speedup() const { return kSingle ? 1 : speedup_; }
  [[nodiscard]] std::uint32_t shift() const { return routers_.shift(); }
  [[nodiscard]] std::uint32_t words() const { return routers_.words(); }
  [[nodiscard]] std::uint32_t output_words() const { return routers_.output_words(); }
  [[nodiscard]] std::uint32_t vc_of(std::uint32_t lane) const { return lane & ((1U << shift()) - 1); }
  [[nodiscard]] std::uint32_t injection_lane(std::uint32_t terminal) const {
    return first_injection_ + (terminal << shift());
  }
  /// Port of an input or output of Ports.
  [[nodiscard]] std::uint32_t port_of_input(std::uint32_t input) const {
    const std::uint32_t router = plan_.ports.input_router[input];
    return routers_.first_port(router) + input - plan_.ports.first_input[router];
  }
  [[nodiscard]] std::uint32_t port_of_output(std::uint32_t output) const {
    const std::uint32_t router = plan_.ports.output_router[output];
    return routers_.first_port(router) + output - plan_.ports.first_output[router];
  }
  [[nodiscard]] std::uint32_t router_of_lane(std::uint32_t lane) const {
    return routers_.router_of(lane >> shift());
  }
  [[nodiscard]] std::uint32_t first_lane(std::uint32_t router) const {
    return routers_.first_port(router) << shift();
  }
  /// Something is to be done in the block that the port lies in.
  void wake_block(std::uint32_t port) { busy_.set(block_of(port)); }
  [[nodiscard]] std::uint32_t block_of(std::uint32_t port) const { return divide_block_(port); }
  /// Lanes of an input in a mask over a router's input lanes, from bit 0 on.
  [[nodiscard]] std::uint32_t lanes_of(const std::uint64_t* mask, std::uint32_t input) const {
    const std::uint32_t first = input << shift();
    return static_cast<std::uint32_t>(mask[Shape::kWords == 1 ? 0 : first >> 6] >> (first & 63U)) &
           all_lanes_;
  }
  /// First step at or after this one at which links may send.
  [[nodiscard]] std::uint64_t grid(std::uint64_t step) const {
    return speedup() == 1 || !links_on_grid_ ? step : (step + speedup() - 1) / speedup() * speedup();
  }

  /// Whether the router is of the part that this core simulates.
  [[nodiscard]] bool owns(std::uint32_t router) const {
    return part_of_ == nullptr || (*part_of_)[router] == part_;
  }

  // core_parts.hpp
  void set_up_part(const PartOf& part);
  Mail<Packet>& box_of(std::uint32_t router);
  [[gnu::noinline]] void post_flit(std::uint64_t step, std::uint32_t lane, std::uint32_t packet);
  [[gnu::noinline]] void post_credit(std::uint64_t step, std::uint32_t out_lane);
  void send_flit(std::uint32_t port, std::uint64_t step, std::uint32_t lane, std::uint32_t packet) {
    if (part_of_ != nullptr && away_outputs_.test(port)) {
      post_flit(step, lane, packet);
    } else {
      flits_.add(step, {lane, packet});
    }
  }
  // core_events.hpp
  bool advance(std::uint64_t end);
  [[nodiscard]] std::uint64_t next_event() const;
  template <class = void>  // so that it is compiled where it is called, and there alone
  void do_step();
  [[gnu::flatten]] void do_flat_step() requires(steps_flat<Shape>(kMode)) { do_step<>(); }
  void take_events();
  void fetch_block(std::uint32_t first_port, std::uint32_t last_port) const;
  void step_block(std::uint32_t first_port, std::uint32_t last_port);
  void credit(std::uint32_t out_lane);
  void give_room(std::uint32_t out_lane);
  void flit(std::uint32_t lane, std::uint32_t packet);
  void ask_link(std::uint32_t out_lane);
  void enter_output(std::uint32_t out_lane, std::uint32_t packet);
  void request_switch(std::uint32_t port, std::uint32_t place);
  void request_switch_if(bool wanted, std::uint32_t port, std::uint32_t place);
  void ask_for_lanes(std::uint32_t lane, Choice choice);
  void ask_for_group(std::uint32_t lane, std::uint32_t place);
  void route(std::uint32_t lane);
  void route_next();
  [[nodiscard]] bool idle() const;
  // core_allocate.hpp
  [[nodiscard]] std::uint32_t row_of(std::uint32_t port, std::uint32_t vc) const;
  void allocate_group(std::uint32_t port, const std::uint64_t* requests, std::uint32_t free);
  void allocate_groups(std::uint32_t port);
  const std::uint64_t* may_have(std::uint32_t out_lane);
  void allocate_given_lanes(std::uint32_t port);
  [[nodiscard]] std::uint32_t preferred_lane(std::uint32_t port, std::uint32_t own) const;
  void settle_lanes(std::uint32_t port);
  void take_lane(std::uint32_t port, std::uint32_t own, std::uint32_t vc);
  void free_lanes();
  void allocate_switch(std::uint32_t first_port, std::uint32_t last_port);
  [[nodiscard, gnu::noinline]] std::uint32_t oldest(const std::uint64_t* mask, std::uint32_t first) const;
  void cross(std::uint32_t input, std::uint32_t place);
  void cross_flit(std::uint32_t port, std::uint32_t index, std::uint32_t own);
  void return_credit(std::uint32_t input, std::uint32_t vc, std::uint32_t flits_to_come = 0);
  void eject(std::uint32_t packet, std::uint64_t arrival);
  bool leaves(std::uint32_t packet);
  void send_from_output(std::uint32_t port);
  [[noreturn]] void no_route(std::uint32_t router, std::uint32_t destination) const;
  [[noreturn]] void no_lane(std::uint32_t router, std::uint32_t lane) const;
  // core_apart.hpp
  template <class Ports, class Note, class Settle>
  void by_router(const Ports& active, std::uint32_t first_port, std::uint32_t last_port, const Note& note,
                 const Settle& settle);
  [[gnu::noinline]] void offer_apart(std::uint32_t first_port, std::uint32_t last_port);
  void offer_by_age(std::uint32_t first_port, std::uint32_t last_port);
  void offer_by_name(std::uint32_t first_port, std::uint32_t last_port);
  [[gnu::noinline]] void give_lanes_by_name(std::uint32_t first_port, std::uint32_t last_port);
  // core_whole_packets.hpp
  [[nodiscard]] std::uint32_t grant_packet(std::uint32_t port);
  const std::uint64_t* can_cross(std::uint32_t out_lane);
  Place request_crossing(std::uint32_t port, std::uint32_t own, Choice choice);
  void cross_packet(std::uint32_t port, std::uint32_t index, std::uint32_t own);
  void withdraw(std::uint32_t port, std::uint32_t out_lane, std::uint32_t own);
  void give_room_to_packets(std::uint32_t out_lane);
  [[nodiscard]] std::uint32_t flits_of(std::uint32_t packet) const {
    if constexpr (kTrains) return packets_[packet].flits;
    return 1;
  }
  /// Steps from the arrival of a head to the first at which its packet can cross without pause: its flits
  /// come one in `period` steps and cross one a step.
  [[nodiscard]] static std::uint64_t behind_head(std::uint32_t flits, std::uint32_t period) {
    return std::uint64_t{flits - 1} * (period - 1);
  }
  [[nodiscard]] std::uint32_t seniority(std::uint32_t packet) const;
  void begin_crossing(std::uint32_t input, std::uint32_t output, std::uint32_t flits);
  void end_crossing(Crossing crossing);
  void leave_output(std::uint32_t out_lane);
  void in_transit_until(std::uint32_t port, std::uint64_t leaves);
  [[nodiscard]] std::uint32_t waiting(std::uint32_t port) const;
  // core_terminals.hpp
  void request_packet(std::uint32_t sender, std::uint64_t cycle);
  bool inject(std::uint32_t sender);
  void injection_credit(std::uint32_t lane);
  void set_up_messages();
  void inject_in_turn();
  [[nodiscard, gnu::noinline]] bool congested(std::uint32_t router, std::uint32_t place) const;
  [[nodiscard]] std::uint32_t lanes_for_whole(std::uint32_t sender) const;
  [[nodiscard]] std::uint32_t terminal_of(std::uint32_t sender) const {
    return kMessages ? sender / networks_ : sender;
  }
  [[nodiscard]] std::uint32_t network_of_lane(std::uint32_t vc) const {
    return vc / group_size_ / network_lanes_;
  }
  [[nodiscard]] std::uint32_t lanes_here() const { return kMessages ? network_lanes_ : plan_.lanes_needed; }
  [[nodiscard]] std::uint32_t lanes_of_level(std::uint32_t packet, std::uint32_t vl) const;
  [[nodiscard]] std::uint32_t lanes_into_terminal(std::uint32_t packet) const;
  // core_view.hpp
  [[nodiscard]] std::uint32_t places_in(const InLane& lane) const;
  [[nodiscard]] std::int64_t room_behind(std::uint32_t out_lane) const;
  [[nodiscard]] std::vector<std::pair<std::uint32_t, bool>> choices_of(
      std::uint32_t router, std::uint32_t own, std::uint32_t packet,
      const std::vector<bool>& room_comes) const;
  void see(WatchEvent::Kind kind, std::uint32_t p, std::uint32_t flit, std::uint64_t step, std::uint32_t port,
           std::uint32_t lanes);
  void see_begin(std::uint32_t p, std::uint32_t sender);
  void see_injected(std::uint32_t sender, std::uint64_t step);
  void see_buffered(std::uint32_t index, std::uint32_t p);
  WatchedFlit see_crossing(std::uint32_t index, bool is_head, std::uint32_t left, std::uint32_t out_lane);
  void see_sent(std::uint32_t out_lane, std::uint32_t p, std::uint32_t left, std::uint64_t step);
  // core_terminals.hpp, failures
  void lose(std::uint32_t packet);
  template <class Visit>
  void for_each_coming(std::uint32_t index, const Visit& visit) const;
  [[nodiscard]] std::uint32_t arriving(std::uint32_t index) const;
  // core_adaptive.hpp
  Choice choose_adaptive(std::uint32_t router, std::uint32_t own, std::uint32_t packet);
  [[nodiscard]] std::uint32_t arrival_lane(std::uint32_t router, std::uint32_t own,
                                           std::uint32_t packet) const;
  [[nodiscard]] AdaptivePlan::Options options_of(std::uint32_t router, std::uint32_t own,
                                                 std::uint32_t packet, std::uint32_t arrival) const;
  [[nodiscard]] std::uint32_t adaptive_lane(std::uint32_t router, std::uint32_t own, std::uint32_t place,
                                            std::uint32_t packet, std::uint32_t arrival) const;
  void begin_asking(std::uint32_t index, std::uint32_t port, bool again);
  void end_asking(std::uint32_t index, std::uint32_t port);
  [[nodiscard]] bool can_be_had(std::uint32_t out_lane) const;
  [[nodiscard]] bool any_can_be_had(std::uint32_t port, std::uint32_t lanes) const;
  void room_at(std::uint32_t port);
  void look_again(std::uint32_t first_port, std::uint32_t last_port);
  void choose_again(std::uint32_t index);
  // core_paths.hpp
  void begin_draws(std::uint32_t lane);
  Choice choose(std::uint32_t router, std::uint32_t own, std::uint32_t packet);
  Choice choose_path(std::uint32_t router, std::uint32_t packet);
  Choice choose_copy(std::uint32_t router, std::uint32_t input, std::uint32_t packet);
  std::uint32_t take_copy(std::uint32_t index);
  [[nodiscard]] std::uint32_t level_lane(std::uint32_t router, std::uint32_t input, std::uint32_t place,
                                         std::uint8_t level) const;
  void decide_indirect(std::uint32_t router, std::uint32_t packet);
  [[gnu::noinline]] void choose_address(std::uint32_t router, std::uint32_t packet);
  [[nodiscard, gnu::noinline]] bool comes_back(std::uint32_t router, std::uint32_t via,
                                               std::uint32_t goal) const;
  [[nodiscard]] bool undecided(std::uint32_t packet) const;
  [[nodiscard, gnu::noinline]] bool weighed_again(std::uint32_t router, std::uint32_t place,
                                                  std::uint32_t packet) const;
  [[nodiscard, gnu::noinline]] std::uint32_t draw_within(std::uint32_t router, std::uint32_t goal);
  [[nodiscard]] std::uint32_t used(std::uint32_t router, std::uint32_t place) const;
  [[nodiscard]] std::uint32_t used_towards(std::uint32_t router, std::uint32_t to);
  [[nodiscard, gnu::noinline]] std::uint32_t most_used_along(std::uint32_t router, std::uint32_t to);
  /// Least: the one with the least used().
  std::uint32_t minimal_output(std::uint32_t router, std::uint32_t destination, bool least);

  const RoutePlan& plan_;
  const Settings settings_;
  const LaneFunction lane_function_;
  Source& source_;
  const std::uint32_t speedup_;
  std::uint32_t all_lanes_ = 0;  // a bit for each lane
  // Lanes beyond those that the routing tells apart are shared out: each of its lanes is a group of them, so
  // what was proven of its lanes holds for the groups. A bit for each lane of the group.
  std::array<std::uint32_t, 32> lane_groups_{};
  std::array<std::uint8_t, 32> group_of_{};  // by lane; those left over are of none
  std::uint32_t group_size_ = 1;
  std::uint32_t traversal_ = 0;      // steps from winning the switch to the channel
  std::uint32_t credit_delay_ = 0;   // steps
  std::uint32_t routing_delay_ = 1;  // steps
  bool links_on_grid_ = true;
  bool wants_messages_ = false;  // the source
  bool counts_transit_ = false;  // whole packets: used() is asked for
  bool errands_ = false;         // packets may go by way of others, belong to messages, or are copied
  bool copies_ = false;          // packets of multicast groups
  bool adapts_ = false;          // an adaptive routing
  bool by_level_ = false;        // packets have lanes by service level
  bool by_age_ = false;          // Priority::age
  bool offers_apart_ = false;    // the switch is given away by age, or by an allocator by name
  bool queued_outputs_ = false;
  bool whole_packets_ = false;       // virtual cut-through
  bool large_ = false;               // more state than caches hold
  bool steady_links_ = false;        // a flit a step at most on every link: none waits for its channel
  std::uint32_t buffer_behind_ = 0;  // flits in the buffers that used() counts
  std::uint32_t taking_turns_ =
      0;  // whole packets: how many may do no more than wait their turn on a channel
  std::uint64_t step_ = 0;
  std::uint64_t cycle_ = 0;                            // of the step
  std::uint64_t credit_leaves_ = 0, flit_leaves_ = 0;  // steps at which what is sent now leaves, at best
  std::uint64_t flit_hops_ = 0;
  std::uint32_t ports_ = 0;            // of all routers
  std::uint32_t first_injection_ = 0;  // out lanes from here on are those of terminals

  // Of a part.
  const std::vector<std::uint8_t>* part_of_ = nullptr;  // by router; null: all are this core's
  std::uint8_t part_ = 0;
  std::uint32_t lookahead_ = 0xFFFFFFFFU;
  BitSet away_outputs_, away_inputs_;  // ports whose other ends are of other parts
  std::vector<Mail<Packet>> mail_;     // by turn and part that it is for
  Mail<Packet>* boxes_ = nullptr;      // those that are being filled
  std::uint64_t earliest_mail_ = 0;    // step at which any of it arrives

  Routers routers_;
  std::vector<std::int16_t> injection_room_;  // by lane of a terminal: flits that the buffer behind it takes
  std::vector<std::uint64_t> entering_;       // bubble: by output, mask of input lanes that enter its ring
  // Whole packets, by port: those that have been given their turn and have not left yet, those on their way
  // through the switch included.
  std::vector<std::uint16_t> in_transit_;
  std::vector<Place> lane_preferred_;  // whole packets, by out lane: input lane where its arbiter starts
  std::uint32_t input_places_ = 0;     // of an input lane's buffer: flits, in mode trains packets
  std::vector<Nic> nics_;  // by terminal; mode messages: by sender, a terminal's virtual networks in a row

  // What is to be done in this step. Blocks are routers in a row, as many as the nearest cache holds well:
  // each stage of a step is done for all of a block at once.
  BitSet busy_;             // blocks with any of the following
  BitSet switch_active_;    // outputs that input lanes can send flits to
  BitSet lane_active_;      // outputs with a lane that can be given to somebody
  BitSet link_active_;      // outputs whose buffers can send
  BitSet heads_;            // input lanes with a head to route
  BitSet nic_active_;       // terminals
  BitSet crossing_inputs_;  // mode trains: ports that are given to a packet for longer than this step
  BitSet crossing_outputs_;
  BitSet looking_;  // adaptive: input lanes whose heads may take other outputs while they wait
  std::vector<std::uint16_t> asked_;  // adaptive: by port, heads that want it
  BitSet roomier_;                    // adaptive: routers of which a lane can be had that could not
  std::uint32_t block_ports_ = 1;     // of a block
  Divider divide_block_;              // by block_ports_

  // Scratch of a block's turn.
  Offers<Shape::kWords == 0 ? 0 : 1> output_offers_;  // to the block's inputs, by outputs of their routers
  Offers<1> lane_offers_;                             // to a router's input lanes, by lanes of one output
  std::vector<std::uint64_t> candidates_;             // one mask
  StepList freed_;                                    // out lanes whose packets have left in this step
  StepList behind_;  // input lanes whose next packet has come to the front; of all blocks

  const std::uint32_t longest_delay_;  // steps that any event lies ahead
  EventWheel<FlitEvent> flits_;        // input lane: a flit is in its buffer
  EventWheel<std::uint32_t> credits_;  // out lane: the buffer behind its channel has room for a flit more
  EventWheel<std::uint32_t> routed_;   // input lane: its head may be routed; where that takes several steps
  EventWheel<std::uint32_t>
      granted_later_;                  // input lane: it may ask for the switch; where that takes several
  EventWheel<std::uint32_t> left_;     // port: a packet in transit has gone to the channel
  EventWheel<Crossing> crossed_;       // mode trains: the tail has crossed
  EventWheel<std::uint32_t> emptied_;  // mode trains, out lane: the tail has left the output buffer
  EventWheel<FlitEvent> queued_;       // out lane: a flit is in the output buffer
  EventWheel<std::uint32_t> arrived_;  // message: a packet of it has arrived
  TerminalQueue created_;
  Pool<Packet> packets_;
  Passage passage_;  // plans with sinks
  // Draws are of a place and a step, so that they do not depend on the order in which routers have their
  // turns.
  TerminalRandom random_;  // of the head that is being routed
  const std::uint64_t draw_seed_;
  // Mode messages.
  std::uint32_t networks_ = 1, network_lanes_ = 1;
  std::vector<std::uint32_t> network_masks_;  // by network: its lanes
  std::vector<std::uint8_t> network_turn_;    // by terminal: the network that sends first
  // Priority::age: by input lane, the cycle in which the packet at its front was created; wishes of a router.
  struct AgedWish {
    std::uint32_t age, own, place;
  };
  std::vector<std::uint32_t> front_created_;
  std::vector<AgedWish> aged_;
  // Allocators by name: what gives switches and lanes of outputs away, and a router's wishes.
  std::unique_ptr<SwitchAllocator> switch_allocator_, lane_allocator_;
  SwitchRequests switch_requests_{0, 0}, lane_requests_{0, 0};
  std::unique_ptr<Throttle> throttle_;  // Settings::ecn_threshold
  [[no_unique_address]] std::conditional_t<Shape::kWatched, FlitsOf, Nothing> flits_of_;
};

extern template class Core<OneWord, Mode::single>;
extern template class Core<TwoWords, Mode::single>;
extern template class Core<AnyShape, Mode::single>;
extern template class Core<OneWord, Mode::plain>;
extern template class Core<TwoWords, Mode::plain>;
extern template class Core<AnyShape, Mode::plain>;
extern template class Core<OneWord, Mode::full>;
extern template class Core<AnyShape, Mode::full>;
extern template class Core<AnyShape, Mode::messages>;
extern template class Core<OneWord, Mode::packets>;
extern template class Core<AnyShape, Mode::packets>;
extern template class Core<OneWord, Mode::trains>;
extern template class Core<AnyShape, Mode::trains>;
extern template class Core<AgedShape, Mode::full>;
extern template class Core<AgedShape, Mode::messages>;
extern template class Core<WatchedShape, Mode::full>;
extern template class Core<WatchedShape, Mode::messages>;
extern template class Core<WatchedShape, Mode::packets>;
extern template class Core<WatchedShape, Mode::trains>;

}  // namespace unknot::simulate

#include "unknot/simulate/core/core_adaptive.hpp"
#include "unknot/simulate/core/core_allocate.hpp"
#include "unknot/simulate/core/core_apart.hpp"
#include "unknot/simulate/core/core_events.hpp"
#include "unknot/simulate/core/core_parts.hpp"
#include "unknot/simulate/core/core_paths.hpp"
#include "unknot/simulate/core/core_terminals.hpp"
#include "unknot/simulate/core/core_view.hpp"
#include "unknot/simulate/core/core_whole_packets.hpp"
