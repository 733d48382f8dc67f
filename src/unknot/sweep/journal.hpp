// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace unknot::sweep {

/// What is known of a cell.
struct Record {
  bool refused = false;  ///< bad input: worth another try by a later run, which may find it mended
  std::string text;      ///< one line, whatever the caller makes of it
};

/// The finished cells of a sweep, in files of a folder. Every process that adds any has a file of its own,
/// to which it appends whole lines, on the disk before add() returns; nobody changes a line. A process may be
/// killed at any moment: a line that it was writing has no end or another hash than it says, and is passed
/// over.
///
/// For one thread at a time.
class Journal {
 public:
  /// Makes the folder where it is missing (its parent is there), and reads what is in it.
  explicit Journal(std::string folder);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Reads what other processes have added since. Linear in that, and in the number of files.
  void refresh();
  /// Those that have been refused so far count as unknown, until they are added again.
  void forget_refused();
  /// nullptr where the cell is not finished.
  [[nodiscard]] const Record* find(std::uint64_t key) const;
  /// Throws InputError where it cannot be written; the journal is of no further use then.
  void add(std::uint64_t key, Record record);
  /// Whole lines that are none of a journal's: somebody or a failing disk has changed a file.
  [[nodiscard]] std::size_t damaged_lines() const { return damaged_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  void read_more(const std::string& path, std::uint64_t& offset);
  void take_line(std::string_view line);
  void keep(std::uint64_t key, Record record);
  void open_own();

  std::string folder_;
  std::unordered_map<std::uint64_t, Record> records_;
  std::unordered_map<std::string, std::uint64_t> offsets_;  // of each file, how much has been read
  std::string own_path_;
  int own_ = -1;
  std::size_t damaged_ = 0;
};

}  // namespace unknot::sweep
