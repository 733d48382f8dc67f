// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/topology_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Kind = FabricDraft::Kind;

constexpr std::uint32_t kMostDevices = 1U << 22;

/// "P1 -4x-5G-> MTS2400 SW2 P7" under the line of its system.
struct PortLine {
  std::string_view port;
  LinkArrow arrow;
  std::string_view peer_type, peer, peer_port;
};

std::string_view next_word(Cursor& cursor) {
  cursor.skip_blanks();
  return cursor.word();
}

std::optional<PortLine> port_line(std::string_view line) {
  Cursor cursor(line);
  PortLine result;
  result.port = next_word(cursor);
  const auto arrow = link_arrow(next_word(cursor));
  result.peer_type = next_word(cursor);
  result.peer = next_word(cursor);
  result.peer_port = next_word(cursor);
  if (!arrow || result.peer_port.empty() || !next_word(cursor).empty()) return std::nullopt;
  result.arrow = *arrow;
  return result;
}

/// "MTS9600 core1 CFG: leaf3=R": type and name, and what follows CFG:.
struct SystemLine {
  std::string_view type, name, configuration;
};

std::optional<SystemLine> system_line(std::string_view line) {
  Cursor cursor(line);
  SystemLine result;
  result.type = next_word(cursor);
  result.name = next_word(cursor);
  cursor.skip_blanks();
  if (result.name.empty()) return std::nullopt;
  for (const std::string_view word : {result.type, result.name}) {
    if (word.find_first_of("/{}()[]<>\"',;=") != std::string_view::npos) return std::nullopt;
  }
  if (cursor.eat("CFG:")) {
    result.configuration = cursor.rest();
  } else if (!cursor.at_end()) {
    return std::nullopt;
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, SystemModels& models)
      : lines_(text, name), models_(models) {
    draft_.files.push_back(name);
    draft_.one_end_is_enough = true;
    while (lines_.next()) read_line();
    if (systems_.empty()) throw InputError(fmt::format("{}: no system in this file", name));
    for (System& system : systems_) add_devices(system);
    if (draft_.devices.empty()) {
      fail(systems_[0].line,
           fmt::format("no system of this file has a device in it; see {}", systems_[0].plan->file));
    }
    for (const Cable& cable : cables_) add_cable(cable);
    group_ends(draft_);
  }
  FabricDraft take() { return std::move(draft_); }

 private:
  struct System {
    std::string type, name;
    BoardVariants variants;
    std::uint32_t line = 0;
    bool configured = false;
    const SystemPlan* plan = nullptr;
    std::uint32_t first_device = 0;
  };
  struct Cable {
    std::uint32_t system, peer;
    PortLine stated;
    std::uint32_t line;
  };

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(lines_.file(), line, message);
  }

  void read_line() {
    const std::string_view line = trimmed(lines_.line());
    if (line.empty()) {
      current_ = kNone;
      return;
    }
    if (line.starts_with('#')) return;
    if (const auto port = port_line(line)) {
      if (current_ == kNone) {
        lines_.fail(
            "a port outside of a system: expected its type and name on a line before, and no empty one "
            "between");
      }
      cables_.push_back({current_, system_index(port->peer_type, port->peer), *port, lines_.number()});
      return;
    }
    const auto system = system_line(line);
    if (!system) {
      lines_.fail(
          fmt::format("expected a system (TYPE NAME), or a port of it (P1 -4x-5G-> TYPE NAME P1), not '{}'",
                      shown(line)));
    }
    current_ = system_index(system->type, system->name);
    if (!system->configuration.empty()) read_configuration(systems_[current_], system->configuration);
  }

  /// A system is known from the first line that names it, be it as the far end of a cable.
  std::uint32_t system_index(std::string_view type, std::string_view name) {
    const auto [found, is_new] = index_.try_emplace(name, static_cast<std::uint32_t>(systems_.size()));
    if (is_new) {
      systems_.push_back({std::string(type), std::string(name), {}, lines_.number()});
      return found->second;
    }
    const System& known = systems_[found->second];
    if (known.type != type && !models_.same(known.type, std::string(type))) {
      lines_.fail(fmt::format("the system \"{}\" is of type {} here but of type {} on line {}", shown(name),
                              shown(type), shown(known.type), known.line));
    }
    return found->second;
  }

  void read_configuration(System& system, std::string_view text) {
    BoardVariants variants;
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      more = comma != std::string_view::npos;
      const std::string_view pair = trimmed(text.substr(0, comma));
      text = more ? text.substr(comma + 1) : std::string_view();
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size()) {
        lines_.fail(fmt::format("expected boards such as leaf3=R after CFG:, not '{}'", shown(pair)));
      }
      const auto [found, is_new] =
          variants.emplace(std::string(trimmed(pair.substr(0, equals))), trimmed(pair.substr(equals + 1)));
      if (!is_new) lines_.fail(fmt::format("the board '{}' is configured twice", shown(found->first)));
    }
    if (system.configured && system.variants != variants) {
      lines_.fail(fmt::format("the system \"{}\" is configured twice, differently", shown(system.name)));
    }
    system.configured = true;
    system.variants = std::move(variants);
  }

  const SystemPlan& plan_of(const System& system) {
    try {
      return models_.plan(system.type, system.variants);
    } catch (const InputError& error) {
      // Those of an IBNL file say where it is.
      if (error.line() != 0) throw;
      fail(system.line, error.what());
    }
  }

  void add_devices(System& system) {
    system.plan = &plan_of(system);
    system.first_device = static_cast<std::uint32_t>(draft_.devices.size());
    if (system.plan->devices.size() > kMostDevices - system.first_device) {
      fail(system.line, fmt::format("more than {} devices in this file", kMostDevices));
    }
    const FabricDraft::Place place{0, system.line};
    for (const SystemPlan::Device& planned : system.plan->devices) {
      FabricDraft::Device device;
      device.id = draft_.texts.emplace_back(system.name + "/" + planned.name);
      device.name = device.id;
      device.kind = planned.is_switch ? Kind::router : Kind::adapter;
      device.ports = planned.ports;
      device.place = place;
      device.guid = guids_.next(device.kind, device.ports);
      draft_.devices.push_back(device);
    }
    const std::uint32_t file = file_index(system.plan->file);
    for (const SystemPlan::Link& link : system.plan->links) {
      add_end(system, link.a, system, link.b, rate_of(link.arrow), {file, link.line});
    }
  }

  std::uint32_t file_index(const std::string& file) {
    const auto [found, is_new] = file_of_.try_emplace(file, static_cast<std::uint32_t>(draft_.files.size()));
    if (is_new) draft_.files.push_back(file);
    return found->second;
  }

  void add_end(const System& from, const SystemPlan::Port& port, const System& to,
               const SystemPlan::Port& peer, LinkRate rate, FabricDraft::Place place) {
    FabricDraft::End end;
    end.device = from.first_device + port.device;
    end.port = port.number;
    end.peer = to.first_device + peer.device;
    end.peer_port = peer.number;
    end.rate = rate;
    end.place = place;
    draft_.ends.push_back(end);
  }

  const SystemPlan::Port& panel_port(const System& system, std::string_view port, std::uint32_t line) const {
    const auto& ports = system.plan->ports;
    const auto found = ports.find(port);
    if (found != ports.end()) return found->second;
    constexpr std::size_t kListed = 24;
    std::vector<std::string> names;
    names.reserve(ports.size());
    for (const auto& [name, unused] : ports) names.push_back(name);
    const std::string near =
        names.size() > kListed ? near_names(port, names) : near_or_all_names(port, names);
    fail(line,
         fmt::format("the system \"{}\" ({}) has no port '{}'{}", shown(system.name), shown(system.type),
                     shown(port), near.empty() ? "; see " + system.plan->file : "; " + near));
  }

  /// What the line states, else what both ports do: one of them alone may be faster than the other.
  static LinkRate cable_rate(const LinkArrow& stated, const LinkArrow& port, const LinkArrow& peer) {
    const LinkRate rate = rate_of(stated);
    if (rate != 0) return rate;
    return rate_of(port) == rate_of(peer) ? rate_of(port) : LinkRate{0};
  }

  void add_cable(const Cable& cable) {
    const System& from = systems_[cable.system];
    const System& to = systems_[cable.peer];
    const SystemPlan::Port& port = panel_port(from, cable.stated.port, cable.line);
    const SystemPlan::Port& peer = panel_port(to, cable.stated.peer_port, cable.line);
    add_end(from, port, to, peer, cable_rate(cable.stated.arrow, port.arrow, peer.arrow), {0, cable.line});
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  Lines lines_;
  SystemModels& models_;
  FabricDraft draft_;
  std::vector<System> systems_;
  std::vector<Cable> cables_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::unordered_map<std::string, std::uint32_t> file_of_;
  std::uint32_t current_ = kNone;
  SystematicGuids guids_;
};

}  // namespace

Network read_topology_file(std::string_view text, const std::string& name, SystemModels& models) {
  return assemble(Reader(text, name, models).take());
}

Network read_topology_file(std::string_view text, const std::string& name) {
  SystemModels models(system_model_folders(name));
  return read_topology_file(text, name, models);
}

bool looks_like_topology_file(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  bool system = false;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.starts_with('#')) continue;
    if (port_line(line)) return system;
    if (!system_line(line)) return false;
    system = true;
  }
  return false;
}

}  // namespace unknot
