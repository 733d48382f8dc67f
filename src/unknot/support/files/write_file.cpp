// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/stop_request.hpp"
#include "unknot/support/files/system_error.hpp"
#include "unknot/support/files/temporary_file.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFileMode = 0644;
constexpr mode_t kOwnMode = 0600;
constexpr mode_t kPermissions = 0777;
constexpr int kPause = 20;  // milliseconds

void write_all(int fd, std::string_view piece, const std::string& path) {
  while (!piece.empty()) {
    const ssize_t written = ::write(fd, piece.data(), piece.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_to("write", path);
    }
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// What is no file and must not be renamed over: /dev/null, /dev/fd/3, a pipe.
void write_through(const std::string& path, const std::function<void(const FileSink&)>& produce) {
  Descriptor file;
  for (;;) {
    file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() >= 0) break;
    if (errno != ENXIO) fail_to("write", path);
    // A pipe that nobody reads yet. No signal ends an open() that waits for a reader.
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) fail_to("write", path, ENXIO);
    wait_milliseconds(kPause);
  }
  const int flags = ::fcntl(file.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) fail_to("write", path);
  produce([&](std::string_view piece) { write_all(file.get(), piece, path); });
  if (!file.close()) fail_to("write", path);
}

/// Owner and mode of the file that is replaced. A group that is not kept gets no more than all others have.
void keep_mode(int fd, const struct stat& replaced) {
  mode_t mode = replaced.st_mode & kPermissions;
  struct stat fresh {};
  const bool same_group = ::fstat(fd, &fresh) == 0 && fresh.st_gid == replaced.st_gid;
  if (fresh.st_uid != replaced.st_uid || !same_group) {
    const bool kept = ::fchown(fd, replaced.st_uid, replaced.st_gid) == 0 ||
                      ::fchown(fd, static_cast<uid_t>(-1), replaced.st_gid) == 0;
    if (!kept && !same_group) mode &= ~mode_t{S_IRWXG} | ((mode & S_IRWXO) << 3U);
  }
  // File systems without modes refuse, and have nothing to keep.
  (void)::fchmod(fd, mode);
}

void sync_content(int fd) {
  if (::fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
  throw std::system_error(errno, std::generic_category());
}

void replace_file(const std::string& path, const fs::path& target, const struct stat* replaced,
                  const std::function<void(const FileSink&)>& produce, Lasting lasting) {
  try {
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
    auto file = std::make_unique<TemporaryFile>(folder, replaced != nullptr ? kOwnMode : kFileMode);
    produce([&](std::string_view piece) { write_all(file->get(), piece, path); });
    if (replaced != nullptr) keep_mode(file->get(), *replaced);
    if (lasting == Lasting::now) sync_content(file->get());
    if (FileGroup* group = FileGroup::current(); group != nullptr) {
      group->keep(std::move(file), target.filename().string(), path);
      return;
    }
    file->rename_to(target.filename().string());
    if (lasting == Lasting::now) file->sync_names();
  } catch (const std::system_error& error) {
    fail_to("write", path, error.code().value());
  }
}

}  // namespace

void write_file(const std::string& path, const std::function<void(const FileSink&)>& produce,
                Lasting lasting) {
  if (path == "-") {
    produce([&](std::string_view piece) { write_all(STDOUT_FILENO, piece, "standard output"); });
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  // Among others a link that the system does not follow, as it is someone else's in a folder for all.
  if (!exists && errno != ENOENT) fail_to("write", path);
  if (exists && S_ISDIR(status.st_mode))
    throw InputError(fmt::format("{}: is a directory, expected a file", path));
  if (exists && !S_ISREG(status.st_mode)) {
    write_through(path, produce);
  } else {
    replace_file(path, link_target(path), exists ? &status : nullptr, produce, lasting);
  }
}

void write_file(const std::string& path, std::string_view content, Lasting lasting) {
  write_file(
      path, [&](const FileSink& sink) { sink(content); }, lasting);
}

}  // namespace unknot
