// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/bounds/path_split.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {

PathSplit split_by_program(const Network& network, const PathLists& lists) {
  if (lists.path_count() > kMaxProgramPaths) {
    throw InputError(fmt::format("the linear program of these paths has {} variables, at most {} are solved",
                                 lists.path_count(), kMaxProgramPaths));
  }
  // Columns: the largest load, then the rate of each path. Rows: the load of each channel is at most the
  // largest; the rates of a pair add up.
  const std::uint32_t channels = network.channel_count();
  PathSplit split;
  split.rate.assign(lists.path_count(), 0);
  split.length.assign(channels, 0);
  if (lists.path_count() == 0) return split;
  LinearProgram program;
  std::vector<LinearProgram::Entry> entries;
  for (std::uint32_t c = 0; c < channels; ++c) {
    program.add_row(-LinearProgram::kInfinity, 0);
    entries.push_back({c, -1});
  }
  program.add_column(1, entries);
  for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
    const std::uint32_t row = program.add_row(lists.pairs()[i].rate, lists.pairs()[i].rate);
    for (std::size_t p = lists.first_path(i); p < lists.first_path(i + 1); ++p) {
      entries.assign(1, {row, 1});
      for (const ChannelId c : lists.path(p)) {
        const auto same =
            std::find_if(entries.begin() + 1, entries.end(),
                         [&](const LinearProgram::Entry& entry) { return entry.row == c.value; });
        if (same == entries.end()) {
          entries.push_back({c.value, 1});
        } else {
          same->value += 1;
        }
      }
      program.add_column(0, entries);
    }
  }
  const LinearProgram::Solution solution = program.solve();
  if (!solution.optimal) throw InputError("the linear program of these paths has no solution");
  for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
    // the solver leaves rows within a tolerance; what a pair sends is its rate to the last digit
    double sent = 0;
    for (std::size_t p = lists.first_path(i); p < lists.first_path(i + 1); ++p) {
      split.rate[p] = std::max(0.0, solution.x[p + 1]);
      sent += split.rate[p];
    }
    if (sent == 0) continue;
    for (std::size_t p = lists.first_path(i); p < lists.first_path(i + 1); ++p)
      split.rate[p] *= lists.pairs()[i].rate / sent;
  }
  for (std::uint32_t c = 0; c < channels; ++c) split.length[c] = std::max(0.0, -solution.dual[c]);
  return split;
}

}  // namespace unknot
