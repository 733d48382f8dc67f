// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/slurm/job_tables.hpp"

namespace unknot::slurm {

/// The folder in which each running job has a folder with its tables, `job-<id>`. Locked for as long as the
/// object lives: one process at a time compares jobs and changes them. Readers need no lock: a job's folder
/// appears whole, is replaced as a whole, and is taken away as a whole.
class TableFolder {
 public:
  /// Makes the folder where there is none, waits for the lock, and clears what a process that died has left.
  /// Throws InputError where that is not possible within this many seconds.
  TableFolder(const std::string& path, double seconds);
  ~TableFolder();
  TableFolder(const TableFolder&) = delete;
  TableFolder& operator=(const TableFolder&) = delete;

  /// Tables of all jobs but this one, by number; a folder without any counts too. Throws InputError where one
  /// cannot be read or is empty.
  [[nodiscard]] std::vector<RunningJob> others(std::uint64_t job) const;
  /// Puts a job's files in place, `<node>.routes` each, instead of those it had. Throws InputError where they
  /// cannot be written; what was there before is there still.
  void put(std::uint64_t job, const std::vector<std::pair<std::string, std::string>>& files) const;
  /// Takes a job's tables away; false when there are none.
  [[nodiscard]] bool remove(std::uint64_t job) const;

  [[nodiscard]] std::string path_of(std::uint64_t job) const;

 private:
  void clear_leftovers() const;
  std::string path_;
  int lock_ = -1;
};

}  // namespace unknot::slurm
