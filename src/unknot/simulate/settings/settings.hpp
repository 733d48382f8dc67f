// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace unknot::simulate {

/// Where a flit waits for its channel.
enum class RouterKind : std::uint8_t {
  /// Input-queued: a flit crosses the switch when the next router has room for it.
  input_queued,
  /// Input- and output-queued: a flit crosses the switch when the output buffer has room, and its channel
  /// when the next router has. [Kathareios et al., SC'15, section 4.1]
  input_output_queued,
};

/// When the head of a packet may move on.
enum class Switching : std::uint8_t {
  wormhole,             ///< as soon as there is room for a flit
  virtual_cut_through,  ///< when there is room for the whole packet
};

/// What outputs and inputs of the switch, and channels, are given for.
enum class Arbitration : std::uint8_t {
  flits,    ///< one flit: those of several packets may follow each other in turn
  packets,  ///< a whole packet, which sends its flits without pause [Dally, Towles 2004, section 19.3]
};

/// Who goes first where several packets want the same.
enum class Priority : std::uint8_t {
  none,  ///< each in turn
  age,   ///< the one that was created first
  /// Of plans with messages the one on the highest virtual network, of one network the one created first.
  network,
};

/// What links without a class of their own carry.
enum class Speeds : std::uint8_t {
  base,    ///< all the same
  stated,  ///< the capacity that the network states, where it does
};

/// Links that differ from the others: which, and how. See link_times.hpp for the selectors.
struct LinkClass {
  std::string match = {};  ///< "level:0", "dimension:1", "rate:4xEDR", "channels", "terminals", "all"
  std::uint32_t latency =
      0;  ///< steps where Settings::link_steps is set, else cycles; 0: as without the class
  std::uint32_t period =
      0;  ///< steps that a flit takes of the link, at least speedup; 0: as without the class
  bool operator==(const LinkClass&) const = default;
};

/// Which of switch_allocators() gives things away.
struct Allocator {
  std::string name = "islip";
  std::uint32_t iterations = 1;  ///< of islip and pim

  /// What the core does by itself.
  [[nodiscard]] bool is_usual() const { return name == "islip" && iterations == 1; }
  bool operator==(const Allocator&) const = default;
};

