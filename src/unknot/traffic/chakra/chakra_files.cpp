// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/chakra/chakra_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"

namespace unknot::chakra {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".et";

/// Prefix and rank of a file's name.
std::optional<std::pair<std::string, std::uint32_t>> parts_of(std::string_view name) {
  if (!name.ends_with(kEnding)) return std::nullopt;
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  const auto rank = number_in<std::uint32_t>(name.substr(dot + 1));
  if (!rank || fmt::format("{}", *rank) != name.substr(dot + 1)) return std::nullopt;
  return std::pair(std::string(name.substr(0, dot)), *rank);
}

}  // namespace

std::vector<std::string> trace_files(const std::string& path) {
  std::error_code error;
  const bool whole = fs::is_directory(path, error);
  const fs::path given(path);
  fs::path folder = whole ? given : given.parent_path();
  std::string prefix = whole ? "" : given.filename().string();
  if (const auto parts = parts_of(prefix); parts && parts->second == 0) prefix = parts->first;
  std::map<std::string, std::set<std::uint32_t>> ranks;  // by prefix
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
       at.increment(error)) {
    const auto parts = parts_of(at->path().filename().string());
    if (parts && (whole || parts->first == prefix)) ranks[parts->first].insert(parts->second);
  }
  if (ranks.empty()) {
    throw InputError(
        whole ? fmt::format("{}: no traces in this folder, expected files PREFIX.0.et and on", path)
              : fmt::format("{}: there is no file {}.0.et", path, (folder / prefix).string()));
  }
  if (ranks.size() > 1) {
    throw InputError(fmt::format("{}: traces of several prefixes, among them {} and {}: give one of them",
                                 path, ranks.begin()->first, std::next(ranks.begin())->first));
  }
  std::vector<std::string> files;
  const std::string before = (folder / ranks.begin()->first).string();
  const auto file = [&](std::size_t rank) { return fmt::format("{}.{}{}", before, rank, kEnding); };
  for (const std::uint32_t rank : ranks.begin()->second) {
    if (rank != files.size())
      throw InputError(fmt::format("{}: it is missing, and {} is there", file(files.size()), file(rank)));
    files.push_back(file(rank));
  }
  return files;
}

}  // namespace unknot::chakra
