// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/settings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/toml.hpp"

namespace unknot::simulate {
namespace {

constexpr std::size_t kMostLinkClasses = 256;

/// Two keys of one layer that decide the same thing.
void check_conflicts(const SettingsLayer& layer) {
  std::array<const SettingsLayer::Entry*, kQuantities> decided{};
  for (const SettingsLayer::Entry& entry : layer.entries) {
    for (const Quantity quantity : entry.key->decides) {
      const SettingsLayer::Entry*& before = decided[static_cast<std::size_t>(quantity)];
      if (before != nullptr) {
        const std::string& name = entry.key->parameter.name;
        throw InputError(layer.place(entry.line) +
                         (before->key == entry.key
                              ? fmt::format("'{}' is given twice", name)
                              : fmt::format("'{}' and '{}' decide the same thing; give one of them",
                                            before->key->parameter.name, name)));
      }
      before = &entry;
    }
  }
}

/// What a link class may say: one of each group.
struct LinkKey {
  const char* name;
  LinkRow::Latency latency;
  LinkRow::Speed speed;
  bool whole;
  double min, max;
  const char* range;
};
constexpr std::array<LinkKey, 6> kLinkKeys = {{
    {"latency", LinkRow::Latency::cycles, LinkRow::Speed::none, true, 1, 65'535,
     "a whole number from 1 to 65535"},
    {"steps", LinkRow::Latency::steps, LinkRow::Speed::none, true, 1, 65'535,
     "a whole number from 1 to 65535"},
    {"ns", LinkRow::Latency::ns, LinkRow::Speed::none, false, 1e-6, 1e9, "a number from 1e-6 to 1e9"},
    {"bandwidth", LinkRow::Latency::none, LinkRow::Speed::bandwidth, false, 1e-3, 1,
     "a part of the base speed, from 0.001 to 1"},
    {"gbps", LinkRow::Latency::none, LinkRow::Speed::gbps, false, 1e-6, 1e6, "a number from 1e-6 to 1e6"},
    {"period", LinkRow::Latency::none, LinkRow::Speed::period, true, 1, 65'535,
     "a whole number from 1 to 65535"},
}};

class Reader {
 public:
  explicit Reader(const std::string& name) { layer_.name = name; }

