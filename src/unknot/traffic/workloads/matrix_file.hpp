// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Communication matrices in files: as many lines as numbers on each, the number in line r and column c (from
// 0) being the bytes that rank r sends to rank c. Numbers are separated by blanks, tabs or a comma; they are
// whole, in digits or as other tools print them ("1.024000e+03"). The diagonal is zero. Empty lines and what
// follows a # are skipped.
namespace unknot {

/// What is not zero in a matrix, in compressed rows.
struct CommunicationMatrix {
  struct Entry {
    std::uint32_t column;
    std::uint64_t bytes;
    bool operator==(const Entry&) const = default;
  };
  std::uint32_t ranks = 0;
  std::vector<std::uint64_t> first{0};  ///< row r is entries[first[r] .. first[r+1]), columns ascending
  std::vector<Entry> entries;
  bool operator==(const CommunicationMatrix&) const = default;
};

struct RankMessage {
  std::uint32_t source, destination;
  std::uint64_t bytes;
};
/// Messages of one pair added up. O(messages log messages).
CommunicationMatrix matrix_of_messages(std::uint32_t ranks, std::vector<RankMessage> messages);

/// Matrix of such a text. InputError with file and line for anything else, more ranks than `most_ranks` (the
/// terminals of the network), or nothing but zeros. `file` names the text in messages. O(text).
CommunicationMatrix parse_matrix(std::string_view text, const std::string& file, std::uint32_t most_ranks);

/// The text of a matrix. O(ranks^2).
std::string matrix_text(const CommunicationMatrix& matrix);

}  // namespace unknot
