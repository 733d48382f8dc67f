// SPDX-License-Identifier: Apache-2.0
// Where the LIDs of a fabric are found when its own file does not state them: see lid_map.hpp.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unknot/formats/tables/lft_line.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_formats.hpp"

namespace unknot {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;

/// Lines of a file, read a piece at a time: a dump can be gigabytes, and its first section mostly tells all.
class LineFile {
 public:
  explicit LineFile(const std::string& path) : file_(std::fopen(path.c_str(), "rb"), &std::fclose) {}
  [[nodiscard]] bool is_open() const { return file_ != nullptr; }
  /// Whole lines of the next piece; empty at the end.
  std::string_view next() {
    buffer_.erase(0, used_);
    used_ = 0;
    for (;;) {
      const std::size_t newline = buffer_.rfind('\n');
      if (newline != std::string::npos) {
        used_ = newline + 1;
        return std::string_view(buffer_).substr(0, used_);
      }
      const std::size_t had = buffer_.size();
      buffer_.resize(had + kPiece);
      const std::size_t got = std::fread(buffer_.data() + had, 1, kPiece, file_.get());
      buffer_.resize(had + got);
      if (got == 0) {
        used_ = buffer_.size();
        return buffer_;
      }
    }
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string buffer_;
  std::size_t used_ = 0;
};

/// LIDs from the rows with port GUIDs of an LFT dump, piece by piece. Lines that make no sense are passed
/// over: whether the dump is sound is for its reader to say.
class DumpLids {
 public:
  DumpLids(const Network& network, bool every_lid) : guids_(network), map_(network), every_lid_(every_lid) {}

  /// False when all is known that is asked for: a LID of each terminal and the rest of that section (which
  /// has the switches' LIDs), or nothing less than the end.
  bool add(std::string_view piece) {
    LineScanner scanner(piece, "");
    while (scanner.advance()) {
      const char* p = scanner.begin();
      skip_blanks(p, scanner.end());
      if (is_lft_header(p, scanner.end()) && map_.complete_with_own_ports() && has_guids_ && !every_lid_)
        return false;
      LftRow row;
      if (!parse_lft_row(p, scanner.end(), row) || row.lid == 0 || row.lid > kLastUnicastLid) continue;
      if (map_.at(static_cast<std::uint32_t>(row.lid)).known()) continue;
      std::uint64_t guid = 0;
      if (find_port_guid(row.rest, guid) != PortGuid::present) continue;
      has_guids_ = true;
      const Device device = guids_.port(guid);
      if (device.known()) map_.assign(device, static_cast<std::uint32_t>(row.lid));
    }
    return true;
  }
  [[nodiscard]] bool has_guids() const { return has_guids_; }
  [[nodiscard]] const LidMap& map() const { return map_; }

 private:
  GuidIndex guids_;
  LidMap map_;
  bool every_lid_;
  bool has_guids_ = false;
};

DumpLids lids_of_dump(const Network& network, const std::string& path, bool every_lid) {
  DumpLids lids(network, every_lid);
  LineFile file(path);
  if (!file.is_open()) return lids;
  for (std::string_view piece = file.next(); !piece.empty() && lids.add(piece); piece = file.next()) {
  }
  return lids;
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// What the files beside `path` tell; nothing where they do not give every terminal a LID.
std::optional<LidMap> told_beside(const Network& network, const std::string& path) {
  const std::string guid2lid = guid2lid_beside(path);
  if (guid2lid.empty()) return std::nullopt;
  if (exists(guid2lid)) {
    LidMap map = read_guid2lid(network, guid2lid);
    if (map.complete()) return map;
  }
  const std::string dump = (std::filesystem::path(path).parent_path() / "opensm-lfts.dump").string();
  if (exists(dump)) {
    LidMap map = lids_of_dump(network, dump, false).map();
    if (map.complete()) return map;
  }
  return std::nullopt;
}

/// Further LIDs of terminals beside those that tables tell.
enum class MoreLids : std::uint8_t {
  none,   ///< they tell all
  found,  ///< those that come along where another LID is looked for
  all,
};

/// A terminal or router that no row names (it has lost them all, say) has the LID that others give it, where
/// that is free, and so do further LIDs of one that both know by the same lowest.
LidMap completed(const Network& network, LidMap map, const std::string& path, MoreLids more) {
  const auto routers = network.routers();
  const bool routers_known = std::all_of(routers.begin(), routers.end(), [&](RouterId r) {
    return network.own_port(r).valid() || map.of(r) != 0;
  });
  if (map.complete_with_own_ports() && routers_known && more != MoreLids::all) return map;
  for (const LidMap& other : {lid_map_beside(network, path), LidMap::of(network)}) {
    for (const RouterId r : routers) {
      const std::uint32_t lid = network.own_port(r).valid() ? 0 : other.of(r);
      if (map.of(r) == 0 && lid != 0 && !map.at(lid).known())
        map.assign(Device(Device::Kind::router, r.value), lid);
    }
    for (const TerminalId t : network.terminals()) {
      const std::uint32_t lid = other.of(t);
      if (map.of(t) == 0 && lid != 0 && !map.at(lid).known())
        map.assign(Device(Device::Kind::terminal, t.value), lid);
    }
    for (std::uint32_t lid = 1; lid <= other.highest() && more != MoreLids::none; ++lid) {
      const Device device = other.at(lid);
      if (device.is_terminal() && other.of(device) == map.of(device) && !map.at(lid).known())
        map.assign(device, lid);
    }
  }
  return map;
}

}  // namespace

LidMap lid_map_beside(const Network& network, const std::string& path) {
  std::optional<LidMap> told = told_beside(network, path);
  return told ? *std::move(told) : LidMap::of(network);
}

std::optional<LidMap> told_lids(const Network& network, std::string_view tables, const std::string& path,
                                bool every_lid) {
  const std::string_view head = tables.substr(0, kRecogniseBytes);
  const MoreLids more = every_lid ? MoreLids::all : MoreLids::found;
  if (recognises_lft_dump(head)) {
    DumpLids lids(network, every_lid);
    lids.add(tables);
    if (lids.has_guids()) return completed(network, lids.map(), path, more);
  } else if (!recognises_fdbs(head)) {
    std::optional<LidMap> stated;
    if (recognises_table_json(head)) stated = table_json_lids(network, tables, path);
    if (recognises_table_binary(head)) stated = table_binary_lids(network, tables, path);
    if (!stated) return stated;
    const bool all = stated->further() > 0;
    return completed(network, *std::move(stated), path, all ? MoreLids::none : more);
  }
  return told_beside(network, path);
}

}  // namespace unknot
