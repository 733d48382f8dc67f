// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

#include "unknot/support/descriptor.hpp"

namespace unknot {

/// A new file in a folder under a name that nobody can guess, ".unknot-<16 hexadecimal digits>.tmp", which no
/// link can take the place of. It is locked (flock) while the object lives: where one has no holder, its
/// process was killed, and the first file that another process makes in that folder clears it away.
class TemporaryFile {
 public:
  /// Makes it with that mode (less the umask). Throws std::system_error.
  TemporaryFile(const std::string& folder, mode_t mode);
  /// Removes it unless it has its final name.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int get() const { return file_.get(); }
  /// Gives it a name in its folder, in place of a file that has it. Throws std::system_error.
  void rename_to(const std::string& name);
  /// Brings the names in the folder to the disk. Throws std::system_error.
  void sync_names() const;

 private:
  Descriptor folder_;
  Descriptor file_;
  std::string name_;  // empty once it has its final one
};

}  // namespace unknot
