// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace unknot::sweep {

/// Who does what, among the processes that share a sweep: a lock on one byte of a file for each cell, at the
/// place that its key names. The kernel lets go of the locks of a process when it ends, however it ends; on
/// NFS the server does so (fcntl(2), open file description locks). The file stays empty.
///
/// Locks are of the Claims object: two of them exclude each other, in one process or in two; the threads
/// that share one do not.
class Claims {
 public:
  /// Makes the file where it is missing. Throws InputError.
  explicit Claims(std::string path);
  ~Claims();
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

  /// False where another one has it. Throws InputError where the file system has no locks.
  [[nodiscard]] bool take(std::uint64_t key);
  void release(std::uint64_t key);
  /// Waits for the lock that is no cell's: of the table that all write.
  void take_table();
  void release_table();

 private:
  [[nodiscard]] bool lock(std::int64_t at, int kind, bool wait) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace unknot::sweep
