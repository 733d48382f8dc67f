// SPDX-License-Identifier: Apache-2.0
#include "tables_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "line_reader.hpp"

namespace unknot::opensm {

namespace {

class TablesParser {
 public:
  explicit TablesParser(const std::string& path) : lines_(path) {
    file_.path = path;
    file_.guid_of_lid.resize(kHighestUnicastLid + 1);
    file_.known_lid.resize(kHighestUnicastLid + 1);
  }

  TablesFile run() {
    std::string_view line;
    while (lines_.next(line)) {
      skip_blanks(line);
      if (line.starts_with("Unicast lids")) {
        header(line);
      } else if (line.starts_with("0x")) {
        row(line);
      } else if (line.ends_with("lids dumped")) {
        end_of_table();
      }
    }
    finish();
    return std::move(file_);
  }

 private:
  void header(std::string_view line) {
    close_table();
    lines_.expect_whole_line();
    constexpr std::string_view kGuid = " guid ";
    const std::size_t at = line.find(kGuid);
    std::uint64_t guid = 0;
    if (at == std::string_view::npos) throw lines_.misfit("a table without the guid of its switch");
    line.remove_prefix(at + kGuid.size());
    if (!take_number(line, guid) || guid == 0) throw lines_.misfit("expected a switch guid after 'guid'");
    const auto index = static_cast<std::uint32_t>(file_.switches.size());
    if (!file_.switch_of_guid.emplace(guid, index).second) {
      throw lines_.misfit(fmt::format("a second table for switch 0x{:016x}", guid));
    }
    file_.switches.push_back({guid, {}});
    open_ = true;
  }

  void row(std::string_view line) {
    lines_.expect_whole_line();
    if (!open_) throw lines_.misfit("a row outside of any switch's table");
    std::uint64_t lid = 0;
    std::uint64_t port = 0;
    if (!take_number(line, lid) || !take_number(line, port)) {
      throw lines_.misfit("expected a LID and a port, as in '0x0001 008'");
    }
    if (lid == 0 || lid > kHighestUnicastLid) {
      throw lines_.misfit(fmt::format("LID {} is not a unicast LID", lid));
    }
    if (port >= TablesFile::kNoRow) throw lines_.misfit(fmt::format("port {} is beyond 254", port));
    std::vector<std::uint8_t>& table = file_.switches.back().port_of_lid;
    if (lid >= table.size()) table.resize(lid + 1, TablesFile::kNoRow);
    if (table[lid] != TablesFile::kNoRow) {
      throw lines_.misfit(fmt::format("a second row for LID {} of this switch", lid));
    }
    table[lid] = static_cast<std::uint8_t>(port);

    constexpr std::string_view kPortGuid = " portguid ";
    std::uint64_t guid = 0;
    const std::size_t at = line.find(kPortGuid);
    if (at != std::string_view::npos) {
      line.remove_prefix(at + kPortGuid.size());
      if (!take_number(line, guid)) throw lines_.misfit("expected a port guid after 'portguid'");
    }
    std::uint64_t& known = file_.guid_of_lid[lid];
    if (!file_.known_lid[lid]) {
      file_.known_lid[lid] = true;
      known = guid;
      if (guid != 0) file_.lids_of_guid[guid].push_back(static_cast<std::uint16_t>(lid));
    } else if (guid != known) {
      throw lines_.misfit(
          fmt::format("LID {} belongs to port 0x{:016x} here and to 0x{:016x} before", lid, guid, known));
    }
  }

  void end_of_table() {
    if (open_) ++ended_;
    open_ = false;
  }

  void close_table() {
    if (open_) ++unended_;
    open_ = false;
  }

  void finish() {
    close_table();
    if (file_.switches.empty()) {
      throw Misfit(
          fmt::format("{}: no table in it: expected lines 'Unicast lids ... guid 0x...'", file_.path));
    }
    // Writers end every table or none: the odd one out is where a copy was cut short.
    if (ended_ > 0 && unended_ > 0) {
      throw Misfit(fmt::format("{}: ends inside a table, or a table lost its last line: it is incomplete",
                               file_.path));
    }
    for (auto& [guid, lids] : file_.lids_of_guid) std::sort(lids.begin(), lids.end());
  }

  LineReader lines_;
  TablesFile file_;
  bool open_ = false;
  std::uint64_t ended_ = 0, unended_ = 0;
};

}  // namespace

std::uint16_t TablesFile::file_lid(std::uint64_t port_guid, std::uint16_t live_lid, unsigned offset) const {
  const auto found = lids_of_guid.find(port_guid);
  if (found != lids_of_guid.end()) {
    return offset < found->second.size() ? found->second[offset] : std::uint16_t{0};
  }
  const unsigned lid = live_lid + offset;
  return has_lid(lid) && guid_of_lid[lid] == 0 ? static_cast<std::uint16_t>(lid) : std::uint16_t{0};
}

TablesFile read_tables_file(const std::string& path) {
  return TablesParser(path).run();
}

}  // namespace unknot::opensm
