// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/set_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/number.hpp"

namespace unknot::watch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSetPrefix = "set-";
constexpr std::string_view kUnfinished = ".new-";
constexpr const char* kCurrent = "current";

[[noreturn]] void fail_set(const fs::path& path, const char* what, const std::error_code& error) {
  throw InputError(fmt::format("{}: cannot {}: {}", path.string(), what, error.message()));
}

std::optional<std::uint64_t> number_of_set(const std::string& name) {
  if (!name.starts_with(kSetPrefix)) return std::nullopt;
  return number_in<std::uint64_t>(std::string_view(name).substr(kSetPrefix.size()));
}

}  // namespace

Descriptor lock_folder(const std::string& folder) {
  const std::string path = (fs::path(folder) / ".lock").string();
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (lock.get() < 0) throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) throw InputError(fmt::format("{}: cannot lock: {}", path, std::strerror(errno)));
  throw InputError(fmt::format("{}: another process follows a fabric with this folder", folder));
}

SetFolder::SetFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) fail_set(path_, "make the folder", error);
  lock_ = lock_folder(path_);
  read_current();
  clear();
}

std::string SetFolder::name_of(std::uint64_t number) {
  return fmt::format("{}{:06}", kSetPrefix, number);
}

std::string SetFolder::current() const {
  return (fs::path(path_) / name_of(number_)).string();
}

void SetFolder::read_current() {
  const fs::path link = fs::path(path_) / kCurrent;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(link, error);
  if (status.type() == fs::file_type::not_found) return;
  const fs::path to = fs::is_symlink(status) ? fs::read_symlink(link, error) : fs::path();
  const std::optional<std::uint64_t> number = number_of_set(to.string());
  if (!number || *number == 0 || name_of(*number) != to.string()) {
    throw InputError(
        fmt::format("{}: expected a symbolic link to a set of tables, as unknot makes it", link.string()));
  }
  number_ = *number;
}

void SetFolder::clear() const {
  std::error_code error;
  std::vector<fs::path> gone;
  for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::optional<std::uint64_t> set = number_of_set(name);
    // A set above the one in force was ready, and its process was killed before it was put in force.
    if (name.starts_with(kUnfinished) || (set && (*set > number_ || *set + 1 < number_)))
      gone.push_back(at->path());
  }
  if (error) fail_set(path_, "read", error);
  for (const fs::path& one : gone) {
    fs::remove_all(one, error);
    if (error) fail_set(one, "remove", error);
  }
}

bool SetFolder::install(const std::function<bool(const std::string& folder)>& fill) {
  const std::uint64_t number = number_ + 1;
  const fs::path folder(path_);
  const fs::path making = folder / fmt::format("{}{}", kUnfinished, name_of(number));
  const fs::path link = folder / fmt::format("{}{}", kUnfinished, kCurrent);
  std::error_code error;
  clear();
  fs::create_directory(making, error);
  if (error) fail_set(making, "make the folder", error);
  bool filled = false;
  try {
    filled = fill(making.string());
  } catch (...) {
    fs::remove_all(making, error);
    throw;
  }
  if (!filled) {
    fs::remove_all(making, error);
    return false;
  }
  sync_folder(making.string());
  const fs::path set = folder / name_of(number);
  fs::rename(making, set, error);
  if (error) fail_set(set, "put in place", error);
  fs::create_symlink(name_of(number), link, error);
  if (error) fail_set(link, "write", error);
  sync_folder(path_);
  fs::rename(link, folder / kCurrent, error);
  if (error) fail_set(folder / kCurrent, "put in place", error);
  number_ = number;
  try {
    sync_folder(path_);
    clear();
  } catch (
      const InputError&) {  // NOLINT(bugprone-empty-catch): it is in force, and what is left goes next time
  }
  return true;
}

}  // namespace unknot::watch
