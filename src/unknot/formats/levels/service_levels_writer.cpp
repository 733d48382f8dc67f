// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "unknot/formats/levels/level_ranges.hpp"
#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kLidField = 12;  // blank, up to 8 digits, blank, and room to copy a fixed length
constexpr std::size_t kLongestLine = 40;

struct LidText {
  TerminalId terminal;
  std::array<char, kLidField> text{};
  std::uint32_t size = 0;
};

/// Addresses of one port.
bool same_port(const Network& network, TerminalId a, TerminalId b) {
  return network.terminal_port(a) == network.terminal_port(b) && network.router_of(a) == network.router_of(b);
}

}  // namespace

void write_service_levels(const Network& network, const Routing& routing, const std::string& path,
                          LevelForm form) {
  require_tables(routing, "a file of service levels");
  if (!routing.further.empty()) {
    const OnEveryAddress all = on_every_lid(network, routing);
    write_service_levels(all.network, all.routing, path, form);
    return;
  }
  const ServiceLevels& levels = routing.service_levels;
  if (levels.highest() >= LaneMap::kLevels) {
    throw InputError(fmt::format("the tables use service level {}, but InfiniBand has levels up to {} only",
                                 levels.highest(), LaneMap::kLevels - 1));
  }
  if (form == LevelForm::compact) {
    write_level_ranges(network, levels, path);
    return;
  }
  const LidMap lids = LidMap::of(network);
  const GuidIndex guids(network);
  std::vector<LidText> lid_text;  // terminal by terminal, all LIDs of each
  for (std::uint32_t lid = 1; lid <= lids.highest(); ++lid) {
    if (!lids.at(lid).is_terminal()) continue;
    LidText& entry = lid_text.emplace_back();
    entry.terminal = TerminalId(lids.at(lid).index());
    char* p = entry.text.data();
    *p++ = ' ';
    p = put_decimal(p, lid);
    *p++ = ' ';
    entry.size = static_cast<std::uint32_t>(p - entry.text.data());
  }
  std::stable_sort(lid_text.begin(), lid_text.end(),
                   [](const LidText& a, const LidText& b) { return a.terminal < b.terminal; });
  const std::size_t longest = kLongestLine * lid_text.size();
  write_file(path, [&](const FileSink& sink) {
    const auto fill = [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
      for (TerminalId source(begin); source.value < end; ++source.value) {
        if (network.further_address(source)) continue;  // sends as its first
        // Ports of one adapter share the node GUID; only the port's own tells them apart.
        const std::uint64_t node = network.terminal_node_guid(source);
        const bool several = guids.node(node).size() > 1;
        std::array<char, 18> guid{};
        put_guid(guid.data(), several ? network.terminal_port_guid(source) : node);
        char* p = block.room(longest);
        for (const LidText& lid : lid_text) {
          const TerminalId d = lid.terminal;
          if (d == source || same_port(network, d, source)) continue;
          const std::uint8_t level = levels.get(source, d);
          if (level == ServiceLevels::kMissing) continue;
          std::memcpy(p, guid.data(), guid.size());
          p += guid.size();
          std::memcpy(p, lid.text.data(), kLidField);
          p += lid.size;
          if (level >= 10) *p++ = '1';
          *p++ = static_cast<char>('0' + level % 10);
          *p++ = '\n';
        }
        block.end_at(p);
      }
    };
    write_blocks(sink, network.terminal_count(), records_a_block(longest), fill);
  });
}

}  // namespace unknot
