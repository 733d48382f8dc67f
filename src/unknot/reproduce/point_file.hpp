// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "unknot/reproduce/simulated_point.hpp"

namespace unknot {

/// Results of points on disk, a line of JSON each, so that a campaign that was stopped goes on where it was.
/// A line is written whole, and is on the disk when add() returns; what a crash leaves of a last line is cut
/// off when the file is opened again. Numbers are written so that they read back as the same bits.
class PointFile {
 public:
  /// Reads what is there, or begins a new file. InputError where it cannot be read or written, where a line
  /// other than the last is not one of ours, and where another process has it open.
  explicit PointFile(std::string path);
  ~PointFile();
  PointFile(const PointFile&) = delete;
  PointFile& operator=(const PointFile&) = delete;

  [[nodiscard]] std::optional<PointResult> find(const std::string& key) const;
  /// From any thread. InputError where it cannot be written.
  void add(const std::string& key, const PointResult& result);

 private:
  /// Takes the lines of `text`; returns the length of what is whole.
  std::size_t read(const std::string& text);

  std::string path_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, PointResult> results_;
};

}  // namespace unknot
