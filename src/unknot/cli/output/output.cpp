// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/message_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw InputError(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
  }
}

void print(const Answer& answer) {
  if (!answer.document.is_null())
    print(answer.document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!answer.text.empty()) print(answer.text);
}

void message(std::string_view text) {
  const std::string line = fmt::format("unknot: {}\n", message_text(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void note(const Common& common, std::string_view text) {
  if (!common.quiet) message(text);
}

void check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::vector<std::string> seen;
  std::vector<fs::path> read;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!input.empty() && fs::is_regular_file(input, ignored)) read.emplace_back(input);
  }
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::string target = path == "-" ? path : link_target(path);
    std::error_code unnamed;  // a folder that is not there is told below
    const std::string name =
        path == "-" ? path : fs::weakly_canonical(fs::absolute(target, unnamed), unnamed).string();
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      throw InputError(fmt::format("{}: two outputs cannot go to the same file", path));
    }
    seen.push_back(name);
    if (path == "-") continue;
    std::error_code ignored;
    for (const fs::path& input : read) {
      if (fs::equivalent(input, path, ignored))
        throw InputError(fmt::format("{}: the output would replace {}, which is read", path, input.string()));
    }
    if (fs::is_directory(path, ignored)) {
      throw InputError(fmt::format("{}: is a directory, expected a file to write", path));
    }
    const fs::path folder =
        fs::path(target).has_parent_path() ? fs::path(target).parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) {
      throw InputError(fmt::format("{}: cannot write: there is no folder {}", path, folder.string()));
    }
    // A device that exists may be writable in a folder that is not.
    const bool exists = fs::exists(path, ignored);
    const bool device = exists && !fs::is_regular_file(path, ignored);
    if (::access(device ? path.c_str() : folder.c_str(), W_OK) != 0) {
      throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    }
  }
}

}  // namespace unknot::cli
