// SPDX-License-Identifier: Apache-2.0
#include "lane_tables.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "line_reader.hpp"

namespace unknot::opensm {
namespace {

/// OpenSM's mask: port counts of lanes are powers of two, but for 15.
std::uint8_t cut(std::uint8_t lane, std::uint8_t lanes) {
  if (lane == LaneTables::kDrop || lanes >= LaneTables::kDrop) return lane;
  return static_cast<std::uint8_t>(lane & (lanes - 1U));
}

LaneTables::Row take_row(std::string_view& line, const LineReader& lines) {
  LaneTables::Row row{};
  for (std::size_t level = 0; level < row.size(); level += 2) {
    std::uint64_t two = 0;
    skip_blanks(line);
    if (!line.starts_with("0x") || !take_number(line, two) || two > 0xFF)
      throw lines.misfit("expected '0x<switch guid> <in port> <out port>' and eight bytes, two levels each");
    row[level] = static_cast<std::uint8_t>(two >> 4U);
    row[level + 1] = static_cast<std::uint8_t>(two & 0xFU);
  }
  skip_blanks(line);
  if (!line.empty()) throw lines.misfit("expected nothing behind sixteen levels");
  return row;
}

}  // namespace

LaneTables::LaneTables(const unknot_fabric& fabric) {
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    switch_of_guid_.emplace(fabric.switches[s].guid, s);
    const std::size_t ports = fabric.switches[s].ports.size();
    ports_.push_back(static_cast<std::uint32_t>(ports));
    index_.emplace_back(ports * ports, kNoRow);
  }
}

void LaneTables::set(std::uint32_t s, unsigned in_port, unsigned out_port, const Row& row) {
  const std::string text(row.begin(), row.end());
  const auto [at, fresh] = row_of_text_.emplace(text, static_cast<std::uint16_t>(rows_.size()));
  if (fresh) {
    if (rows_.size() == kNoRow)
      throw Misfit(fmt::format("{} has more than {} different rows", path_, kNoRow));
    rows_.push_back(row);
  }
  index_[s][in_port * ports_[s] + out_port] = at->second;
}

LaneTables LaneTables::read(const std::string& path, const unknot_fabric& fabric) {
  LaneTables tables(fabric);
  tables.path_ = path;
  LineReader lines(path);
  std::string_view line;
  while (lines.next(line)) {
    skip_blanks(line);
    if (line.empty() || line.front() == '#') continue;
    lines.expect_whole_line();
    std::uint64_t guid = 0;
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    if (!take_number(line, guid) || !take_number(line, in) || !take_number(line, out))
      throw lines.misfit("expected '0x<switch guid> <in port> <out port>' and eight bytes, two levels each");
    const Row row = take_row(line, lines);
    const auto found = tables.switch_of_guid_.find(guid);
    if (found == tables.switch_of_guid_.end()) continue;  // an adapter, or a switch that is away
    const std::uint32_t s = found->second;
    if (in >= tables.ports_[s] || out >= tables.ports_[s]) {
      throw lines.misfit(fmt::format("{} has {} ports, not {}", name_of(fabric.switches[s]),
                                     tables.ports_[s] - 1, in >= tables.ports_[s] ? in : out));
    }
    if (tables.index(s, static_cast<unsigned>(in), static_cast<unsigned>(out)) != kNoRow) {
      throw lines.misfit(
          fmt::format("a second row of ports {} and {} of {}", in, out, name_of(fabric.switches[s])));
    }
    tables.set(s, static_cast<unsigned>(in), static_cast<unsigned>(out), row);
  }
  tables.row_of_text_.clear();
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    const auto& ports = fabric.switches[s].ports;
    for (unsigned in = 0; in < ports.size(); ++in) {
      for (unsigned out = 1; out < ports.size(); ++out) {
        const bool used =
            in != out && (in == 0 || ports[in].kind != Peer::none) && ports[out].kind != Peer::none;
        if (used && tables.index(s, in, out) == kNoRow) {
          throw Misfit(fmt::format("{} has no row for packets from port {} to port {} of {}", path, in, out,
                                   name_of(fabric.switches[s])));
        }
      }
    }
  }
  return tables;
}

LaneTables LaneTables::cut_to_ports(const unknot_sl2vl& sl2vl, const unknot_fabric& fabric) {
  LaneTables tables(fabric);
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    const auto& ports = fabric.switches[s].ports;
    for (unsigned out = 1; out < ports.size(); ++out) {
      Row row{};
      for (std::size_t level = 0; level < row.size(); ++level) {
        row[level] =
            ports[out].kind == Peer::node ? cut(sl2vl.lane[level], ports[out].lanes) : std::uint8_t{0};
      }
      for (unsigned in = 0; in < ports.size(); ++in) tables.set(s, in, out, row);
    }
  }
  tables.row_of_text_.clear();
  return tables;
}

const LaneTables::Row* LaneTables::find(std::uint64_t guid, unsigned in_port, unsigned out_port) const {
  const auto found = switch_of_guid_.find(guid);
  if (found == switch_of_guid_.end()) return nullptr;
  const std::uint32_t s = found->second;
  if (in_port >= ports_[s] || out_port >= ports_[s]) return nullptr;
  const std::uint16_t at = index(s, in_port, out_port);
  return at == kNoRow ? nullptr : &rows_[at];
}

}  // namespace unknot::opensm
