// SPDX-License-Identifier: Apache-2.0
#include "multicast_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "line_reader.hpp"

namespace unknot::opensm {

namespace {

constexpr unsigned kHighestPort = 254;
constexpr unsigned kHighestLevel = 15;

/// A number in hexadecimal and after it a blank or the end.
bool take_hex(std::string_view& text, std::uint64_t& value) {
  skip_blanks(text);
  if (!text.starts_with("0x") || !take_number(text, value)) return false;
  return text.empty() || text.front() == ' ' || text.front() == '\t';
}

class TreesParser {
 public:
  explicit TreesParser(const std::string& path) : lines_(path) { file_.path = path; }

  MulticastFile run() {
    std::string_view line;
    while (lines_.next(line)) {
      skip_blanks(line);
      if (line.starts_with('#')) {
        comment(line);
      } else if (line.starts_with("Switch")) {
        header(line);
      } else if (!line.empty() && !line.starts_with("LID")) {
        row(line);
      }
    }
    if (file_.switches.empty()) {
      throw Misfit(fmt::format("{}: no multicast table in it: expected lines 'Switch 0x<guid>'", file_.path));
    }
    for (const auto& [lid, level] : level_of_lid_) {
      const auto found = file_.groups.find(lid);
      if (found != file_.groups.end()) found->second.level = level;
    }
    std::erase_if(file_.groups, [](const auto& group) { return group.second.rows.empty(); });
    if (file_.groups.empty()) throw Misfit(fmt::format("{}: no group has a port in it", file_.path));
    return std::move(file_);
  }

 private:
  /// "# 0xC000 sl=3"; other comments say nothing.
  void comment(std::string_view line) {
    constexpr std::string_view kLevel = "sl=";
    line.remove_prefix(1);
    std::uint64_t lid = 0;
    std::uint64_t level = 0;
    if (!take_hex(line, lid)) return;
    skip_blanks(line);
    if (!line.starts_with(kLevel)) return;
    lines_.expect_whole_line();
    line.remove_prefix(kLevel.size());
    check_lid(lid);
    if (!take_number(line, level)) throw lines_.misfit("expected a service level after 'sl='");
    if (level > kHighestLevel) throw lines_.misfit(fmt::format("service level {} is beyond 15", level));
    const auto [known, is_new] =
        level_of_lid_.emplace(static_cast<std::uint16_t>(lid), static_cast<std::uint8_t>(level));
    if (!is_new && known->second != level) {
      throw lines_.misfit(fmt::format("service level {} for group 0x{:04X} that had level {} before", level,
                                      lid, known->second));
    }
  }

  void header(std::string_view line) {
    lines_.expect_whole_line();
    std::uint64_t guid = 0;
    line.remove_prefix(std::string_view("Switch").size());
    if (!take_hex(line, guid) || guid == 0) throw lines_.misfit("expected 'Switch 0x<guid>'");
    if (!known_.insert(guid).second) {
      throw lines_.misfit(fmt::format("a second table for switch 0x{:016x}", guid));
    }
    file_.switches.push_back(guid);
  }

  void row(std::string_view line) {
    lines_.expect_whole_line();
    std::uint64_t lid = 0;
    if (!take_hex(line, lid)) throw lines_.misfit("expected a row '0xC000 : 0x001 0x00b'");
    check_lid(lid);
    skip_blanks(line);
    if (!line.starts_with(':')) throw lines_.misfit("expected ':' and ports after the LID of the group");
    line.remove_prefix(1);
    if (file_.switches.empty()) throw lines_.misfit("a row outside of any switch's table");
    const auto at = static_cast<std::uint32_t>(file_.switches.size() - 1);
    MulticastFile::Group& group = file_.groups[static_cast<std::uint16_t>(lid)];
    if (!group.rows.empty() && group.rows.back().at == at) {
      throw lines_.misfit(fmt::format("a second row for group 0x{:04X} of this switch", lid));
    }
    MulticastFile::Row row{at, {}};
    for (skip_blanks(line); !line.empty(); skip_blanks(line)) row.ports.push_back(take_port(line));
    std::sort(row.ports.begin(), row.ports.end());
    if (std::adjacent_find(row.ports.begin(), row.ports.end()) != row.ports.end())
      throw lines_.misfit("the row names a port twice");
    if (!row.ports.empty()) group.rows.push_back(std::move(row));
  }

  std::uint8_t take_port(std::string_view& line) const {
    std::uint64_t port = 0;
    if (!take_hex(line, port)) throw lines_.misfit("expected ports in hexadecimal, as in '0x001 0x00b'");
    if (port > kHighestPort) throw lines_.misfit(fmt::format("port {} is beyond 254", port));
    return static_cast<std::uint8_t>(port);
  }

  void check_lid(std::uint64_t lid) const {
    if (lid >= kFirstMulticastLid && lid <= kLastMulticastLid) return;
    throw lines_.misfit(fmt::format("LID 0x{:04X} is not a multicast LID, 0xC000 to 0xFFFE", lid));
  }

  LineReader lines_;
  MulticastFile file_;
  std::unordered_set<std::uint64_t> known_;
  std::map<std::uint16_t, std::uint8_t> level_of_lid_;
};

}  // namespace

MulticastFile read_multicast_file(const std::string& path) {
  return TreesParser(path).run();
}

}  // namespace unknot::opensm
