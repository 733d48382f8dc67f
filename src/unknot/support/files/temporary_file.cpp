// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/files/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "unknot/support/files/system_error.hpp"

namespace unknot {
namespace {

constexpr std::string_view kPrefix = ".unknot-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kDigits = 16;
constexpr int kTries = 100;

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category());
}

std::string new_name() {
  std::uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) fail();
  return fmt::format("{}{:016x}{}", kPrefix, number, kSuffix);
}

bool is_temporary(std::string_view name) {
  return name.size() == kPrefix.size() + kDigits + kSuffix.size() && name.starts_with(kPrefix) &&
         name.ends_with(kSuffix) &&
         name.substr(kPrefix.size(), kDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Removes one that is ours and that nobody holds. Whatever else it may be stays.
void clear_one(int folder, const char* name) {
  const Descriptor file(::openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat opened {};
  struct stat named {};
  if (file.get() < 0 || ::fstat(file.get(), &opened) != 0) return;
  if (!S_ISREG(opened.st_mode) || opened.st_uid != ::geteuid()) return;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  // Its holder may have given it its final name between the two.
  if (::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) ::unlinkat(folder, name, 0);
}

/// Once for each folder and process: a folder may hold many files, and many may be written into it. The time
/// of its birth tells it from one that had its number before.
bool first_time(int folder) {
  static std::mutex mutex;
  static std::set<std::array<std::uint64_t, 5>> seen;
  struct statx status {};
  if (::statx(folder, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0) return false;
  const std::lock_guard<std::mutex> lock(mutex);
  return seen
      .insert({status.stx_dev_major, status.stx_dev_minor, status.stx_ino,
               static_cast<std::uint64_t>(status.stx_btime.tv_sec), status.stx_btime.tv_nsec})
      .second;
}

void clear_leftovers(int folder) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(again < 0 ? nullptr : ::fdopendir(again), ::closedir);
  if (!entries) return;  // one may write into a folder that one cannot list
  while (const dirent* entry = ::readdir(entries.get())) {
    if (is_temporary(entry->d_name)) clear_one(folder, entry->d_name);
  }
}

thread_local FileGroup* group_of_thread = nullptr;

}  // namespace

TemporaryFile::TemporaryFile(const std::string& folder, mode_t mode)
    : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.get() < 0) fail();
  if (first_time(folder_.get())) clear_leftovers(folder_.get());
  for (int tries = 0; tries < kTries; ++tries) {
    name_ = new_name();
    file_ = Descriptor(
        ::openat(folder_.get(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (file_.get() < 0 && errno == EEXIST) continue;
    if (file_.get() < 0) fail();
    // Another process may have found it before it was locked, and then removes it. Where a file system has no
    // locks, nobody removes it.
    const bool taken = ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat status {};
    if (!taken && ::fstat(file_.get(), &status) == 0 && status.st_nlink > 0) return;
    ::unlinkat(folder_.get(), name_.c_str(), 0);
  }
  errno = EBUSY;
  fail();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) ::unlinkat(folder_.get(), name_.c_str(), 0);
}

void TemporaryFile::rename_to(const std::string& name) {
  if (::renameat(folder_.get(), name_.c_str(), folder_.get(), name.c_str()) != 0) fail();
  name_.clear();
}

void TemporaryFile::sync_names() const {
  const Descriptor folder(::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that cannot be listed cannot be opened either: then the whole file system.
  if ((folder.get() < 0 ? ::syncfs(file_.get()) : ::fsync(folder.get())) == 0) return;
  if (errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail();  // not every file system can
}

FileGroup::FileGroup() {
  group_of_thread = this;
}

FileGroup::~FileGroup() {
  group_of_thread = nullptr;
}

FileGroup* FileGroup::current() {
  return group_of_thread;
}

void FileGroup::keep(std::unique_ptr<TemporaryFile> file, std::string name, std::string path) {
  files_.push_back({std::move(file), std::move(name), std::move(path)});
}

void FileGroup::commit() {
  for (Waiting& one : files_) {
    try {
      one.file->rename_to(one.name);
      one.file->sync_names();
    } catch (const std::system_error& error) {
      fail_to("write", one.path, error.code().value());
    }
  }
  files_.clear();
}

}  // namespace unknot
