// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>

namespace unknot {

/// Results of points on disk, a line of JSON each, so that a campaign that was stopped goes on where it was.
/// A line is written whole, and is on the disk when add() returns; what a crash leaves of a last line is cut
/// off when the file is opened again. Numbers are written so that they read back as the same bits.
class PointFile {
 public:
  using Json = nlohmann::ordered_json;
  /// Reads what is there, or begins a new file. `check` throws an exception of the JSON library where a line
  /// lacks parts of a result. InputError where the file cannot be read or written, where a line other than
  /// the last is not one of ours, and where another process has it open.
  PointFile(std::string path, const std::function<void(const Json& line)>& check);
  ~PointFile();
  PointFile(const PointFile&) = delete;
  PointFile& operator=(const PointFile&) = delete;

  /// The line with that key.
  [[nodiscard]] std::optional<Json> find(const std::string& key) const;
  /// The parts of a result are added behind the key. From any thread. InputError where it cannot be written.
  void add(const std::string& key, const Json& parts);

 private:
  /// Takes the lines of `text`; returns the length of what is whole.
  std::size_t read(const std::string& text, const std::function<void(const Json& line)>& check);

  std::string path_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> lines_;  ///< by key
};

}  // namespace unknot
