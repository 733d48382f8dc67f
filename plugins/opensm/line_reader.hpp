// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::opensm {

/// The reason why the tables are not installed: one sentence for OpenSM's log.
class Misfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// " (and 3 more)", "" for 0.
std::string and_more(std::uint64_t others);

/// Lines of a file, read block by block. Not mapped: a file cut short while it is mapped would end OpenSM.
class LineReader {
 public:
  /// Throws Misfit when the file cannot be opened.
  explicit LineReader(const std::string& path);
  /// Next line without its end; false at the end of the file. The view lives until the next call.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Throws Misfit when the last line has no end: the file was cut short, perhaps within a number.
  void expect_whole_line() const;
  /// "file:line: what".
  [[nodiscard]] Misfit misfit(std::string_view what) const;

 private:
  bool refill();
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0;
  bool whole_ = true;
};

/// Takes blanks from the front.
void skip_blanks(std::string_view& text);
/// Takes a number from the front: decimal, or hexadecimal after "0x". False when there is none or when it
/// does not fit 64 bits; `text` is then unspecified.
bool take_number(std::string_view& text, std::uint64_t& value);

}  // namespace unknot::opensm
