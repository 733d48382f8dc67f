// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/levels/level_ranges.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {
namespace {

// The plug-in for OpenSM takes lines of 256 KiB.
constexpr std::size_t kLongLine = 65536;
constexpr std::size_t kBlock = 1U << 20;
constexpr std::size_t kLongestPiece = 64;  // a source and a range

class Writer {
 public:
  Writer(const Network& network, const ServiceLevels& levels, const FileSink& sink)
      : network_(network),
        levels_(levels),
        guids_(network),
        sink_(sink),
        zeros_(network.terminal_count(), 0) {
    const LidMap lids = LidMap::of(network);
    by_lid_.reserve(network.terminal_count());
    for (std::uint32_t lid = 1; lid <= lids.highest(); ++lid) {
      if (lids.at(lid).is_terminal()) by_lid_.emplace_back(lid, TerminalId(lids.at(lid).index()));
    }
  }

  void run() {
    std::unordered_map<std::string_view, TerminalId> told;
    for (const TerminalId source : network_.terminals()) {
      if (network_.further_address(source)) continue;  // sends as its first
      const std::span<const std::uint8_t> row =
          levels_.empty() ? std::span<const std::uint8_t>(zeros_) : levels_.row(levels_.row_of(source));
      const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size());
      if (std::all_of(row.begin(), row.end(), [](std::uint8_t l) { return l == ServiceLevels::kMissing; }))
        continue;
      const auto [first, is_new] = told.try_emplace(bytes, source);
      if (is_new) {
        write_row(source, row);
      } else {
        char* p = put_guid(block_.room(kLongestPiece), guid(source));
        p = put_guid(put_text(p, " = "), guid(first->second));
        *p++ = '\n';
        block_.end_at(p);
      }
      if (block_.text().size() >= kBlock) flush();
    }
    flush();
  }

 private:
  /// Ports of one adapter share the node GUID; only the port's own tells them apart.
  [[nodiscard]] std::uint64_t guid(TerminalId t) const {
    const std::uint64_t node = network_.terminal_node_guid(t);
    return guids_.node(node).size() > 1 ? network_.terminal_port_guid(t) : node;
  }

  void write_row(TerminalId source, std::span<const std::uint8_t> row) {
    for (auto& ranges : ranges_) ranges.clear();
    std::uint32_t before = 0;
    std::uint8_t level_before = ServiceLevels::kMissing;
    for (const auto& [lid, t] : by_lid_) {
      const std::uint8_t level = row[t.value];
      if (level != ServiceLevels::kMissing) {
        if (level == level_before && lid == before + 1) {
          ranges_[level].back().second = lid;
        } else {
          ranges_[level].emplace_back(lid, lid);
        }
      }
      before = lid;
      level_before = level;
    }
    const auto told = [](const auto& ranges) { return !ranges.empty(); };
    if (std::none_of(ranges_.begin(), ranges_.end(), told)) return;  // cut off from everybody
    std::size_t line = block_.text().size();
    begin_line(source);
    for (std::uint32_t level = 0; level < ranges_.size(); ++level) {
      bool labelled = false;
      for (const auto& [first, last] : ranges_[level]) {
        if (block_.text().size() - line > kLongLine) {
          block_.append("\n");
          line = block_.text().size();
          begin_line(source);
          labelled = false;
        }
        char* p = block_.room(kLongestPiece);
        *p++ = labelled ? ',' : ' ';
        if (!labelled) *(p = put_decimal(p, level))++ = ':';
        labelled = true;
        p = put_decimal(p, first);
        if (last != first) {
          *p++ = '-';
          p = put_decimal(p, last);
        }
        block_.end_at(p);
      }
    }
    block_.append("\n");
  }

  void begin_line(TerminalId source) { block_.end_at(put_guid(block_.room(kLongestPiece), guid(source))); }

  void flush() {
    if (!block_.text().empty()) sink_(block_.text());
    block_.clear();
  }

  const Network& network_;
  const ServiceLevels& levels_;
  GuidIndex guids_;
  const FileSink& sink_;
  std::vector<std::uint8_t> zeros_;
  std::vector<std::pair<std::uint32_t, TerminalId>> by_lid_;
  /// Of a row, by level.
  std::array<std::vector<std::pair<std::uint32_t, std::uint32_t>>, LaneMap::kLevels> ranges_;
  TextBlock block_;
};

}  // namespace

void write_level_ranges(const Network& network, const ServiceLevels& levels, const std::string& path) {
  write_file(path, [&](const FileSink& sink) { Writer(network, levels, sink).run(); });
}

}  // namespace unknot
