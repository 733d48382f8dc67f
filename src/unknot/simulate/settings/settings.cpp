// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings_keys.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kMostLinkTime = 65'535;

using Trouble = std::optional<SettingsTrouble>;

/// Every number against the range of its key: settings may have been made by hand.
Trouble range_trouble(const Settings& s) {
  const auto outside = [](const char* name, double value) -> Trouble {
    const Parameter& key = find_setting(name).parameter;
    if (value >= key.min && value <= key.max) return std::nullopt;
    return SettingsTrouble{name, fmt::format("'{}' is {}, expected {}", name, value, range_text(key))};
  };
  struct Field {
    const char* name;
    double value;
  };
  const auto real = [](std::uint64_t value) { return static_cast<double>(value); };
  for (const Field& field : {Field{"vcs", real(s.vcs)},
                             {"vc_buffer", real(s.vc_buffer)},
                             {"output_buffer", real(s.output_buffer)},
                             {"packet_flits", real(s.packet_flits)},
                             {"speedup", real(s.speedup)},
                             {"routing_delay", real(s.routing_delay)},
                             {"vc_alloc_delay", real(s.vc_alloc_delay)},
                             {"sw_alloc_delay", real(s.sw_alloc_delay)},
                             {"st_delay", real(s.st_delay)},
                             {"link_latency", real(s.link_latency)},
                             {"terminal_latency", real(s.terminal_latency)},
                             {"credit_delay", real(s.credit_delay)},
                             {"send_queue", real(s.send_queue)},
                             {"receive_queue", real(s.receive_queue)},
                             {"service", real(s.service)},
                             {"ecn_threshold", real(s.ecn_threshold)},
                             {"ecn_delay", real(s.ecn_delay)},
                             {"ecn_timer", real(s.ecn_timer)},
                             {"warmup", real(s.warmup)},
                             {"measure", real(s.measure)},
                             {"drain", real(s.drain)},
                             {"cycle_ns", s.cycle_ns},
                             {"flit_bytes", real(s.flit_bytes)}}) {
    if (Trouble t = outside(field.name, field.value)) return t;
  }
  return std::nullopt;
}

Trouble iterations_trouble(std::string_view what, const Allocator& allocator) {
  if (allocator.iterations == 1 || allocator.name == "islip" || allocator.name == "pim") return std::nullopt;
  return SettingsTrouble{
      fmt::format("{}_iterations", what),
      fmt::format("{}_allocator = \"{}\" has no iterations: islip and pim have", what, allocator.name)};
}

/// Whether the share of a lane holds a packet, where it must.
Trouble buffer_trouble(const Settings& s) {
  if (s.switching != Switching::virtual_cut_through) return std::nullopt;
  struct Buffer {
    const char* key;
    const char* what;
    std::uint32_t lane, port;
    bool used;
  };
  for (const Buffer& buffer : {Buffer{"vc_buffer", "buffer", s.vc_buffer, s.port_buffer, true},
                               Buffer{"output_buffer", "output buffer", s.output_buffer, s.port_output_buffer,
                                      s.router == RouterKind::input_output_queued}}) {
    const bool shared_out_later = s.vcs == 0 && buffer.port != 0;
    if (!buffer.used || shared_out_later || buffer.lane >= s.packet_flits) continue;
    return SettingsTrouble{
        buffer.key, fmt::format("a lane's {} has {} flits and a packet {}: virtual cut-through needs room "
                                "for a whole packet",
                                buffer.what, buffer.lane, s.packet_flits)};
  }
  return std::nullopt;
}

/// Packets that are sent whole lie whole in output buffers.
Trouble arbitration_trouble(const Settings& s) {
  if (s.arbitration == Arbitration::flits) return std::nullopt;
  const auto needs = [](const char* what) {
    return SettingsTrouble{"arbitration", fmt::format("arbitration = \"packets\" needs {}", what)};
  };
  if (s.router != RouterKind::input_output_queued) return needs("router = \"input-output-queued\"");
  if (s.switching != Switching::virtual_cut_through) return needs("switching = \"virtual-cut-through\"");
  if (s.routing_delay > 1) return needs("a routing_delay of 0 or 1");
  return std::nullopt;
}

