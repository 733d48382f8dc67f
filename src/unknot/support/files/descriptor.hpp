// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace unknot {

/// Owns an open file; standard input, output and error are never closed.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  /// Negative where nothing is open.
  [[nodiscard]] int get() const { return fd_; }
  /// False, with errno, where the system could not keep what was written.
  bool close() {
    const int fd = std::exchange(fd_, -1);
    return fd <= STDERR_FILENO || ::close(fd) == 0;
  }

 private:
  int fd_ = -1;
};

}  // namespace unknot
