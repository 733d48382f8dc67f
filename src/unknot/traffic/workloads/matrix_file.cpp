// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unknot/support/files/append.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {
namespace {

class MatrixReader {
 public:
  MatrixReader(std::string_view text, const std::string& file, std::uint32_t most_ranks)
      : lines_(text, file), most_ranks_(most_ranks) {}

  CommunicationMatrix run() {
    while (lines_.next()) {
      Cursor cursor(lines_.line().substr(0, lines_.line().find('#')));
      cursor.skip_blanks();
      if (!cursor.at_end()) read_row(cursor);
    }
    const std::size_t rows = matrix_.first.size() - 1;
    if (rows == 0) throw InputError(lines_.file() + ": no matrix; expected lines of numbers of bytes");
    if (rows < matrix_.ranks) {
      throw InputError(fmt::format("{}: expected {} lines of numbers, as many as there are on each, not {}",
                                   lines_.file(), matrix_.ranks, rows));
    }
    if (matrix_.entries.empty())
      throw InputError(lines_.file() + ": nothing but zeros: no rank sends anything");
    return std::move(matrix_);
  }

 private:
  void read_row(Cursor& cursor) {
    const auto row = static_cast<std::uint32_t>(matrix_.first.size() - 1);
    if (row > 0 && row == matrix_.ranks)
      lines_.fail(fmt::format("expected {} lines of numbers, as many as there are on each", matrix_.ranks));
    std::uint32_t column = 0;
    for (;; ++column) {
      if (column == (row == 0 ? most_ranks_ : matrix_.ranks)) refuse_length(row);
      read_entry(cursor, row, column);
      cursor.skip_blanks();
      if (cursor.at_end()) break;
      if (!cursor.eat(',')) continue;
      cursor.skip_blanks();
      if (cursor.at_end()) lines_.fail("expected a number behind the last comma");
    }
    if (row == 0) matrix_.ranks = column + 1;
    if (column + 1 != matrix_.ranks) refuse_length(row);
    matrix_.first.push_back(matrix_.entries.size());
  }

  [[noreturn]] void refuse_length(std::uint32_t row) const {
    if (row == 0) lines_.fail(fmt::format("more ranks than the network's {} terminals", most_ranks_));
    lines_.fail(fmt::format("expected {} numbers, as on the first line", matrix_.ranks));
  }

  void read_entry(Cursor& cursor, std::uint32_t row, std::uint32_t column) {
    const std::string_view rest = cursor.rest();
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t,"));
    const std::uint64_t bytes = number(word);
    cursor.eat(word);
    if (bytes == 0) return;
    if (row == column) lines_.fail(fmt::format("rank {} sends to itself", row));
    if (bytes > std::numeric_limits<std::uint64_t>::max() - total_)
      lines_.fail("the messages up to here have 2^64 bytes or more");
    total_ += bytes;
    matrix_.entries.push_back({column, bytes});
  }

  [[nodiscard]] std::uint64_t number(std::string_view word) const {
    Cursor digits(word);
    if (const auto value = digits.decimal(kMostAmount); value && digits.at_end()) return *value;
    const double value = number_in<double>(word).value_or(-1);
    if (value != std::floor(value) || !(value >= 0) || value > static_cast<double>(kMostAmount)) {
      lines_.fail(
          fmt::format("expected a whole number of bytes from 0 to {}, not '{}'", kMostAmount, shown(word)));
    }
    return static_cast<std::uint64_t>(value);
  }

  Lines lines_;
  std::uint32_t most_ranks_;
  std::uint64_t total_ = 0;  // bytes
  CommunicationMatrix matrix_;
};

}  // namespace

CommunicationMatrix matrix_of_messages(std::uint32_t ranks, std::vector<RankMessage> messages) {
  std::sort(messages.begin(), messages.end(), [](const RankMessage& a, const RankMessage& b) {
    return a.source != b.source ? a.source < b.source : a.destination < b.destination;
  });
  CommunicationMatrix matrix;
  matrix.ranks = ranks;
  matrix.first.assign(std::size_t{ranks} + 1, 0);
  const RankMessage* last = nullptr;
  for (const RankMessage& message : messages) {
    if (last != nullptr && last->source == message.source && last->destination == message.destination) {
      matrix.entries.back().bytes += message.bytes;
    } else {
      matrix.entries.push_back({message.destination, message.bytes});
      ++matrix.first[message.source + 1];
    }
    last = &message;
  }
  for (std::uint32_t r = 0; r < ranks; ++r) matrix.first[r + 1] += matrix.first[r];
  return matrix;
}

CommunicationMatrix parse_matrix(std::string_view text, const std::string& file, std::uint32_t most_ranks) {
  return MatrixReader(text, file, most_ranks).run();
}

std::string matrix_text(const CommunicationMatrix& matrix) {
  std::string text;
  for (std::uint32_t row = 0; row < matrix.ranks; ++row) {
    std::uint64_t next = matrix.first[row];
    for (std::uint32_t column = 0; column < matrix.ranks; ++column) {
      const bool here = next < matrix.first[row + 1] && matrix.entries[next].column == column;
      append(text, "{}{}", column == 0 ? "" : " ", here ? matrix.entries[next++].bytes : 0);
    }
    text += '\n';
  }
  return text;
}

}  // namespace unknot
