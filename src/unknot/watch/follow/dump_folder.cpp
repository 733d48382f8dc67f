// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/dump_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/hash.hpp"

namespace unknot::watch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFabricEnd = ".fabric";

std::string present(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) ? path.string() : std::string();
}

/// Whether a name is UTF-8 without control characters, as JSON and metrics can hold it.
bool is_text(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto lead = static_cast<unsigned char>(name[i]);
    if (lead < 0x20 || lead == 0x7F) return false;
    if (lead < 0x80) continue;
    if (lead < 0xC2 || lead > 0xF4) return false;
    const std::size_t more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (name.size() - i <= more) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(name[i + k]);
      const unsigned least = k == 1 && lead == 0xE0 ? 0xA0 : k == 1 && lead == 0xF0 ? 0x90 : 0x80;
      const unsigned most = k == 1 && lead == 0xED ? 0x9F : k == 1 && lead == 0xF4 ? 0x8F : 0xBF;
      if (next < least || next > most) return false;
    }
    i += more;
  }
  return true;
}

/// The dump that an entry of the folder is, or begins; nothing where it is none.
std::optional<Dump> dump_at(const fs::path& entry) {
  const std::string name = entry.filename().string();
  if (name.starts_with('.') || !is_text(name)) return std::nullopt;
  std::error_code error;
  if (fs::is_directory(entry, error)) {
    Dump dump{name,
              present(entry / "fabric"),
              {present(entry / "lfts"), present(entry / "lanes"), present(entry / "sl2vl"),
               present(entry / "trees"), present(entry / "groups")},
              true};
    return dump.fabric.empty() ? std::nullopt : std::optional(std::move(dump));
  }
  if (!name.ends_with(kFabricEnd) || name.size() == kFabricEnd.size() || present(entry).empty())
    return std::nullopt;
  const std::string stem = entry.string().substr(0, entry.string().size() - kFabricEnd.size());
  return Dump{name,
              entry.string(),
              {present(stem + ".lfts"), present(stem + ".lanes"), present(stem + ".sl2vl"),
               present(stem + ".trees"), present(stem + ".groups")}};
}

}  // namespace

std::uint64_t stamp_of(const Dump& dump) {
  Hash64 hash;
  for (const std::string* path : {&dump.fabric, &dump.tables.tables, &dump.tables.lanes,
                                  &dump.tables.lane_map, &dump.tables.trees, &dump.tables.groups}) {
    struct stat status {};
    if (path->empty() || ::stat(path->c_str(), &status) != 0) {
      if (path == &dump.fabric) return 0;
      hash.add(0);
      continue;
    }
    hash.add(1);
    hash.add(status.st_ino);
    hash.add(static_cast<std::uint64_t>(status.st_size));
    hash.add(static_cast<std::uint64_t>(status.st_mtim.tv_sec));
    hash.add(static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
  }
  return std::max<std::uint64_t>(hash.value(), 1);
}

DumpFolder::DumpFolder(std::string path) : path_(std::move(path)) {}

std::vector<Dump> DumpFolder::look() {
  std::error_code error;
  std::vector<Dump> complete;
  std::map<std::string, std::uint64_t> seen;
  growing_ = false;
  for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    std::optional<Dump> dump = dump_at(at->path());
    if (!dump) continue;
    dump->stamp = stamp_of(*dump);
    if (dump->stamp == 0) continue;
    const auto before = seen_.find(dump->name);
    seen[dump->name] = dump->stamp;
    if (dump->folder || (before != seen_.end() && before->second == dump->stamp)) {
      complete.push_back(std::move(*dump));
    } else {
      growing_ = true;
    }
  }
  if (error) throw InputError(fmt::format("{}: cannot read the folder: {}", path_, error.message()));
  seen_ = std::move(seen);
  std::sort(complete.begin(), complete.end(), [](const Dump& a, const Dump& b) { return a.name < b.name; });
  return complete;
}

}  // namespace unknot::watch
