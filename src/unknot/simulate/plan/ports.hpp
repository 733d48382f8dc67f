// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot::simulate {

/// The input and output ports of all routers: a network as its routers see it. Inputs are numbered router by
/// router, and within a router in order of port number; outputs likewise. Channels and terminals have one of
/// each: a terminal injects into an input of its router and is fed by an output of it. Terminals that are
/// addresses of one port (addressed_network()) share them.
struct Ports {
  /// Marks a terminal in `input_from` and `output_to`; the rest is its number.
  static constexpr std::uint32_t kTerminal = 0x80000000U;
  /// In `output_to`: packets for which the router has no entry leave by it, and are lost.
  static constexpr std::uint32_t kSink = 0xFFFFFFFFU;

  std::vector<std::uint32_t> first_input, first_output;  ///< by router, and one more
  std::vector<std::uint32_t> input_router, output_router;
  std::vector<std::uint32_t> input_from;            ///< channel, or kTerminal | terminal
  std::vector<std::uint32_t> output_to;             ///< channel, or kTerminal | terminal
  std::vector<std::uint16_t> input_number;          ///< port number at the router
  std::vector<std::uint16_t> output_number;         ///< port number at the router
  std::vector<std::uint32_t> input_of_channel;      ///< at the channel's target
  std::vector<std::uint32_t> output_of_channel;     ///< at the channel's source
  std::vector<std::uint32_t> input_of_terminal;     ///< where it injects
  std::vector<std::uint32_t> output_of_terminal;    ///< where it is fed
  std::uint32_t most_inputs = 0, most_outputs = 0;  ///< of one router
  bool sinks = false;                               ///< the last output of each router is one

  [[nodiscard]] std::uint32_t inputs() const { return static_cast<std::uint32_t>(input_router.size()); }
  [[nodiscard]] std::uint32_t outputs() const { return static_cast<std::uint32_t>(output_router.size()); }
  /// Position of an output among those of its router.
  [[nodiscard]] std::uint32_t local(std::uint32_t output) const {
    return output - first_output[output_router[output]];
  }
  /// Position of the router's sink; where there are `sinks`.
  [[nodiscard]] std::uint32_t local_sink(std::uint32_t router) const {
    return first_output[router + 1] - first_output[router] - 1;
  }
};

/// O((channels + terminals) log degree). With `sinks` each router has one more output.
Ports make_ports(const Network& network, bool sinks = false);

}  // namespace unknot::simulate
