// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/formats/ibdiagnet/far_lines.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLastFarPort = 254;

std::string_view state_word(ChoiceKind kind) {
  switch (kind) {
    case ChoiceKind::fixed:
      return "Static";
    case ChoiceKind::adaptive:
      return "Free";
    case ChoiceKind::hashed:
      break;
  }
  return "HBF";
}

class FarWriter {
 public:
  FarWriter(const Network& network, const AdaptiveRouting& routing)
      : network_(network), routing_(routing), lids_(LidMap::of(network)) {
    rows_.reserve(network.terminal_count());
    for (const TerminalId t : network.terminals()) rows_.emplace_back(lids_.of(t), t);
    std::sort(rows_.begin(), rows_.end());
  }

  void write_router(RouterId r, TextBlock& block) const {
    std::string head;
    append(head,
           "\nSwitch 0x{:016x} en_sl_mask: 0x{:04x}\nGroups Definition:\nGroup  Sub Group  WHBF  "
           "Ports\n{:-<40}\n",
           network_.router_guid(r), routing_.adaptive_levels, "");
    std::vector<std::vector<std::uint32_t>> number_of;  // by plane, by group of the plane
    write_groups(r, head, number_of);
    head += "LFT Definition:\n";
    block.append(head);
    for (std::uint32_t plane = 0; plane < routing_.planes.size(); ++plane)
      write_plane(r, plane, number_of[plane], block);
  }

 private:
  /// The groups of all planes, each once.
  void write_groups(RouterId r, std::string& text, std::vector<std::vector<std::uint32_t>>& number_of) const {
    std::map<std::vector<std::uint16_t>, std::uint32_t> groups;
    for (const AdaptivePlane& plane : routing_.planes) {
      std::vector<std::uint32_t>& numbers = number_of.emplace_back();
      for (std::uint32_t group = 0; group < plane.group_count(r); ++group) {
        const auto positions = plane.group(r, group);
        const auto [found, fresh] = groups.try_emplace({positions.begin(), positions.end()},
                                                       static_cast<std::uint32_t>(groups.size()));
        numbers.push_back(found->second);
        if (!fresh) continue;
        append(text, "{:<5}  0          0     ", found->second);
        for (const std::uint16_t position : positions)
          append(text, "{},", network_.source_port(network_.out(r)[position]));
        text += '\n';
      }
    }
  }

  void write_plane(RouterId r, std::uint32_t number, const std::vector<std::uint32_t>& groups,
                   TextBlock& block) const {
    const AdaptivePlane& plane = routing_.planes[number];
    std::string head;
    append(head, "PLFT_NUM: {}, top: 0x{:04x}\nLID     Static Port  Lid State  Group\n{:-<40}\n", number,
           rows_.empty() ? 0 : rows_.back().first, "");
    block.append(head);
    for (const auto& [lid, t] : rows_) {
      const std::uint16_t entry = plane.entry(r, t);
      if (entry == AdaptivePlane::kNone) continue;
      const Choice choice = entry == AdaptivePlane::kHere ? Choice{} : plane.choices(r)[entry];
      const std::uint32_t port =
          entry == AdaptivePlane::kHere ? network_.terminal_port(t) : port_of(r, choice.fixed);
      char* p = put_hex(put_text(block.room(64), "0x"), lid, lid > 0xFFFF ? 8 : 4);
      p = put_decimal3(put_text(p, "  "), port);
      p = put_text(put_text(p, "          "), state_word(choice.kind));
      p = put_text(p, "  ");
      p = put_decimal(p, choice.kind == ChoiceKind::fixed ? 0 : groups[choice.group]);
      *p++ = '\n';
      block.end_at(p);
    }
  }

  [[nodiscard]] std::uint32_t port_of(RouterId r, std::uint16_t position) const {
    if (position == Choice::kNone) return FarLidRow::kNoPort;
    return position == Choice::kStray ? 0 : network_.source_port(network_.out(r)[position]);
  }

  const Network& network_;
  const AdaptiveRouting& routing_;
  LidMap lids_;
  std::vector<std::pair<std::uint32_t, TerminalId>> rows_;  // LID and terminal, by LID
};

}  // namespace

void write_far(const Network& network, const AdaptiveRouting& routing, const std::string& path) {
  for (const RouterId r : network.routers()) {
    if (network.port_count(r) <= kLastFarPort) continue;
    throw InputError(fmt::format("{} has {} ports, but a .far file is for switches of at most {}",
                                 network.router_name(r), network.port_count(r), kLastFarPort));
  }
  const FarWriter writer(network, routing);
  write_file(path, [&](const FileSink& sink) {
    sink(
        "# Made by unknot: groups and tables of adaptive routing, as ibdiagnet dumps them.\nFile version: "
        "1\n");
    write_blocks(sink, network.router_count(), 1, [&](std::uint32_t begin, std::uint32_t, TextBlock& block) {
      writer.write_router(RouterId(begin), block);
    });
  });
}

}  // namespace unknot
