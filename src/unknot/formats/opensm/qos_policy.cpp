// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/opensm/qos_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kAny = ServiceLevels::kMissing;  // no packet between the two needs a lane
using Counts = std::array<std::uint64_t, 256>;

std::uint8_t most_frequent(const Counts& counts) {
  return static_cast<std::uint8_t>(std::max_element(counts.begin(), counts.end() - 1) - counts.begin());
}

/// Levels from or to one terminal, by the terminal at the other end; kAny for neighbours at its own router.
template <class Level>
std::string line_of(const Network& network, TerminalId t, const Level& level) {
  std::string line(network.terminal_count(), static_cast<char>(kAny));
  Counts counts{};
  for (const TerminalId other : network.terminals()) {
    if (network.router_of(other) == network.router_of(t)) continue;
    const std::uint8_t one = level(t, other);
    line[other.value] = static_cast<char>(one);
    ++counts[one];
  }
  // So that neighbours do not keep lines apart that are the same otherwise.
  std::replace(line.begin(), line.end(), static_cast<char>(kAny), static_cast<char>(most_frequent(counts)));
  return line;
}

/// Blocks of terminals with the same line, (their group, the other ends, level).
template <class Level>
std::vector<LevelBlock> blocks_by(const Network& network, std::uint8_t rest, const Level& level) {
  std::map<std::string, std::vector<TerminalId>> groups;
  for (const TerminalId t : network.terminals()) groups[line_of(network, t, level)].push_back(t);
  std::vector<LevelBlock> blocks;
  for (const auto& [line, members] : groups) {
    std::map<std::uint8_t, std::vector<TerminalId>> others;
    for (const TerminalId other : network.terminals()) {
      others[static_cast<std::uint8_t>(line[other.value])].push_back(other);
    }
    for (auto& [value, ends] : others) {
      if (value == rest) continue;
      if (ends.size() == network.terminal_count()) ends.clear();
      blocks.push_back({std::move(ends), members, value});
    }
  }
  return blocks;
}

/// Blocks towards anybody with one level are one.
void merge_open_blocks(std::vector<LevelBlock>& blocks) {
  std::map<std::uint8_t, std::vector<TerminalId>> open;
  for (const LevelBlock& block : blocks) {
    if (block.sources.empty()) {
      auto& all = open[block.level];
      all.insert(all.end(), block.destinations.begin(), block.destinations.end());
    }
  }
  std::erase_if(blocks, [](const LevelBlock& block) { return block.sources.empty(); });
  for (auto& [level, destinations] : open) {
    std::sort(destinations.begin(), destinations.end());
    blocks.push_back({{}, std::move(destinations), level});
  }
}

/// Terminals as the members of port groups: each set of them once.
class PortGroups {
 public:
  std::string name(const Network& network, const std::vector<TerminalId>& terminals) {
    const auto [at, fresh] = names_.try_emplace(terminals, fmt::format("G{}", names_.size() + 1));
    if (fresh) {
      text_ += fmt::format("    port-group\n        name: {}\n", at->second);
      constexpr std::size_t kLine = 16;  // OpenSM reads lines of any length; people do not
      for (std::size_t i = 0; i < terminals.size(); ++i) {
        text_ += i % kLine == 0 ? "        port-guid: " : ",";
        text_ += fmt::format("0x{:016x}", network.terminal_port_guid(terminals[i]));
        if (i % kLine == kLine - 1 || i + 1 == terminals.size()) text_ += "\n";
      }
      text_ += "    end-port-group\n";
    }
    return at->second;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::map<std::vector<TerminalId>, std::string> names_;
  std::string text_;
};

void require_levels_fit(const Network& network, const Routing& routing) {
  if (routing.lane_map != nullptr) {
    throw InputError(
        "a QoS policy cannot hold the SL-to-VL tables that this routing needs; engine dor:sl2vl=0 gives each "
        "service "
        "level a lane of its own and needs none");
  }
  constexpr std::uint8_t kHighest = 7;
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (network.router_of(source) == network.router_of(d)) continue;
      const std::uint8_t level = routing.service_levels.get(source, d);
      if (level == ServiceLevels::kMissing) {
        throw InputError(fmt::format("no QoS policy: the path of {} to {} has no service level",
                                     network.terminal_name(source), network.terminal_name(d)));
      }
      if (level > kHighest) {
        throw InputError(fmt::format(
            "no QoS policy: the tables use service level {}, the default SL-to-VL tables have lanes 0 to {}",
            level, kHighest));
      }
    }
  }
}

}  // namespace

LevelBlocks group_levels(const Network& network, const ServiceLevels& levels) {
  Counts counts{};
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (network.router_of(source) != network.router_of(d)) ++counts[levels.get(source, d)];
    }
  }
  LevelBlocks result;
  result.rest = most_frequent(counts);
  result.blocks =
      blocks_by(network, result.rest, [&](TerminalId d, TerminalId source) { return levels.get(source, d); });
  merge_open_blocks(result.blocks);
  std::vector<LevelBlock> by_source =
      blocks_by(network, result.rest, [&](TerminalId source, TerminalId d) { return levels.get(source, d); });
  if (by_source.size() >= result.blocks.size()) return result;
  for (LevelBlock& block : by_source) {
    std::swap(block.sources, block.destinations);
    if (block.destinations.empty()) {
      block.destinations.assign(network.terminals().begin(), network.terminals().end());
    }
  }
  result.blocks = std::move(by_source);
  return result;
}

std::string qos_policy_text(const Network& network, const Routing& routing) {
  require_levels_fit(network, routing);
  const LevelBlocks grouped = group_levels(network, routing.service_levels);
  if (grouped.blocks.size() > kMaxPolicyRules) {
    throw InputError(fmt::format(
        "no QoS policy: the service levels need {} rules, more than {} that OpenSM would search for "
        "each path; use the plug-in",
        grouped.blocks.size(), kMaxPolicyRules));
  }
  PortGroups groups;
  std::string rules;
  std::array<bool, 256> used{};
  for (const LevelBlock& block : grouped.blocks) {
    used[block.level] = true;
    rules += "    qos-match-rule\n";
    if (!block.sources.empty())
      rules += fmt::format("        source: {}\n", groups.name(network, block.sources));
    rules += fmt::format("        destination: {}\n        qos-level-name: SL{}\n    end-qos-match-rule\n",
                         groups.name(network, block.destinations), block.level);
  }
  std::string text = fmt::format(
      "# Service levels of the paths of {}: for OpenSM's option qos_policy_file, with qos TRUE.\n\n",
      network.description());
  if (!groups.text().empty()) text += "port-groups\n" + groups.text() + "end-port-groups\n\n";
  text += fmt::format("qos-levels\n    qos-level\n        name: DEFAULT\n        sl: {}\n    end-qos-level\n",
                      grouped.rest);
  for (std::size_t level = 0; level < used.size(); ++level) {
    if (used[level]) {
      text += fmt::format("    qos-level\n        name: SL{0}\n        sl: {0}\n    end-qos-level\n", level);
    }
  }
  text += "end-qos-levels\n";
  if (!rules.empty()) text += "\nqos-match-rules\n" + rules + "end-qos-match-rules\n";
  return text;
}

void write_qos_policy(const Network& network, const Routing& routing, const std::string& path) {
  require_tables(routing, "a QoS policy");
  write_file(path, qos_policy_text(network, routing));
}

}  // namespace unknot
