// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kReadPiece = std::size_t{1} << 20;
constexpr mode_t kFileMode = 0644;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  bool close() {
    if (fd_ <= STDERR_FILENO) return true;
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

void write_all(int fd, std::string_view piece, const std::string& path) {
  while (!piece.empty()) {
    const ssize_t written = ::write(fd, piece.data(), piece.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    }
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw InputError(fmt::format("{}: cannot open: {}", path, std::strerror(errno)));
  struct stat status {};
  std::string text;
  std::size_t size = 0;
  if (::fstat(file.get(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a directory, expected a file", path));
    if (S_ISREG(status.st_mode)) text.resize(static_cast<std::size_t>(status.st_size));
  }
  for (;;) {
    if (size == text.size()) {
      // A regular file is read in one go; one more read tells that it has ended.
      char probe = 0;
      const ssize_t got = ::read(file.get(), &probe, 1);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw InputError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
      if (got == 0) break;
      text.resize(size + kReadPiece);
      text[size++] = probe;
    }
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

void write_file(const std::string& path, const std::function<void(const FileSink&)>& produce) {
  if (path == "-") {
    produce([&](std::string_view piece) { write_all(STDOUT_FILENO, piece, "standard output"); });
    return;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // A device or a pipe (/dev/null, /dev/fd/3) must not be renamed over.
    if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a directory, expected a file", path));
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    produce([&](std::string_view piece) { write_all(file.get(), piece, path); });
    return;
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
  if (file.get() < 0) throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
  try {
    produce([&](std::string_view piece) { write_all(file.get(), piece, path); });
    if (!file.close()) throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
      throw InputError(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void write_file(const std::string& path, std::string_view content) {
  write_file(path, [&](const FileSink& sink) { sink(content); });
}

}  // namespace unknot
