// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/settings_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "unknot/simulate/allocate/switch_allocator.hpp"
#include "unknot/simulate/settings/settings_access.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/size.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::simulate {
namespace {

using Q = Quantity;
using enum ParameterKind;

constexpr double kMostCycles = 1e12;
constexpr double kMostFlits = 1e6;
constexpr double kMostLaneFlits = 32'767;  // ports share out more
constexpr double kMostNs = 1e9;
constexpr double kMostUs = 1e9;
constexpr double kSeeds = 18446744073709551615.0;  // more than that is no 64-bit number
constexpr double kBytesOfKb = 1024;

/// Steps of the stages before the switch where only their sum with the switch is given: the route is known
/// one hop ahead, so that a lane takes a head every other step and, at speedup 2, fills its link even with
/// packets of one flit.
constexpr std::uint32_t kRoutingOfSum = 0;
constexpr std::uint32_t kAllocationOfSum = 1;

std::vector<std::string> allocator_names() {
  std::vector<std::string> names;
  names.reserve(switch_allocators().size());
  for (const AllocatorRow& row : switch_allocators()) names.push_back(row.name);
  return names;
}

void put_bandwidth(Settings& s, const SettingValue& v, const Conversion&) {
  s.cycle_ns = s.flit_bytes * 8 / v.real;
}
void put_packet_bytes(Settings& s, const SettingValue& v, const Conversion& c) {
  const std::uint64_t flits = (v.whole + s.flit_bytes - 1) / s.flit_bytes;
  if (flits > 255) {
    throw InputError(fmt::format("'packet_bytes' is {}, which is {} flits of {} bytes, expected at most 255",
                                 v.whole, flits, s.flit_bytes));
  }
  s.packet_flits = static_cast<std::uint32_t>(flits);
  if (flits * s.flit_bytes != v.whole) {
    c.note(fmt::format("{} bytes are taken as {} whole flits of {} bytes", v.whole, flits, s.flit_bytes));
  }
}
void put_buffer_kb(Settings& s, const SettingValue& v, const Conversion& c) {
  const double flits = std::floor(v.real * kBytesOfKb / s.flit_bytes);
  if (flits < 1 || flits > kMostFlits) {
    throw InputError(fmt::format("'buffer_kb' is {}, which is {} flits of {} bytes, expected 1 to {}", v.real,
                                 flits, s.flit_bytes, kMostFlits));
  }
  if (flits * s.flit_bytes != v.real * kBytesOfKb)
    c.note(fmt::format("{} KB are taken as {} whole flits of {} bytes", v.real, flits, s.flit_bytes));
  if (c.decides(Q::input_buffer)) s.port_buffer = static_cast<std::uint32_t>(flits);
  if (c.decides(Q::output_buffer)) s.port_output_buffer = static_cast<std::uint32_t>(flits);
}
void put_switch_ns(Settings& s, const SettingValue& v, const Conversion& c) {
  const std::uint32_t before = kRoutingOfSum + 2 * kAllocationOfSum;
  const auto steps =
      static_cast<std::uint32_t>(c.pieces(v.real, "ns", step_ns(s), "steps", before + 1, 10'000));
  if (c.decides(Q::routing_delay)) s.routing_delay = kRoutingOfSum;
  if (c.decides(Q::vc_alloc_delay)) s.vc_alloc_delay = kAllocationOfSum;
  if (c.decides(Q::sw_alloc_delay)) s.sw_alloc_delay = kAllocationOfSum;
  if (c.decides(Q::st_delay)) s.st_delay = steps - before;
}

template <auto F>
void put_us(Settings& s, const SettingValue& v, const Conversion& c) {
  // 0 has a meaning of its own: a short time is not rounded to it.
  const std::uint64_t least = v.real > 0 ? 1 : 0;
  s.*F = c.pieces(v.real, "us", s.cycle_ns / 1000, "cycles", least, static_cast<std::uint64_t>(kMostCycles));
}

using S = Settings;

std::vector<SettingKey> make_keys() {
  using namespace settings_access;
  const auto parameter = [](const char* name, ParameterKind kind, const char* help, const char* fallback,
                            double min,
                            double max) { return Parameter{name, kind, help, fallback, min, max}; };
  const auto choice = [](const char* name, const char* help, std::vector<std::string> choices) {
    return Parameter{name, text, help, choices.front(), 0, 0, choices};
  };
  return {
      {choice("router", "where flits wait for their channel", {"input-queued", "input-output-queued"}),
       "",
       {Q::router},
       put_name<&S::router>,
       get_name<&S::router>},
      {choice("switching",
              "when the head of a packet may move on: at room for a flit, or for the whole packet",
              {"wormhole", "virtual-cut-through"}),
       "",
       {Q::switching},
       put_name<&S::switching>,
       get_name<&S::switching>},
      {choice("arbitration",
              "what the switch and channels are given for: a flit, or a packet, whose flits then follow each "
              "other",
              {"flits", "packets"}),
       "",
       {Q::arbitration},
       put_name<&S::arbitration>,
       get_name<&S::arbitration>},
      {parameter("vcs", number, "virtual channels (lanes) of a port; 0: as many as the routing needs", "4", 0,
                 32),
       "",
       {Q::vcs},
       put<&S::vcs>,
       get<&S::vcs>},
      {choice(
           "priority",
           "who goes first where several packets want the same: each in turn, the oldest, or with --messages "
           "those of the highest virtual network",
           {"none", "age", "class"}),
       "",
       {Q::priority},
       put_name<&S::priority>,
       get_name_unless_first<&S::priority>},
      {choice("speeds", "what links carry: all the same, or the capacity that the fabric states for them",
              {"base", "stated"}),
       "",
       {Q::speeds},
       put_name<&S::speeds>,
       get_name_unless_first<&S::speeds>},
      {choice("sw_allocator", "which inputs send to which outputs of a switch that is given to flits",
              allocator_names()),
       "",
       {Q::sw_allocator},
       put_allocator<&S::sw_allocator>,
       get_allocator<&S::sw_allocator>},
      {parameter("sw_iterations", number, "rounds of sw_allocator islip and pim", "1", 1, 64),
       "",
       {Q::sw_iterations},
       put_iterations<&S::sw_allocator>,
       get_iterations<&S::sw_allocator>},
      {choice("vc_allocator", "which packets get which lanes of the outputs", allocator_names()),
       "",
       {Q::vc_allocator},
       put_allocator<&S::vc_allocator>,
       get_allocator<&S::vc_allocator>},
      {parameter("vc_iterations", number, "rounds of vc_allocator islip and pim", "1", 1, 64),
       "",
       {Q::vc_iterations},
       put_iterations<&S::vc_allocator>,
       get_iterations<&S::vc_allocator>},
      {parameter("speedup", number, "steps of a router's core in a cycle", "1", 1, 8),
       "",
       {Q::speedup},
       put<&S::speedup>,
       get<&S::speedup>},
      {parameter("flit_bytes", number, "payload of a flit", "8", 1, 1e6),
       "bytes",
       {Q::flit},
       put<&S::flit_bytes>,
       get<&S::flit_bytes>},
      {parameter("cycle_ns", real, "time of a flit on a link of base speed", "1", 1e-6, kMostNs),
       "ns",
       {Q::cycle},
       put<&S::cycle_ns>,
       get<&S::cycle_ns>},
      {parameter("bandwidth_gbps", real, "speed of links: a cycle is flit_bytes * 8 / bandwidth_gbps", "",
                 1e-3, 1e6),
       "Gb/s",
       {Q::cycle},
       put_bandwidth},
      {parameter("packet_flits", number, "length of packets", "1", 1, 255),
       "flits",
       {Q::packet},
       put<&S::packet_flits>,
       get<&S::packet_flits>},
      {parameter("packet_bytes", number, "length of packets, in whole flits", "", 1, 255e6),
       "bytes",
       {Q::packet},
       put_packet_bytes},
      {parameter("vc_buffer", number, "input buffer of a lane", "8", 1, kMostLaneFlits),
       "flits",
       {Q::input_buffer},
       put_lane_buffer<&S::vc_buffer, &S::port_buffer>,
       get_unless<&S::vc_buffer, &S::port_buffer>},
      {parameter("port_buffer", number, "input buffers of a port, shared out among its lanes", "", 1,
                 kMostFlits),
       "flits",
       {Q::input_buffer},
       put<&S::port_buffer>,
       get_if_set<&S::port_buffer>},
      {parameter("output_buffer", number, "output buffer of a lane, where the router has them", "8", 1,
                 kMostLaneFlits),
       "flits",
       {Q::output_buffer},
       put_lane_buffer<&S::output_buffer, &S::port_output_buffer>,
       get_unless<&S::output_buffer, &S::port_output_buffer>},
      {parameter("port_output_buffer", number, "output buffers of a port, shared out among its lanes", "", 1,
                 kMostFlits),
       "flits",
       {Q::output_buffer},
       put<&S::port_output_buffer>,
       get_if_set<&S::port_output_buffer>},
      {parameter("buffer_kb", real, "buffers of a port in each direction, shared out among its lanes", "",
                 1e-3, 1e9),
       "KB of 1024 bytes",
       {Q::input_buffer, Q::output_buffer},
       put_buffer_kb},
      {parameter("routing_delay", number, "routing of a head; 0: done one hop ahead", "1", 0, 1000),
       "steps",
       {Q::routing_delay},
       put<&S::routing_delay>,
       get<&S::routing_delay>},
      {parameter("vc_alloc_delay", number, "allocation of a lane", "1", 1, 1000),
       "steps",
       {Q::vc_alloc_delay},
       put<&S::vc_alloc_delay>,
       get<&S::vc_alloc_delay>},
      {parameter("sw_alloc_delay", number, "allocation of the switch", "1", 1, 1000),
       "steps",
       {Q::sw_alloc_delay},
       put<&S::sw_alloc_delay>,
       get<&S::sw_alloc_delay>},
      {parameter("st_delay", number, "traversal of the switch", "1", 1, 10'000),
       "steps",
       {Q::st_delay},
       put<&S::st_delay>,
       get<&S::st_delay>},
      {parameter("switch_ns", real,
                 "all stages of a router: routing 0, each allocation 1 step, the rest traversal", "", 1e-6,
                 kMostNs),
       "ns",
       {Q::routing_delay, Q::vc_alloc_delay, Q::sw_alloc_delay, Q::st_delay},
       put_switch_ns},
      {parameter("link_latency", number, "latency of links between routers, on the grid of cycles", "1", 1,
                 65'535),
       "cycles",
       {Q::link_latency},
       put_cycles<&S::link_latency, &S::link_steps>,
       get_unless<&S::link_latency, &S::link_steps>},
      {parameter("link_steps", number, "latency of links between routers, off the grid of cycles", "", 1,
                 65'535),
       "steps",
       {Q::link_latency},
       put_steps<&S::link_latency, &S::link_steps>,
       get_if_set<&S::link_steps>},
      {parameter("link_ns", real, "latency of links between routers, in whole steps", "", 1e-6, kMostNs),
       "ns",
       {Q::link_latency},
       put_ns<&S::link_latency, &S::link_steps>},
      {parameter("terminal_latency", number, "latency of links of terminals, on the grid of cycles", "1", 1,
                 65'535),
       "cycles",
       {Q::terminal_latency},
       put_cycles<&S::terminal_latency, &S::terminal_steps>,
       get_unless<&S::terminal_latency, &S::terminal_steps>},
      {parameter("terminal_steps", number, "latency of links of terminals, off the grid of cycles", "", 1,
                 65'535),
       "steps",
       {Q::terminal_latency},
       put_steps<&S::terminal_latency, &S::terminal_steps>,
       get_if_set<&S::terminal_steps>},
      {parameter("terminal_ns", real, "latency of links of terminals, in whole steps", "", 1e-6, kMostNs),
       "ns",
       {Q::terminal_latency},
       put_ns<&S::terminal_latency, &S::terminal_steps>},
      {parameter("credit_delay", number, "from a credit's arrival until the router sees it", "1", 0, 1000),
       "cycles",
       {Q::credit_delay},
       put<&S::credit_delay>,
       get<&S::credit_delay>},
      {parameter("send_queue", number, "with --messages: what a host has to send on a virtual network", "4",
                 1, 10'000),
       "packets",
       {Q::send_queue},
       put<&S::send_queue>,
       get_unless_usual<&S::send_queue, S::kQueue>},
      {parameter("receive_queue", number,
                 "with --messages: what has come to a host on a virtual network and is not taken yet", "4", 1,
                 10'000),
       "packets",
       {Q::receive_queue},
       put<&S::receive_queue>,
       get_unless_usual<&S::receive_queue, S::kQueue>},
      {parameter("service", number, "with --messages: from taking a message to having what it causes", "1", 0,
                 1'000'000),
       "cycles",
       {Q::service},
       put<&S::service>,
       get_unless_usual<&S::service, S::kService>},
      {parameter(
           "ecn_threshold", number,
           "flits that wait for an output where packets are marked, whose senders slow down; 0: none are",
           "0", 0, kMostFlits),
       "flits",
       {Q::ecn_threshold},
       put<&S::ecn_threshold>,
       get_if_set<&S::ecn_threshold>},
      {parameter("ecn_delay", number, "from the arrival of a marked packet until its sender knows", "100", 0,
                 1'000'000),
       "cycles",
       {Q::ecn_delay},
       put<&S::ecn_delay>,
       get_unless_usual<&S::ecn_delay, S::kNoticeDelay>},
      {parameter("ecn_timer", number, "after which a sender is held back an eighth of a halving less", "500",
                 1, 1'000'000'000),
       "cycles",
       {Q::ecn_timer},
       put<&S::ecn_timer>,
       get_unless_usual<&S::ecn_timer, S::kThrottleTimer>},
      {parameter("seed", number, "of all random numbers", "1", 0, kSeeds),
       "",
       {Q::seed},
       put<&S::seed>,
       get<&S::seed>},
      {parameter("warmup", number, "before measuring; 0: found by the run itself", "0", 0, kMostCycles),
       "cycles",
       {Q::warmup},
       put<&S::warmup>,
       get<&S::warmup>},
      {parameter("warmup_us", real, "before measuring, in whole cycles; 0: found by the run itself", "", 0,
                 kMostUs),
       "us",
       {Q::warmup},
       put_us<&S::warmup>},
      {parameter("measure", number, "in which the measured packets are created", "10000", 1, kMostCycles),
       "cycles",
       {Q::measure},
       put<&S::measure>,
       get<&S::measure>},
      {parameter("measure_us", real, "in which the measured packets are created, in whole cycles", "", 1e-9,
                 kMostUs),
       "us",
       {Q::measure},
       put_us<&S::measure>},
      {parameter("drain", number, "most cycles after measuring; 0: ten times warm-up and measuring", "0", 0,
                 kMostCycles),
       "cycles",
       {Q::drain},
       put<&S::drain>,
       get<&S::drain>},
      {parameter("drain_us", real, "most time after measuring, in whole cycles", "", 0, kMostUs),
       "us",
       {Q::drain},
       put_us<&S::drain>},
  };
}

[[noreturn]] void refuse(const Parameter& key, std::string_view given) {
  throw InputError(fmt::format("'{}' is {}, expected {}", key.name, shown(given), range_text(key)));
}

}  // namespace

std::uint64_t Conversion::pieces(double amount, const char* unit, double piece, const char* piece_name,
                                 std::uint64_t least, std::uint64_t most) const {
  const double exact = amount / piece;
  const double whole = std::round(exact);
  if (!(whole >= static_cast<double>(least) && whole <= static_cast<double>(most))) {
    throw InputError(fmt::format("'{}' is {} {}, which is {:.6g} {} of {:.6g} {}, expected {} to {} {}", key_,
                                 amount, unit, exact, piece_name, piece, unit, least, most, piece_name));
  }
  // A part in 10^9 is the noise of decimal numbers, and nobody's rounding.
  if (std::abs(exact - whole) > 1e-9 * exact) {
    note(fmt::format("{} {} are {:.6g} {} of {:.6g} {}, taken as {} ({:.6g} {}, {:+.2g} %)", amount, unit,
                     exact, piece_name, piece, unit, whole, whole * piece, unit,
                     100 * (whole - exact) / exact));
  }
  return static_cast<std::uint64_t>(whole);
}

void Conversion::note(const std::string& sentence) const {
  notes_->push_back(fmt::format("{}: {}", key_, sentence));
}

const std::vector<SettingKey>& setting_keys() {
  static const std::vector<SettingKey> keys = make_keys();
  return keys;
}

const SettingKey& find_setting(std::string_view name) {
  std::vector<std::string> names;
  for (const SettingKey& key : setting_keys()) {
    if (key.parameter.name == name) return key;
    names.push_back(key.parameter.name);
  }
  throw InputError(fmt::format("unknown key '{}'; {}", shown(name), near_or_all_names(name, names)));
}

SettingValue setting_value(const SettingKey& key, std::string_view given) {
  const Parameter& p = key.parameter;
  SettingValue value;
  value.text = given;
  if (p.kind == text) {
    if (std::find(p.choices.begin(), p.choices.end(), given) == p.choices.end())
      refuse(p, fmt::format("'{}'", given));
    return value;
  }
  bool read = false;
  if (p.kind == number) {
    const auto whole = size_in(given);
    read = whole.has_value();
    value.whole = whole.value_or(0);
    value.real = static_cast<double>(value.whole);
  } else {
    const auto decimal = number_in<double>(given);
    read = decimal.has_value();
    value.real = decimal.value_or(0);
  }
  if (!read || !(value.real >= p.min && value.real <= p.max)) refuse(p, given.empty() ? "empty" : given);
  return value;
}

SettingValue setting_value(const SettingKey& key, std::int64_t given) {
  return setting_value(key, std::to_string(given));
}

SettingValue setting_value(const SettingKey& key, double given) {
  if (key.parameter.kind == real) return setting_value(key, fmt::format("{}", given));
  refuse(key.parameter, settings_access::decimal(given));
}

std::string range_text(const Parameter& p) {
  if (p.kind == text) return fmt::format("{}", fmt::join(p.choices, " or "));
  const char* what = p.kind == number ? "whole number" : "number";
  if (p.max >= kSeeds) return fmt::format("a {} of at most 64 bits", what);
  const auto bound = [](double value) {
    return value == std::floor(value) && value < 1e15 ? fmt::format("{}", static_cast<std::int64_t>(value))
                                                      : fmt::format("{}", value);
  };
  return fmt::format("a {} from {} to {}", what, bound(p.min), bound(p.max));
}

}  // namespace unknot::simulate
