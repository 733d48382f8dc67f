// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/settings_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "unknot/simulate/settings/presets.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint64_t kMostLinkTime = 65'535;

/// An entry and the layer it is from.
struct Decision {
  const SettingsLayer* layer = nullptr;
  const SettingsLayer::Entry* entry = nullptr;
};
using Decided = std::array<Decision, kQuantities>;

/// Does something for a key and says where the key was if that is refused.
template <class Action>
void at(const SettingsLayer& layer, std::size_t line, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    throw InputError(layer.place(line) + error.what());
  }
}

/// How many steps a flit takes of a link that has `part` of the base speed.
std::uint32_t period_of(double part, const Settings& s, const std::string& what,
                        std::vector<std::string>& notes) {
  const double unit = s.link_steps == 0 ? s.speedup : 1;  // on the grid whole cycles
  const double exact = s.speedup / part;
  const double whole = std::max<double>(s.speedup, std::round(exact / unit) * unit);
  if (whole > kMostLinkTime) throw InputError(fmt::format("{} is too slow", what));
  if (std::abs(whole - exact) > 1e-9 * exact) {
    notes.push_back(
        fmt::format("{}: a flit takes {:.6g} steps, taken as {} ({:.4g} of the base speed, not {:.4g})", what,
                    exact, whole, s.speedup / whole, part));
  }
  return static_cast<std::uint32_t>(whole);
}

LinkClass link_class(const LinkRow& row, const Settings& s, std::vector<std::string>& notes) {
  const std::string what = fmt::format("link '{}'", row.match);
  const bool on_grid = s.link_steps == 0;
  LinkClass link{row.match};
  double latency = row.latency;
  switch (row.latency_kind) {
    case LinkRow::Latency::none:
      break;
    case LinkRow::Latency::cycles:
      if (!on_grid) latency *= s.speedup;
      break;
    case LinkRow::Latency::steps:
      if (on_grid) {
        throw InputError(
            fmt::format("{}: its latency is in steps and that of other links in cycles; give "
                        "'link_steps' too, or 'latency'",
                        what));
      }
      break;
    case LinkRow::Latency::ns: {
      const Conversion conversion(notes, what, 0);
      latency = static_cast<double>(conversion.pieces(row.latency, "ns", on_grid ? s.cycle_ns : step_ns(s),
                                                      on_grid ? "cycles" : "steps", 1, kMostLinkTime));
      break;
    }
  }
  if (latency > kMostLinkTime) {
    throw InputError(
        fmt::format("{}: its latency is {} steps, expected at most {}", what, latency, kMostLinkTime));
  }
  link.latency = static_cast<std::uint32_t>(latency);
  switch (row.speed_kind) {
    case LinkRow::Speed::none:
      break;
    case LinkRow::Speed::bandwidth:
      link.period = period_of(row.speed, s, what, notes);
      break;
    case LinkRow::Speed::gbps: {
      const double base = s.flit_bytes * 8 / s.cycle_ns;
      if (row.speed > base * (1 + 1e-9)) {
        throw InputError(
            fmt::format("{}: {} Gb/s are more than the {:.6g} Gb/s of other links; the fastest links set "
                        "the base speed",
                        what, row.speed, base));
      }
      link.period = period_of(row.speed / base, s, what, notes);
      break;
    }
    case LinkRow::Speed::period:
      link.period = static_cast<std::uint32_t>(row.speed);
      break;
  }
  return link;
}

}  // namespace

void SettingsDraft::add(SettingsLayer layer) {
  if (!layer.preset.empty()) {
    if (!preset_.empty()) {
      throw InputError(fmt::format("{}'preset' is \"{}\", and {} is asked for already; give one of them",
                                   layer.place(layer.preset_line), layer.preset, preset_));
    }
    SettingsLayer below = preset_layer(layer.preset);
    preset_ = below.name;
    layers_.insert(layers_.begin(), std::move(below));
  } else if (layer.name.starts_with("preset ")) {
    if (!preset_.empty())
      throw InputError(fmt::format("{} and {} are asked for; give one of them", preset_, layer.name));
    preset_ = layer.name;
    layers_.insert(layers_.begin(), std::move(layer));
    return;
  }
  layers_.push_back(std::move(layer));
}

ResolvedSettings SettingsDraft::resolve() const {
  Decided decided{};
  for (const SettingsLayer& layer : layers_) {
    for (const SettingsLayer::Entry& entry : layer.entries) {
      for (const Quantity quantity : entry.key->decides)
        decided[static_cast<std::size_t>(quantity)] = {&layer, &entry};
    }
  }

  ResolvedSettings result;
  Settings& s = result.settings;
  for (const SettingKey& key : setting_keys()) {
    Decision decision;
    Quantities mine;
    for (std::size_t q = 0; q < kQuantities; ++q) {
      if (decided[q].entry == nullptr || decided[q].entry->key != &key) continue;
      decision = decided[q];
      mine.set(q);
    }
    if (mine.none()) continue;
    at(*decision.layer, decision.entry->line,
       [&] { key.set(s, decision.entry->value, Conversion(result.notes, key.parameter.name, mine)); });
  }
  // Links leave the grid of cycles all or none; whole cycles are whole steps.
  if (s.link_steps != 0 && s.terminal_steps == 0) s.terminal_steps = s.terminal_latency * s.speedup;
  if (s.terminal_steps != 0 && s.link_steps == 0) s.link_steps = s.link_latency * s.speedup;
  if (s.link_steps != 0) s.link_latency = s.terminal_latency = 1;
  if (s.vcs != 0 && s.port_buffer + s.port_output_buffer != 0) {
    // Shared out as for_lanes() does: what is too small is said with the key's place.
    for (const auto& [port, lane, quantity] :
         {std::tuple{s.port_buffer, &s.vc_buffer, Quantity::input_buffer},
          std::tuple{s.port_output_buffer, &s.output_buffer, Quantity::output_buffer}}) {
      if (port == 0) continue;
      const Decision& decision = decided[static_cast<std::size_t>(quantity)];
      if (port < s.vcs) {
        throw InputError(fmt::format(
            "{}'{}' is {} flits for a port of {} lanes, expected at least one for each",
            decision.layer->place(decision.entry->line), decision.entry->key->parameter.name, port, s.vcs));
      }
      *lane = port / s.vcs;
    }
  }
  if (const auto wrong = trouble(s)) {
    Decision decision;
    for (const SettingKey& key : setting_keys()) {
      if (key.parameter.name == wrong->key) decision = decided[static_cast<std::size_t>(key.decides.front())];
    }
    const std::string place = decision.entry != nullptr ? decision.layer->place(decision.entry->line)
                              : layers_.empty()         ? ""
                                                        : layers_.back().place(0);
    throw InputError(place + wrong->sentence);
  }
  // Now all that can still be wrong is wrong with a link class.
  for (const SettingsLayer& layer : layers_) {
    for (const LinkRow& row : layer.links) {
      at(layer, row.line, [&] {
        s.link_classes.push_back(link_class(row, s, result.notes));
        check(s);
      });
    }
  }
  return result;
}

}  // namespace unknot::simulate
