// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::string_view kCsvEnding = ".csv";

/// By name, so that what is refused is the same on every file system.
std::vector<RouteCsvFile> csv_files_of(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  std::vector<RouteCsvFile> files;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || !name.ends_with(kCsvEnding)) continue;
    files.push_back({name.substr(0, name.size() - kCsvEnding.size()), entry->path().string()});
  }
  if (error) throw InputError(fmt::format("{}: cannot be read as a folder: {}", folder, error.message()));
  if (files.empty()) {
    throw InputError(
        fmt::format("{}: no file *.csv in this folder, expected NAME.csv for each router NAME", folder));
  }
  std::sort(files.begin(), files.end(),
            [](const RouteCsvFile& a, const RouteCsvFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace

Routing read_route_csv_folder(const Network& network, const std::string& path, std::uint64_t most) {
  std::uint64_t left = most;
  const auto text_of = [&left](const std::string& file) {
    std::error_code ignored;
    // What is no file, a pipe say, may never end, and nobody means it in a folder.
    if (!std::filesystem::is_regular_file(file, ignored))
      throw InputError(fmt::format("{}: expected a regular file", file));
    ReadLimits limits;
    limits.most = left;
    std::string text = read_file(file, limits);
    left -= text.size();
    return text;
  };
  return read_route_csv_files(network, csv_files_of(path), text_of, path);
}

}  // namespace unknot
