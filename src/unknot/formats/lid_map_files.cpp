// SPDX-License-Identifier: Apache-2.0
// Where the LIDs of a fabric are found when its own file does not state them: see lid_map.hpp.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unknot/formats/lft_line.hpp"
#include "unknot/formats/lid_map.hpp"
#include "unknot/formats/table_formats.hpp"

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

/// LIDs from the rows with port GUIDs of an LFT dump. Lines that make no sense are passed over: whether the
/// dump is sound is for its reader to say. Reads on until each terminal has a LID, or for `every_lid` to the
/// end.
LidMap lids_of_dump(const Network& network, const std::string& path, bool& has_guids,
                    bool every_lid = false) {
  LidMap map(network);
  has_guids = false;
  LineFile file(path);
  if (!file.is_open()) return map;
  const GuidIndex guids(network);
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    LineScanner scanner(piece, path);
    while (scanner.advance()) {
      const char* p = scanner.begin();
      skip_blanks(p, scanner.end());
      LftRow row;
      if (!parse_lft_row(p, scanner.end(), row) || row.lid == 0 || row.lid > kLastUnicastLid) continue;
      if (map.at(static_cast<std::uint32_t>(row.lid)).known()) continue;
      std::uint64_t guid = 0;
      if (find_port_guid(row.rest, guid) != PortGuid::present) continue;
      has_guids = true;
      const Device device = guids.port(guid);
      if (device.known()) map.assign(device, static_cast<std::uint32_t>(row.lid));
    }
    if (map.complete() && has_guids && !every_lid) break;
  }
  return map;
}

/// Terminals that no row names have the LIDs of `other`, where these are free, and so do further LIDs of
/// those that both know by the same lowest one: who has lost all rows has a LID all the same.
LidMap completed(const Network& network, LidMap map, const LidMap& other) {
  for (const TerminalId t : network.terminals()) {
    const std::uint32_t lid = other.of(t);
    if (map.of(t) == 0 && lid != 0 && !map.at(lid).known())
      map.assign({Device::Kind::terminal, t.value}, lid);
  }
  for (std::uint32_t lid = 1; lid <= other.highest(); ++lid) {
    const Device device = other.at(lid);
    if (device.is_terminal() && other.of(device) == map.of(device) && !map.at(lid).known())
      map.assign(device, lid);
  }
  return map;
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

LidMap lid_map_beside(const Network& network, const std::string& path) {
  if (path != "-") {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::string guid2lid = (folder / "guid2lid").string();
    if (exists(guid2lid)) {
      LidMap map = read_guid2lid(network, guid2lid);
      if (map.complete()) return map;
    }
    const std::string dump = (folder / "opensm-lfts.dump").string();
    if (exists(dump)) {
      bool has_guids = false;
      LidMap map = lids_of_dump(network, dump, has_guids);
      if (map.complete()) return map;
    }
  }
  return LidMap::of(network);
}

LidMap lid_map_of(const Network& network, const std::string& tables_path, bool every_lid) {
  if (!exists(tables_path)) return LidMap::of(network);
  std::string head(kRecogniseBytes, '\0');
  {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(tables_path.c_str(), "rb"),
                                                               &std::fclose);
    head.resize(file == nullptr ? 0 : std::fread(head.data(), 1, head.size(), file.get()));
  }
  if (recognises_lft_dump(head)) {
    bool has_guids = false;
    LidMap map = lids_of_dump(network, tables_path, has_guids, every_lid);
    if (has_guids && map.complete() && !every_lid) return map;
    if (has_guids) return completed(network, std::move(map), lid_map_beside(network, tables_path));
  } else if (!recognises_fdbs(head)) {
    return LidMap::of(network);
  }
  return lid_map_beside(network, tables_path);
}

}  // namespace unknot
