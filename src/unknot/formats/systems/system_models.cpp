// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/systems/system_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostAdapterPorts = 16;

/// Paths in a folder whose names `wanted` takes, sorted: the same on every machine.
template <class Wanted>
std::vector<std::string> paths_in(const fs::path& folder, Wanted wanted) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (wanted(at->path().filename().string())) paths.push_back(at->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The text of HCA_2 and the like, or nothing.
std::optional<std::string> adapter_text(std::string_view type) {
  Cursor cursor(type);
  if (!cursor.eat("HCA_")) return std::nullopt;
  const auto ports = cursor.decimal(kMostAdapterPorts);
  if (!ports || *ports == 0 || !cursor.at_end()) return std::nullopt;
  std::string text = fmt::format("TOPSYSTEM {}\nNODE CA {} HCA U1\n", type, *ports);
  for (std::uint64_t port = 1; port <= *ports; ++port) text += fmt::format("{} -> P{}\n", port, port);
  return text;
}

ReadLimits limits() {
  ReadLimits limits;
  limits.most = 16 * ReadLimits::kMebi;
  return limits;
}

}  // namespace

SystemModels::SystemModels(std::vector<std::string> folders) : folders_(std::move(folders)) {
  for (const std::string& folder : folders_) look_into(folder);
}

void SystemModels::look_into(const std::string& folder) {
  const std::size_t first = sources_.size();
  for (const std::string& path :
       paths_in(folder, [](const std::string& name) { return name.ends_with(".ibnl"); })) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    const std::size_t index = sources_.size();
    Source& source = sources_.emplace_back();
    source.path = path;
    source.text = read_file(path, limits());
    for (const std::string_view name : ibnl_system_names(source.text)) {
      const auto [found, is_new] = types_.try_emplace(std::string(name), Type{index, {}});
      if (!is_new && found->second.source >= first && found->second.source != index)
        found->second.again_in = path;
    }
  }
}

void SystemModels::add(std::string text, const std::string& file) {
  const std::size_t index = sources_.size();
  Source& source = sources_.emplace_back();
  source.path = file;
  source.text = std::move(text);
  for (const std::string_view name : ibnl_system_names(source.text)) {
    types_.insert_or_assign(std::string(name), Type{index, {}});
  }
}

const IbnlFile& SystemModels::file_of(const std::string& type) {
  auto found = types_.find(type);
  if (found == types_.end()) {
    if (auto text = adapter_text(type)) {
      add(std::move(*text), type);
      found = types_.find(type);
    }
  }
  if (found == types_.end()) {
    std::vector<std::string> names;
    names.reserve(types_.size());
    for (const auto& [name, unused] : types_) names.push_back(name);
    const std::string near = near_names(type, names);
    throw InputError(
        fmt::format("no IBNL file describes the system type '{}'{}: put its .ibnl file beside the topology "
                    "file, or name its "
                    "folder in IBDM_IBNL_PATH (looked into: {})",
                    shown(type), near.empty() ? "" : " (" + near + ")", fmt::join(folders_, ", ")));
  }
  Source& source = sources_[found->second.source];
  if (!found->second.again_in.empty()) {
    throw InputError(fmt::format("the system type '{}' is described in {} and in {}: one of them must go",
                                 shown(type), source.path, found->second.again_in));
  }
  if (!source.read) {
    source.file = read_ibnl(source.text, source.path);
    source.read = true;
  }
  return source.file;
}

const SystemPlan& SystemModels::plan(const std::string& type, const BoardVariants& variants) {
  const auto key = std::make_pair(type, variants);
  const auto found = plans_.find(key);
  if (found != plans_.end()) return found->second;
  return plans_.emplace(key, plan_system(file_of(type), variants)).first->second;
}

bool SystemModels::same(const std::string& a, const std::string& b) const {
  if (a == b) return true;
  const auto x = types_.find(a);
  const auto y = types_.find(b);
  return x != types_.end() && y != types_.end() && x->second.source == y->second.source;
}

std::vector<std::string> system_model_folders(const std::string& topology_file) {
  const fs::path parent = fs::path(topology_file).parent_path();
  std::vector<std::string> folders{parent.empty() ? "." : parent.string(), (parent / "ibnl").string()};
  if (const char* const path = std::getenv("IBDM_IBNL_PATH")) {  // NOLINT(concurrency-mt-unsafe)
    constexpr std::string_view kBetween = ":, ";
    const std::string_view all(path);
    for (std::size_t begin = all.find_first_not_of(kBetween); begin != std::string_view::npos;) {
      const std::size_t end = std::min(all.find_first_of(kBetween, begin), all.size());
      folders.emplace_back(all.substr(begin, end - begin));
      begin = all.find_first_not_of(kBetween, end);
    }
  }
  // ibutils: /usr/lib/x86_64-linux-gnu/ibdm1.5.7/ibnl, /usr/lib/ibdm1.0/ibnl; ibdiagnet 2:
  // /usr/share/ibdm2.1.1/ibnl.
  std::vector<std::string> bases{"/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share"};
  const auto triplets =
      paths_in("/usr/lib", [](const std::string& name) { return name.ends_with("-linux-gnu"); });
  bases.insert(bases.end(), triplets.begin(), triplets.end());
  for (const std::string& base : bases) {
    for (const std::string& found :
         paths_in(base, [](const std::string& name) { return name.starts_with("ibdm"); })) {
      std::error_code error;
      const fs::path folder = fs::path(found) / "ibnl";
      if (fs::is_directory(folder, error)) folders.push_back(folder.string());
    }
  }
  return folders;
}

}  // namespace unknot
