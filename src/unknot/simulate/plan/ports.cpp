// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/ports.hpp"

#include <algorithm>
#include <utility>

namespace unknot::simulate {
namespace {

using Numbered = std::vector<std::pair<std::uint16_t, std::uint32_t>>;  // port number, channel or terminal

/// Appends the router's ports in order of their numbers; `of_channel` and `of_terminal` learn where they are.
void append(Numbered& ports, std::uint32_t router, std::vector<std::uint32_t>& routers,
            std::vector<std::uint32_t>& ends, std::vector<std::uint16_t>& numbers,
            std::vector<std::uint32_t>& of_channel, std::vector<std::uint32_t>& of_terminal) {
  std::sort(ports.begin(), ports.end());
  for (const auto& [number, end] : ports) {
    const auto port = static_cast<std::uint32_t>(routers.size());
    if ((end & Ports::kTerminal) != 0) {
      of_terminal[end & ~Ports::kTerminal] = port;
    } else {
      of_channel[end] = port;
    }
    routers.push_back(router);
    ends.push_back(end);
    numbers.push_back(number);
  }
}

}  // namespace

Ports make_ports(const Network& network, bool sinks) {
  Ports ports;
  ports.sinks = sinks;
  const std::size_t all = std::size_t{network.channel_count()} + network.terminal_count();
  for (auto* list : {&ports.input_router, &ports.output_router, &ports.input_from, &ports.output_to}) {
    list->reserve(all);
  }
  for (auto* list : {&ports.input_number, &ports.output_number}) list->reserve(all);
  for (auto* list : {&ports.input_of_channel, &ports.output_of_channel})
    list->resize(network.channel_count());
  for (auto* list : {&ports.input_of_terminal, &ports.output_of_terminal}) {
    list->resize(network.terminal_count());
  }
  Numbered in, out;
  for (const RouterId r : network.routers()) {
    ports.first_input.push_back(ports.inputs());
    ports.first_output.push_back(ports.outputs());
    in.clear();
    out.clear();
    for (const ChannelId c : network.in(r)) in.emplace_back(network.target_port(c), c.value);
    for (const ChannelId c : network.out(r)) out.emplace_back(network.source_port(c), c.value);
    for (const TerminalId t : network.terminals_at(r)) {
      if (network.further_address(t)) continue;
      in.emplace_back(network.terminal_port(t), Ports::kTerminal | t.value);
      out.emplace_back(network.terminal_port(t), Ports::kTerminal | t.value);
    }
    append(in, r.value, ports.input_router, ports.input_from, ports.input_number, ports.input_of_channel,
           ports.input_of_terminal);
    append(out, r.value, ports.output_router, ports.output_to, ports.output_number, ports.output_of_channel,
           ports.output_of_terminal);
    for (const TerminalId t : network.terminals_at(r)) {
      if (!network.further_address(t)) continue;
      ports.input_of_terminal[t.value] = ports.input_of_terminal[t.value - 1];
      ports.output_of_terminal[t.value] = ports.output_of_terminal[t.value - 1];
    }
    if (sinks) {
      ports.output_router.push_back(r.value);
      ports.output_to.push_back(Ports::kSink);
      ports.output_number.push_back(0);
    }
    ports.most_inputs = std::max(ports.most_inputs, static_cast<std::uint32_t>(in.size()));
    ports.most_outputs =
        std::max(ports.most_outputs, static_cast<std::uint32_t>(out.size()) + (sinks ? 1 : 0));
  }
  ports.first_input.push_back(ports.inputs());
  ports.first_output.push_back(ports.outputs());
  return ports;
}

}  // namespace unknot::simulate
