// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "unknot/support/files/descriptor.hpp"

namespace unknot::watch {

/// The folder in which tables are installed, a set of files that belong together at a time:
///
///     current -> set-000007   the set in force
///     set-000007/ set-000006/ it, and the one before, which somebody may be reading
///
/// `current` is a symbolic link that one rename() changes: whoever opens files by it gets those of one set or
/// of the next, each whole. A process may be killed at any moment: what it has not finished is under a name
/// that begins with a dot, and goes with the next one that opens the folder. Locked for as long as the object
/// lives: one process at a time installs.
class SetFolder {
 public:
  /// Makes the folder where there is none. Throws InputError where that cannot be, where another process has
  /// it locked, and where `current` is there and is no link to a set.
  explicit SetFolder(std::string path);

  /// Number of the set in force; 0 where none is.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// "set-000007".
  static std::string name_of(std::uint64_t number);
  /// Path of the set in force. To be asked where number() is not 0.
  [[nodiscard]] std::string current() const;

  /// Puts a new set in force: `fill` gets an empty folder and writes the files, on the disk when it returns.
  /// Where it throws or gives false nothing changes. InputError where the set cannot be put in place.
  bool install(const std::function<bool(const std::string& folder)>& fill);

 private:
  void read_current();
  void clear() const;

  std::string path_;
  Descriptor lock_;
  std::uint64_t number_ = 0;
};

/// Locks a file in a folder while the result lives. InputError, "<folder>: another process ...", where
/// another process has it.
Descriptor lock_folder(const std::string& folder);

}  // namespace unknot::watch