/// Everything about the routers and links that is simulated. Times are in cycles or steps: a cycle is the
/// time of one flit on a link of base speed; the core of a router takes `speedup` steps in a cycle, and its
/// delays are counted in steps.
///
/// Links keep to the grid of cycles, as BookSim2's do, or run free of it. On the grid a flit enters a link at
/// the beginning of a cycle and arrives `link_latency` cycles later. Off the grid it may enter at any step,
/// at most one in `speedup` steps, and arrives `link_steps` steps later: that makes links of 50 ns possible
/// where a cycle is 20 ns. Either both kinds of links, those between routers and those of terminals, are off
/// the grid or none.
struct Settings {
  RouterKind router = RouterKind::input_queued;
  Switching switching = Switching::wormhole;
  Arbitration arbitration = Arbitration::flits;
  Speeds speeds = Speeds::base;
  Priority priority = Priority::none;
  Allocator sw_allocator = {};         ///< of the switch, where it is given to flits
  Allocator vc_allocator = {};         ///< of lanes, where packets wait for one
  std::uint32_t vcs = 4;               ///< virtual channels (lanes) of each port; 1 .. 32; 0: see for_lanes()
  std::uint32_t vc_buffer = 8;         ///< flits in the input buffer of a lane
  std::uint32_t output_buffer = 8;     ///< flits in the output buffer of a lane, where there is one
  std::uint32_t packet_flits = 1;      ///< flits of a packet; 1 .. 255
  std::uint32_t speedup = 1;           ///< steps of a router's core in a cycle; 1 .. 8
  std::uint32_t routing_delay = 1;     ///< steps; 0: routed one hop ahead
  std::uint32_t vc_alloc_delay = 1;    ///< steps, at least 1
  std::uint32_t sw_alloc_delay = 1;    ///< steps, at least 1
  std::uint32_t st_delay = 1;          ///< switch traversal, steps, at least 1
  std::uint32_t link_latency = 1;      ///< cycles, at least 1; not used where link_steps is set
  std::uint32_t link_steps = 0;        ///< latency in steps, off the grid of cycles; 0: link_latency, on it
  std::uint32_t terminal_latency = 1;  ///< cycles of the links to and from terminals, at least 1
  std::uint32_t terminal_steps =
      0;                           ///< as link_steps, for terminals; set where link_steps is, and only there
  std::uint32_t credit_delay = 1;  ///< cycles that a router takes to see a credit that has arrived
  // Of messages that cause others: see plan_messages().
  static constexpr std::uint32_t kQueue = 4, kService = 1;
  std::uint32_t send_queue = kQueue;     ///< packets that a terminal has to send on a virtual network
  std::uint32_t receive_queue = kQueue;  ///< packets that have come to it on one and are not taken yet
  std::uint32_t service = kService;      ///< cycles from taking a message to having what it causes
  // Terminals that send slower while their packets meet long queues: see Throttle.
  static constexpr std::uint32_t kNoticeDelay = 100, kThrottleTimer = 500;
  std::uint32_t ecn_threshold = 0;  ///< flits waiting for an output where packets are marked; 0: none are
  std::uint32_t ecn_delay = kNoticeDelay;  ///< cycles until the sender of a marked packet that arrived knows
  std::uint32_t ecn_timer = kThrottleTimer;  ///< cycles after which a sender is held back a level less
  std::uint64_t seed = 1;
  std::uint64_t warmup = 0;        ///< cycles before measuring; 0: found by the run itself
  std::uint64_t measure = 10'000;  ///< cycles in which the measured packets are created
  std::uint64_t drain = 0;         ///< most cycles after them; 0: ten times warm-up and measuring together
  // Physical units, for reports and for workloads in bytes.
  double cycle_ns = 1;           ///< nanoseconds of a cycle
  std::uint32_t flit_bytes = 8;  ///< payload of a flit
  // Buffers of a whole port, which its lanes share out evenly: what vc_buffer and output_buffer then follow
  // from. 0: they are given as they are.
  std::uint32_t port_buffer = 0;             ///< flits in the input buffers of a port, all lanes together
  std::uint32_t port_output_buffer = 0;      ///< flits in the output buffers of a port, all lanes together
  std::vector<LinkClass> link_classes = {};  ///< in order: a later one has the last word

  /// Not all is given away as the core does it by itself.
  [[nodiscard]] bool named_allocator() const { return !sw_allocator.is_usual() || !vc_allocator.is_usual(); }

  bool operator==(const Settings&) const = default;
};

/// What is wrong with settings: the key to change, and one sentence.
struct SettingsTrouble {
  std::string key;
  std::string sentence;
};
/// The first thing that is wrong with the settings, ranges and what does not fit together; none for good
/// ones. Settings with vcs = 0 are good as far as they go. Link classes are checked here without the network
/// and in link_times() with it.
std::optional<SettingsTrouble> trouble(const Settings& settings);
/// Throws InputError with that sentence.
void check(const Settings& settings);

/// Settings for a routing that needs `lanes` lanes: vcs = 0 becomes that number, and buffers of whole ports
/// are shared out among the lanes. Throws InputError where vcs is smaller than what the routing needs, and
/// where a lane's share is too small. The core is given what this returns.
Settings for_lanes(Settings settings, std::uint32_t lanes);

/// Steps of the pipeline of a router, from a head at the front of its lane to the head on its way out.
constexpr std::uint32_t pipeline_steps(const Settings& s) {
  return s.routing_delay + s.vc_alloc_delay + s.sw_alloc_delay + s.st_delay;
}
/// Nanoseconds of a step.
constexpr double step_ns(const Settings& s) {
  return s.cycle_ns / s.speedup;
}

/// "input-queued" or "input-output-queued".
const char* name_of(RouterKind kind);
/// "wormhole" or "virtual-cut-through".
const char* name_of(Switching switching);
/// "flits" or "packets".
const char* name_of(Arbitration arbitration);
/// "none", "age" or "class".
const char* name_of(Priority priority);
/// "base" or "stated".
const char* name_of(Speeds speeds);

}  // namespace unknot::simulate
