// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "unknot/support/error.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/support/text/shell_word.hpp"

namespace unknot::sweep {
namespace {

constexpr std::size_t kMostCells = 1'000'000;

std::size_t count_cells(const SweepFile& file) {
  std::size_t count = 1;
  for (const Axis& axis : file.axes) {
    count *= axis.values.size();
    if (count > kMostCells) {
      throw InputError(
          fmt::format("{}more than {} cells, with '{}'", file.place(axis.line), kMostCells, axis.name));
    }
  }
  return count;
}

/// The argument FABRIC comes first, options after it in the order of the file.
Cell make_cell(const SweepFile& file, std::size_t fabric, std::size_t number, std::string_view version) {
  Cell cell;
  cell.values.resize(file.axes.size());
  std::vector<const std::vector<std::string>*> chosen(file.axes.size());
  for (std::size_t i = file.axes.size(); i-- > 0;) {
    const auto& values = file.axes[i].values;
    chosen[i] = &values[number % values.size()];
    number /= values.size();
    cell.values[i] = fmt::format("{}", fmt::join(*chosen[i], " "));
  }
  cell.words = {file.command, cell.values[fabric]};
  for (std::size_t i = 0; i < file.axes.size(); ++i) {
    if (i == fabric) continue;
    for (const std::string& word : *chosen[i])
      cell.words.push_back(fmt::format("--{}={}", file.axes[i].name, word));
  }
  cell.command = "unknot";
  for (const std::string& word : cell.words) cell.command += fmt::format(" {}", shell_word(word));
  Hash64 hash;
  const std::string named = fmt::format("{}\n{}", version, cell.command);
  hash.add_bytes(std::as_bytes(std::span(named)));
  cell.key = hash.value();
  return cell;
}

}  // namespace

std::string key_text(std::uint64_t key) {
  return fmt::format("{:016x}", key);
}

Plan expand(const SweepFile& file, std::string_view version) {
  const auto fabric = std::find_if(file.axes.begin(), file.axes.end(),
                                   [](const Axis& axis) { return axis.name == "fabric"; });
  if (fabric == file.axes.end())
    throw InputError(fmt::format("{}: expected a key 'fabric', such as fabric = \"torus:4x4\"", file.name));
  for (const auto& value : fabric->values) {
    // A dash is standard input, which the first cell would use up, or an option.
    if (value.size() != 1 || value.front().starts_with("-"))
      throw InputError(file.place(fabric->line) + "'fabric' is not the spec of a network or its file");
  }
  Plan plan;
  plan.command = file.command;
  for (const Axis& axis : file.axes) plan.axes.push_back(axis.name);
  const std::size_t count = count_cells(file);
  plan.cells.reserve(count);
  std::unordered_map<std::uint64_t, std::size_t> seen;
  for (std::size_t i = 0; i < count; ++i) {
    Cell cell = make_cell(file, static_cast<std::size_t>(fabric - file.axes.begin()), i, version);
    if (const auto [at, fresh] = seen.emplace(cell.key, i); !fresh) {
      const std::string& other = plan.cells[at->second].command;
      throw InputError(other == cell.command
                           ? fmt::format("{}: '{}' is in it twice", file.name, cell.command)
                           : fmt::format("{}: '{}' and '{}' have one hash; leave out one of them", file.name,
                                         other, cell.command));
    }
    plan.cells.push_back(std::move(cell));
  }
  return plan;
}

}  // namespace unknot::sweep
