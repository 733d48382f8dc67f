// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace unknot {

/// Bad input or bad usage: the one type every reader, parser and generator throws. what() is one clear
/// sentence that starts with "file:line: " where the place is known and says what was expected. The command
/// line prints it and exits 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const std::string& file, std::size_t line, const std::string& message)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + message), file_(file), line_(line) {}
  /// Where it is; empty and 0 where the message alone says so.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::string file_;
  std::size_t line_ = 0;
};

/// The user asked to stop (Ctrl-C, a time budget): unwinds to the caller, nothing half-written is left.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace unknot