  SettingsLayer read(const toml::table& file) {
    for (const auto& entry : file) {
      const toml::key& key = entry.first;
      const toml::node& node = entry.second;
      const std::string_view name = key.str();
      if (name == "link") {
        read_links(node);
      } else if (name == "preset") {
        if (!node.is_string()) fail(line_of(node), "'preset' is not text");
        layer_.preset = node.as_string()->get();
        layer_.preset_line = line_of(node);
        at(layer_.preset_line, [&] { (void)find_preset(layer_.preset); });
      } else {
        const SettingKey* row = nullptr;
        at(key.source().begin.line, [&] { row = &find_setting(name); });
        at(line_of(node), [&] { layer_.entries.push_back({row, value(*row, node), line_of(node)}); });
      }
    }
    // A table has no order; the file has.
    std::stable_sort(layer_.entries.begin(), layer_.entries.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    check_conflicts(layer_);
    return std::move(layer_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& sentence) const {
    throw InputError(layer_.place(line) + sentence);
  }
  template <class Action>
  void at(std::size_t line, const Action& action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(line, error.what());
    }
  }

  static SettingValue value(const SettingKey& key, const toml::node& node) {
    const Parameter& p = key.parameter;
    if (node.is_integer() && p.kind != ParameterKind::text)
      return setting_value(key, node.as_integer()->get());
    if (node.is_floating_point() && p.kind != ParameterKind::text)
      return setting_value(key, node.as_floating_point()->get());
    // Numbers of 64 bits do not fit TOML's and come as text.
    if (node.is_string() && (p.kind == ParameterKind::text || p.max > 9.3e18))
      return setting_value(key, std::string_view(node.as_string()->get()));
    throw InputError(fmt::format("'{}' is no {}, expected {}", p.name,
                                 p.kind == ParameterKind::text ? "text" : "number", range_text(p)));
  }

  void read_links(const toml::node& node) {
    const toml::array* rows = node.as_array();
    if (rows == nullptr) fail(line_of(node), "'link' is not a list of tables, each headed [[link]]");
    if (rows->size() > kMostLinkClasses)
      fail(line_of(node), fmt::format("more than {} tables [[link]]", kMostLinkClasses));
    for (const toml::node& row : *rows) {
      const toml::table* table = row.as_table();
      if (table == nullptr) fail(line_of(row), "'link' is not a list of tables, each headed [[link]]");
      layer_.links.push_back(read_link(*table));
    }
  }

  LinkRow read_link(const toml::table& table) const {
    LinkRow row;
    row.line = line_of(table);
    for (const auto& entry : table) {
      const toml::key& key = entry.first;
      const toml::node& node = entry.second;
      if (key.str() == "match") {
        if (!node.is_string()) fail(line_of(node), "'match' of a link is not text");
        row.match = node.as_string()->get();
        if (const std::string wrong = selector_trouble(row.match); !wrong.empty()) fail(line_of(node), wrong);
        continue;
      }
      const auto* known = std::find_if(kLinkKeys.begin(), kLinkKeys.end(),
                                       [&](const LinkKey& k) { return key.str() == k.name; });
      if (known == kLinkKeys.end()) {
        fail(key.source().begin.line,
             fmt::format(
                 "unknown key '{}' of a link; there are: match, latency, steps, ns, bandwidth, gbps, period",
                 shown(key.str())));
      }
      const auto given = node.value<double>();
      if (!(known->whole ? node.is_integer() : node.is_number()) || !given ||
          !(*given >= known->min && *given <= known->max)) {
        fail(line_of(node), fmt::format("'{}' of a link is not {}", known->name, known->range));
      }
      if ((known->latency != LinkRow::Latency::none && row.latency_kind != LinkRow::Latency::none) ||
          (known->speed != LinkRow::Speed::none && row.speed_kind != LinkRow::Speed::none)) {
        fail(line_of(node), known->speed == LinkRow::Speed::none
                                ? "a link has one of 'latency', 'steps' and 'ns'"
                                : "a link has one of 'bandwidth', 'gbps' and 'period'");
      }
      if (known->latency != LinkRow::Latency::none) {
        row.latency_kind = known->latency;
        row.latency = *given;
      } else {
        row.speed_kind = known->speed;
        row.speed = *given;
      }
    }
    if (row.match.empty()) fail(row.line, "a link has no 'match', such as \"level:0\"");
    if (row.latency_kind == LinkRow::Latency::none && row.speed_kind == LinkRow::Speed::none)
      fail(row.line, fmt::format("link '{}': neither latency nor speed is given", row.match));
    return row;
  }

  SettingsLayer layer_;
};

}  // namespace

std::string SettingsLayer::place(std::size_t line) const {
  return line == 0 ? fmt::format("{}: ", name) : fmt::format("{}:{}: ", name, line);
}

SettingsLayer parse_settings(std::string_view text, const std::string& name) {
  return Reader(name).read(parse_toml(text, name));
}

SettingsLayer read_settings(const std::string& path) {
  return Reader(path).read(read_toml(path));
}

SettingsLayer parse_assignments(const std::vector<std::string>& assignments) {
  SettingsLayer layer;
  layer.name = "--set";
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw InputError(fmt::format("--set: expected key=value, not '{}'", shown(assignment)));
    try {
      const std::string_view text = assignment;
      const SettingKey& key = find_setting(text.substr(0, equals));
      layer.entries.push_back({&key, setting_value(key, text.substr(equals + 1)), 0});
    } catch (const InputError& error) {
      throw InputError(layer.place(0) + error.what());
    }
  }
  check_conflicts(layer);
  return layer;
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const SettingKey& key : setting_keys()) {
    if (key.get == nullptr) continue;
    if (const auto value = key.get(settings)) text += fmt::format("{} = {}\n", key.parameter.name, *value);
  }
  for (const LinkClass& link : settings.link_classes) {
    text += fmt::format("\n[[link]]\nmatch = \"{}\"\n", link.match);
    if (link.latency != 0)
      text += fmt::format("{} = {}\n", settings.link_steps == 0 ? "latency" : "steps", link.latency);
    if (link.period != 0) text += fmt::format("period = {}\n", link.period);
  }
  return text;
}

}  // namespace unknot::simulate