Trouble class_trouble(const Settings& s) {
  for (const LinkClass& link : s.link_classes) {
    const auto wrong = [&](const std::string& sentence) {
      return SettingsTrouble{"link", fmt::format("link '{}': {}", link.match, sentence)};
    };
    if (const std::string selector = selector_trouble(link.match); !selector.empty())
      return SettingsTrouble{"link", selector};
    if (link.latency == 0 && link.period == 0) return wrong("neither latency nor speed is given");
    if (link.latency > kMostLinkTime)
      return wrong(fmt::format("a latency of {}, expected at most {}", link.latency, kMostLinkTime));
    if (link.period == 0) continue;
    if (link.period < s.speedup || link.period > kMostLinkTime) {
      return wrong(fmt::format("a flit takes {} steps of it, expected {} (the speedup) to {}", link.period,
                               s.speedup, kMostLinkTime));
    }
    if (s.link_steps == 0 && link.period % s.speedup != 0) {
      return wrong(
          fmt::format("a flit takes {} steps of it, which is no whole number of cycles; give link_steps "
                      "to leave the grid of cycles",
                      link.period));
    }
  }
  return std::nullopt;
}

std::uint32_t share(std::uint32_t port, std::uint32_t lanes, const char* what) {
  if (port < lanes) {
    throw InputError(
        fmt::format("{} flits of {} buffer a port leave none for some of {} lanes", port, what, lanes));
  }
  return port / lanes;
}

}  // namespace

Trouble trouble(const Settings& s) {
  if (Trouble t = range_trouble(s)) return t;
  if (s.link_steps > kMostLinkTime || s.terminal_steps > kMostLinkTime) {
    return SettingsTrouble{s.link_steps > kMostLinkTime ? "link_steps" : "terminal_steps",
                           fmt::format("a link takes more than {} steps", kMostLinkTime)};
  }
  if ((s.link_steps == 0) != (s.terminal_steps == 0)) {
    return SettingsTrouble{
        "link_steps",
        "of 'link_steps' and 'terminal_steps' one is 0: links leave the grid of cycles all or none"};
  }
  if (Trouble t = buffer_trouble(s)) return t;
  if (Trouble t = arbitration_trouble(s)) return t;
  const bool ranked = s.priority != Priority::none;
  if (ranked && s.router != RouterKind::input_queued) {
    return SettingsTrouble{
        "priority", fmt::format("priority = \"{}\" needs router = \"input-queued\"", name_of(s.priority))};
  }
  if (ranked && s.named_allocator()) {
    return SettingsTrouble{"priority",
                           fmt::format("priority = \"{0}\" pairs inputs and outputs by {0}, and takes no "
                                       "sw_allocator or vc_allocator",
                                       name_of(s.priority))};
  }
  if (s.ecn_threshold != 0 && s.arbitration == Arbitration::packets) {
    return SettingsTrouble{"ecn_threshold", "ecn_threshold needs arbitration = \"flits\""};
  }
  if (s.ecn_threshold == 0 &&
      (s.ecn_delay != Settings::kNoticeDelay || s.ecn_timer != Settings::kThrottleTimer)) {
    const char* const key = s.ecn_delay != Settings::kNoticeDelay ? "ecn_delay" : "ecn_timer";
    return SettingsTrouble{key, fmt::format("{} does nothing without ecn_threshold", key)};
  }
  if (Trouble t = iterations_trouble("sw", s.sw_allocator)) return t;
  if (Trouble t = iterations_trouble("vc", s.vc_allocator)) return t;
  return class_trouble(s);
}

void check(const Settings& settings) {
  if (const Trouble t = trouble(settings)) throw InputError(t->sentence);
}

Settings for_lanes(Settings settings, std::uint32_t lanes) {
  constexpr std::uint32_t kMostLanes = 32;  // of 'vcs'
  if (lanes > kMostLanes) {
    throw InputError(fmt::format("the routing needs {} lanes, and a port is simulated with at most {}", lanes,
                                 kMostLanes));
  }
  if (settings.vcs == 0) settings.vcs = lanes;
  if (settings.vcs < lanes) {
    throw InputError(
        fmt::format("the routing needs {} lanes and 'vcs' is {}; give at least {}, or 0 for as many "
                    "as are needed",
                    lanes, settings.vcs, lanes));
  }
  if (settings.port_buffer != 0) settings.vc_buffer = share(settings.port_buffer, settings.vcs, "input");
  if (settings.port_output_buffer != 0)
    settings.output_buffer = share(settings.port_output_buffer, settings.vcs, "output");
  check(settings);
  return settings;
}

const char* name_of(RouterKind kind) {
  return kind == RouterKind::input_queued ? "input-queued" : "input-output-queued";
}
const char* name_of(Switching switching) {
  return switching == Switching::wormhole ? "wormhole" : "virtual-cut-through";
}
const char* name_of(Priority priority) {
  switch (priority) {
    case Priority::age:
      return "age";
    case Priority::network:
      return "class";
    case Priority::none:
      break;
  }
  return "none";
}
const char* name_of(Speeds speeds) {
  return speeds == Speeds::base ? "base" : "stated";
}
const char* name_of(Arbitration arbitration) {
  return arbitration == Arbitration::flits ? "flits" : "packets";
}

}  // namespace unknot::simulate
