// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "unknot/support/files/descriptor.hpp"

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

/// Files that belong together, as tables and the lanes they need: while one lives, the files that
/// write_file() writes on its thread, devices apart, wait under their temporary names, and commit() gives all
/// of them their final ones. Where it does not come to that, none of them is left. One at a time in a thread.
class FileGroup {
 public:
  FileGroup();
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  /// InputError where a file cannot get its name; those before it have theirs.
  void commit();

  /// That of this thread, or none.
  static FileGroup* current();
  /// Takes a file that is written and on the disk, and is to be called `name` in its folder. `path` is what
  /// the user called it.
  void keep(std::unique_ptr<TemporaryFile> file, std::string name, std::string path);

 private:
  struct Waiting {
    std::unique_ptr<TemporaryFile> file;
    std::string name, path;
  };
  std::vector<Waiting> files_;
};

}  // namespace unknot
