// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/program_classes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace unknot {
namespace {

using Entry = LinearProgram::Entry;
using Classes = std::vector<std::uint32_t>;

/// The entries of a matrix in lists, of rows or of columns; `row` of an entry is its place in the other
/// direction.
struct Lists {
  std::vector<std::size_t> first{0};
  std::vector<Entry> entries;

  [[nodiscard]] std::span<const Entry> of(std::size_t list) const {
    return {entries.data() + first[list], entries.data() + first[list + 1]};
  }
};

Lists by_columns(const LinearProgram& program) {
  Lists lists;
  for (std::uint32_t c = 0; c < program.columns(); ++c) {
    program.for_entries(c, [&](Entry entry) { lists.entries.push_back(entry); });
    lists.first.push_back(lists.entries.size());
  }
  return lists;
}

Lists turned(const Lists& columns, std::uint32_t rows) {
  Lists lists;
  lists.first.assign(std::size_t{rows} + 1, 0);
  for (const Entry& entry : columns.entries) ++lists.first[entry.row + 1];
  for (std::size_t r = 0; r < rows; ++r) lists.first[r + 1] += lists.first[r];
  lists.entries.resize(columns.entries.size());
  std::vector<std::size_t> next(lists.first.begin(), lists.first.end() - 1);
  for (std::uint32_t c = 0; c + 1 < columns.first.size(); ++c) {
    for (const Entry& entry : columns.of(c)) lists.entries[next[entry.row]++] = {c, entry.value};
  }
  return lists;
}

std::uint64_t mixed(std::uint64_t x) {  // SplitMix64
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// Numbers in the order in which keys come first.
template <class Key>
Classes numbered(const std::vector<Key>& keys) {
  std::map<Key, std::uint32_t> number;
  Classes classes;
  classes.reserve(keys.size());
  for (const Key& key : keys)
    classes.push_back(number.try_emplace(key, static_cast<std::uint32_t>(number.size())).first->second);
  return classes;
}

std::uint32_t count_of(const Classes& classes) {
  return classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end()) + 1;
}

/// Divides classes by what their lists have in classes of the other direction: by sums of hashes, which do
/// not depend on the order. Whether any was divided.
bool refine(const Lists& lists, const Classes& other, Classes& classes) {
  struct Hash {
    std::size_t operator()(const std::pair<std::uint32_t, std::uint64_t>& key) const {
      return static_cast<std::size_t>(mixed(key.second + key.first));
    }
  };
  std::unordered_map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t, Hash> number;
  const std::uint32_t before = count_of(classes);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::uint64_t sum = 0;
    for (const Entry& entry : lists.of(i))
      sum += mixed(mixed(other[entry.row]) ^ std::bit_cast<std::uint64_t>(entry.value));
    const auto next = static_cast<std::uint32_t>(number.size());
    classes[i] = number.try_emplace({classes[i], sum}, next).first->second;
  }
  return number.size() != before;
}

/// By class of the other direction and value.
std::vector<std::pair<std::uint32_t, double>> sorted_entries(std::span<const Entry> list,
                                                             const Classes& other) {
  std::vector<std::pair<std::uint32_t, double>> result;
  result.reserve(list.size());
  for (const Entry& entry : list) result.emplace_back(other[entry.row], entry.value);
  std::sort(result.begin(), result.end());
  return result;
}

/// The first of each class.
std::vector<std::uint32_t> leaders(const Classes& classes) {
  std::vector<std::uint32_t> first(count_of(classes), 0xFFFFFFFFU);
  for (std::uint32_t i = 0; i < classes.size(); ++i) first[classes[i]] = std::min(first[classes[i]], i);
  return first;
}

/// Whether lists of a class are the same, without hashes.
bool are_alike(const Lists& lists, const Classes& other, const Classes& classes) {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> of_leader;
  for (const std::uint32_t i : leaders(classes)) of_leader.push_back(sorted_entries(lists.of(i), other));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (sorted_entries(lists.of(i), other) != of_leader[classes[i]]) return false;
  }
  return true;
}

void make_each_its_own(Classes& classes) {
  for (std::uint32_t i = 0; i < classes.size(); ++i) classes[i] = i;
}

}  // namespace

ProgramClasses::ProgramClasses(const LinearProgram& program) {
  const Lists columns = by_columns(program);
  const Lists rows = turned(columns, program.rows());
  std::vector<std::pair<double, double>> bounds;
  for (std::uint32_t r = 0; r < program.rows(); ++r) bounds.push_back(program.bounds(r));
  std::vector<double> costs;
  for (std::uint32_t c = 0; c < program.columns(); ++c) costs.push_back(program.cost(c));
  row_class_ = numbered(bounds);
  column_class_ = numbered(costs);
  for (bool divided = true; divided;) {
    divided = refine(rows, column_class_, row_class_);
    divided = refine(columns, row_class_, column_class_) || divided;
  }
  if (!are_alike(rows, column_class_, row_class_) || !are_alike(columns, row_class_, column_class_)) {
    make_each_its_own(row_class_);  // two hashes were the same by chance
    make_each_its_own(column_class_);
  }

  rows_in_.assign(count_of(row_class_), 0);
  for (const std::uint32_t c : row_class_) ++rows_in_[c];
  std::vector<double> columns_in(count_of(column_class_), 0);
  for (const std::uint32_t c : column_class_) ++columns_in[c];
  for (const std::uint32_t r : leaders(row_class_)) small_.add_row(bounds[r].first, bounds[r].second);
  // A column of the class has the sum of a row's entries in it: of all rows of a class the same, so that
  // those of one column, times how many columns there are for each row, are that, too.
  for (const std::uint32_t c : leaders(column_class_)) {
    std::map<std::uint32_t, double> sums;
    for (const Entry& entry : columns.of(c)) sums[row_class_[entry.row]] += entry.value;
    const double width = columns_in[column_class_[c]];
    std::vector<Entry> entries;
    entries.reserve(sums.size());
    for (const auto& [row, sum] : sums) {
      if (sum != 0) entries.push_back({row, sum * width / rows_in_[row]});
    }
    small_.add_column(costs[c] * width, entries);
  }
}

LinearProgram::Solution ProgramClasses::whole(const LinearProgram::Solution& small) const {
  LinearProgram::Solution result;
  result.optimal = small.optimal;
  result.objective = small.objective;
  if (!small.optimal) return result;
  result.x.reserve(column_class_.size());
  for (const std::uint32_t c : column_class_) result.x.push_back(small.x[c]);
  result.dual.reserve(row_class_.size());
  for (const std::uint32_t c : row_class_) result.dual.push_back(small.dual[c] / rows_in_[c]);
  return result;
}

}  // namespace unknot
