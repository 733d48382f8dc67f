// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/point_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/json_keys.hpp"

namespace unknot {
namespace {

constexpr mode_t kFileMode = 0644;

}  // namespace

PointFile::PointFile(std::string path, const std::function<void(const Json&)>& check)
    : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kFileMode);
  if (file_ < 0) throw InputError(fmt::format("{}: cannot open: {}", path_, std::strerror(errno)));
  try {
    struct stat status {};
    if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw InputError(fmt::format("{}: is no regular file, where finished points can be kept", path_));
    }
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw InputError(fmt::format("{}: is in use by another run", path_));
    }
    const std::string text = read_file(path_);
    const std::size_t whole = read(text, check);
    if (whole < text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0) {
      throw InputError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
    }
  } catch (...) {
    ::close(file_);
    throw;
  }
}

PointFile::~PointFile() {
  ::close(file_);
}

std::size_t PointFile::read(const std::string& text, const std::function<void(const Json&)>& check) {
  std::size_t begin = 0;
  for (std::size_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut short by a crash
    try {
      const std::string_view one = std::string_view(text).substr(begin, end - begin);
      const Json json = Json::parse(one);
      refuse_keys_given_twice(one, path_, line);
      check(json);
      lines_[json.at("point").get<std::string>()] = one;
    } catch (const Json::exception&) {
      throw InputError(path_, line,
                       "expected the result of a point, one JSON object, as 'reproduce --resume' writes it");
    }
    begin = end + 1;
  }
  // Any text file without a line end would pass as cut short: ours begin like this.
  const std::string_view rest = std::string_view(text).substr(begin);
  constexpr std::string_view kBegin = R"({"point":)";
  if (rest.substr(0, kBegin.size()) != kBegin.substr(0, rest.size())) {
    throw InputError(fmt::format("{}: does not end like a file of finished points", path_));
  }
  return begin;
}

std::optional<PointFile::Json> PointFile::find(const std::string& key) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = lines_.find(key);
  if (found == lines_.end()) return std::nullopt;
  return Json::parse(found->second);
}

void PointFile::add(const std::string& key, const Json& parts) {
  Json json = {{"point", key}};
  json.update(parts);
  std::string line = json.dump() + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw InputError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fdatasync(file_) != 0) {
    throw InputError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
  }
  line.pop_back();
  lines_[key] = std::move(line);
}

}  // namespace unknot
