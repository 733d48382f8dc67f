// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::simulate {

/// Where a flit waits for its channel.
enum class RouterKind : std::uint8_t {
  /// Input-queued: a flit crosses the switch when the next router has room for it.
  input_queued,
  /// Input- and output-queued: a flit crosses the switch when the output buffer has room, and its channel
  /// when
  /// the next router has. [Kathareios et al., SC'15, section 4.1]
  input_output_queued,
};

/// When the head of a packet may move on.
enum class Switching : std::uint8_t {
  wormhole,             ///< as soon as there is room for a flit
  virtual_cut_through,  ///< when there is room for the whole packet
};

/// Everything about the routers and links that is simulated. Times are in cycles or steps: a cycle is the
/// time of one flit on a link of base speed; the core of a router takes `speedup` steps in a cycle, and its
/// delays are counted in steps.
struct Settings {
  RouterKind router = RouterKind::input_queued;
  Switching switching = Switching::wormhole;
  std::uint32_t vcs = 4;               ///< virtual channels (lanes) of each port; 1 .. 32
  std::uint32_t vc_buffer = 8;         ///< flits in the input buffer of a lane
  std::uint32_t output_buffer = 8;     ///< flits in the output buffer of a lane, where there is one
  std::uint32_t packet_flits = 1;      ///< flits of a packet; 1 .. 255
  std::uint32_t speedup = 1;           ///< steps of a router's core in a cycle; 1 .. 8
  std::uint32_t routing_delay = 1;     ///< steps; 0: routed one hop ahead
  std::uint32_t vc_alloc_delay = 1;    ///< steps, at least 1
  std::uint32_t sw_alloc_delay = 1;    ///< steps, at least 1
  std::uint32_t st_delay = 1;          ///< switch traversal, steps
  std::uint32_t link_latency = 1;      ///< cycles, at least 1
  std::uint32_t terminal_latency = 1;  ///< cycles of the links to and from terminals, at least 1
  std::uint32_t credit_delay = 1;      ///< cycles that a router takes to see a credit that has arrived
  std::uint64_t seed = 1;
  std::uint64_t warmup = 0;        ///< cycles before measuring; 0: found by the run itself
  std::uint64_t measure = 10'000;  ///< cycles in which the measured packets are created
  std::uint64_t drain = 0;         ///< most cycles after them; 0: ten times warm-up and measuring together
  // Physical units, for reports and for workloads in bytes.
  double cycle_ns = 1;           ///< nanoseconds of a cycle
  std::uint32_t flit_bytes = 8;  ///< payload of a flit
};

}  // namespace unknot::simulate
