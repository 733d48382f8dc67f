// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/table_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/number.hpp"

namespace unknot::slurm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "job-";
constexpr std::string_view kSuffix = ".routes";
constexpr std::string_view kTemporary = ".new-";  // folders that are being made or taken away
constexpr auto kPause = std::chrono::milliseconds(10);

[[noreturn]] void fail(const std::string& path, const char* what, const std::string& why) {
  throw InputError(fmt::format("{}: cannot {}: {}", path, what, why));
}

std::optional<std::uint64_t> job_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return number_in<std::uint64_t>(std::string_view(name).substr(kPrefix.size()));
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  if (error) fail(folder.string(), "read", error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

TableFolder::TableFolder(const std::string& path, double seconds) : path_(path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(path, "make the folder", error.message());
  const std::string lock = (fs::path(path) / ".lock").string();
  lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (lock_ < 0) fail(lock, "write", std::strerror(errno));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    if ((reason == EWOULDBLOCK || reason == EINTR) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    ::close(lock_);
    if (reason != EWOULDBLOCK && reason != EINTR) fail(lock, "lock", std::strerror(reason));
    throw InputError(
        fmt::format("{}: another process has the tables locked for more than {} s", lock, seconds));
  }
  try {
    clear_leftovers();
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

TableFolder::~TableFolder() {
  ::close(lock_);
}

void TableFolder::clear_leftovers() const {
  for (const fs::path& entry : sorted_entries(path_)) {
    std::error_code error;
    if (entry.filename().string().starts_with(kTemporary)) fs::remove_all(entry, error);
    if (error) fail(entry.string(), "remove", error.message());
  }
}

std::string TableFolder::path_of(std::uint64_t job) const {
  return (fs::path(path_) / fmt::format("{}{}", kPrefix, job)).string();
}

std::vector<RunningJob> TableFolder::others(std::uint64_t job) const {
  std::vector<std::pair<std::uint64_t, fs::path>> folders;
  for (const fs::path& entry : sorted_entries(path_)) {
    const auto number = job_of(entry.filename().string());
    if (number && *number != job) folders.emplace_back(*number, entry);
  }
  std::sort(folders.begin(), folders.end());
  std::vector<RunningJob> jobs;
  for (const auto& [number, folder] : folders) {
    RunningJob one{fmt::format("job {}", number), {}, {}};
    for (const fs::path& file : sorted_entries(folder)) {
      std::string name = file.filename().string();
      if (!name.ends_with(kSuffix)) continue;
      std::string text = read_file(file.string());
      if (text.empty())
        throw InputError(fmt::format("{}: is empty, expected the routes of a node", file.string()));
      one.files.emplace_back(file.string(), std::move(text));
      one.nodes.push_back(name.substr(0, name.size() - kSuffix.size()));
    }
    jobs.push_back(std::move(one));
  }
  return jobs;
}

void TableFolder::put(std::uint64_t job,
                      const std::vector<std::pair<std::string, std::string>>& files) const {
  const fs::path target = path_of(job);
  const fs::path fresh = fs::path(path_) / fmt::format("{}{}", kTemporary, job);
  try {
    std::error_code error;
    fs::create_directory(fresh, error);
    if (error) fail(fresh.string(), "make the folder", error.message());
    for (const auto& [node, text] : files)
      write_file((fresh / fmt::format("{}{}", node, kSuffix)).string(), text, Lasting::later);
    sync_file_system(fresh.string());
    // Exchanged with what was there, so that a reader finds the old tables or the new ones at any time.
    const bool replaces = fs::exists(target, error);
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, target.c_str(), replaces ? RENAME_EXCHANGE : 0U) != 0)
      fail(target.string(), "write", std::strerror(errno));
    sync_folder(path_);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw;
  }
  std::error_code ignored;  // cleared by the next one
  fs::remove_all(fresh, ignored);
}

bool TableFolder::remove(std::uint64_t job) const {
  const fs::path target = path_of(job);
  const fs::path gone = fs::path(path_) / fmt::format("{}{}", kTemporary, job);
  std::error_code error;
  if (!fs::exists(target, error)) return false;
  fs::rename(target, gone, error);
  if (error) fail(target.string(), "remove", error.message());
  fs::remove_all(gone, error);
  if (error) fail(gone.string(), "remove", error.message());
  return true;
}

}  // namespace unknot::slurm
