// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unknot/simulate/core/recorder.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/record/throttle_counts.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/watch/packet_watch.hpp"

namespace unknot::simulate {

/// A lane whose packet is waiting, as the search for deadlocks sees it. Numbers of input lanes are input <<
/// shift | lane, those of out lanes output << shift | lane.
struct LaneState {
  bool occupied = false;       ///< a packet is in the buffer, or holds a lane behind it
  bool flit_here = false;      ///< its next flit is in the buffer
  bool holds = false;          ///< it has an out lane
  std::uint32_t out_lane = 0;  ///< the one it holds, or lane 0 of the output it wants
  std::uint32_t wanted = 0;    ///< lanes of the output it could take, a bit each
  bool has_room = false;       ///< holds: there is room behind the out lane
  bool enters = false;         ///< bubble: it enters a ring
  /// Adaptive: all out lanes that it may take while it waits, and whether they can be had now. Then
  /// `out_lane` and `wanted` say what it asks for at the moment.
  std::vector<std::pair<std::uint32_t, bool>> choices = {};
  std::uint32_t present = 0;                  ///< flits in the buffer
  std::uint32_t source = 0, destination = 0;  ///< of its packet
  std::uint32_t message = 0;                  ///< of its packet, where the source wants messages

  bool operator==(const LaneState&) const = default;
};

/// Of a plan whose tables change (plan_changing()): packets before and after a moment.
struct Passage {
  std::uint32_t before = 0;      ///< of those in the network at mark(), how many still are
  std::uint64_t lost = 0;        ///< since the beginning: a router had no entry for them
  std::uint64_t lost_since = 0;  ///< those of them that were sent after mark()
  std::uint64_t marked = 0;      ///< cycle of mark()
};

/// One run of the flit-level model. See core.hpp for the model, make_engine() for what is chosen.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  Recorder recorder;
  PacketWatch* watch = nullptr;  ///< of watched engines

  /// Runs to the beginning of this cycle. False when nothing is left to happen by itself, ever.
  virtual bool run_until(std::uint64_t cycle) = 0;
  [[nodiscard]] virtual std::uint64_t cycle() const = 0;
  /// A terminal that had no packet may have one now; of plans with messages, a sender: terminal * networks +
  /// network.
  virtual void wake(std::uint32_t terminal) = 0;
  /// Every terminal that is not in the middle of a packet asks its source again, and forgets the packet that
  /// it waits to send. For sources that create a packet when they are asked.
  virtual void ask_anew() = 0;
  /// Of plans with messages: the terminal takes a packet of so many flits out of its receive queue of that
  /// virtual network.
  virtual void take(std::uint32_t /*terminal*/, std::uint32_t /*network*/, std::uint32_t /*flits*/) {}
  /// Of FailingPlan::plan(): packets that have been given the channel, and whose tail has not come to its
  /// other end, are lost: the next router takes them out of the network, or the terminal they are on the way
  /// to.
  virtual void fail_channel(std::uint32_t /*channel*/) {}
  /// The same of packets whose heads are at the router, or on their way to it.
  virtual void fail_router(std::uint32_t /*router*/) {}
  virtual void mark() = 0;
  [[nodiscard]] virtual Passage passage() const = 0;
  /// Packets in the network; those that wait in terminals do not count.
  [[nodiscard]] virtual std::uint32_t in_flight() const = 0;
  /// Cycle in which the oldest packet that still waits in a terminal was created; a huge number for none.
  [[nodiscard]] virtual std::uint64_t oldest_waiting() const = 0;
  /// Flits that an output has sent since clear_counts().
  [[nodiscard]] virtual std::uint64_t sent(std::uint32_t output) const = 0;
  virtual void clear_counts() = 0;
  /// Since clear_counts(); nothing where no terminal is held back.
  [[nodiscard]] virtual ThrottleCounts throttle_counts() const { return {}; }
  /// Flit movements through routers since the beginning.
  [[nodiscard]] virtual std::uint64_t flit_hops() const = 0;

  // For the search for deadlocks, and for checks. O(lanes).
  [[nodiscard]] virtual std::uint32_t lane_shift() const = 0;
  [[nodiscard]] virtual std::vector<LaneState> lane_states() const = 0;
  /// Input lane that holds each out lane, 0xFFFFFFFF for none.
  [[nodiscard]] virtual std::vector<std::uint32_t> lane_holders() const = 0;
  /// Empty, or what is wrong: every flit that was injected must be in a buffer, on a channel or delivered,
  /// and every place of every buffer must be taken, free or on its way back as a credit.
  [[nodiscard]] virtual std::string broken_law() const = 0;
};

/// InputError where no engine does what plan and settings (of the longest packet) ask for; engines are
/// checked when they are made, too.
void check_fit(const RoutePlan& plan, const Settings& settings);

/// The fastest form of the model that does what plan and settings ask for; all give the same results. Plan
/// and source must outlive it. InputError as check() of the settings, where there are fewer lanes than the
/// routing needs, and where bubble flow control meets other buffers than virtual cut-through of input-queued
/// routers.
std::unique_ptr<Engine> make_engine(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                                    Source& source);
/// The same with a watch of packets, which must outlive it, too: slower, with the same results. InputError
/// also where packets are copied.
std::unique_ptr<Engine> make_watched_engine(const RoutePlan& plan, const Settings& settings,
                                            const LinkTimes& links, Source& source, PacketWatch& watch);
/// The form that can do everything, whatever is asked for: to compare.
std::unique_ptr<Engine> make_full_engine(const RoutePlan& plan, const Settings& settings,
                                         const LinkTimes& links, Source& source);

}  // namespace unknot::simulate
