// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/claims.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "unknot/support/error.hpp"

namespace unknot::sweep {
namespace {

constexpr mode_t kFileMode = 0644;
constexpr std::int64_t kTable = 0;

/// Keys that differ in the lowest two bits alone share a place: then one waits for the other, no more.
std::int64_t place_of(std::uint64_t key) {
  return static_cast<std::int64_t>(key >> 2U) + 1;
}

}  // namespace

Claims::Claims(std::string path)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kFileMode)) {
  if (file_ < 0) throw InputError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
}

Claims::~Claims() {
  ::close(file_);
}

bool Claims::lock(std::int64_t at, int kind, bool wait) const {
  struct flock range {};
  range.l_type = static_cast<short>(kind);
  range.l_whence = SEEK_SET;
  range.l_start = at;
  range.l_len = 1;
  while (::fcntl(file_, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range) != 0) {
    if (errno == EINTR) continue;
    if (!wait && (errno == EAGAIN || errno == EACCES)) return false;
    throw InputError(fmt::format("{}: cannot lock: {}; a sweep needs a file system with locks", path_,
                                 std::strerror(errno)));
  }
  return true;
}

bool Claims::take(std::uint64_t key) {
  return lock(place_of(key), F_WRLCK, false);
}

void Claims::release(std::uint64_t key) {
  (void)lock(place_of(key), F_UNLCK, false);
}

void Claims::take_table() {
  (void)lock(kTable, F_WRLCK, true);
}

void Claims::release_table() {
  (void)lock(kTable, F_UNLCK, false);
}

}  // namespace unknot::sweep
