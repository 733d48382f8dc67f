// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/switch_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/support/text/host_list.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

class Joiner {
 public:
  Joiner(std::vector<SwitchLine> lines, const std::string& file) : file_(file), lines_(std::move(lines)) {
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      const SwitchLine& one = lines_[i];
      if (one.hosts.empty() == one.switches.empty())
        fail(one, fmt::format("expected either nodes or switches below switch {}", shown(one.name)));
      if (!number_.emplace(one.name, i).second)
        fail(one, fmt::format("switch {} is there twice", shown(one.name)));
    }
  }

  TopologyTree run() {
    join();
    std::vector<std::uint32_t> order(lines_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return level_[a] < level_[b]; });
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    TopologyTree tree;
    for (const std::uint32_t i : order) {
      std::vector<std::uint32_t> children;
      for (const std::string& child : lines_[i].switches) children.push_back(place[number_.at(child)]);
      std::sort(children.begin(), children.end());
      tree.switches.push_back(
          {std::move(lines_[i].name), level_[i], std::move(lines_[i].hosts), std::move(children)});
    }
    return tree;
  }

 private:
  [[noreturn]] void fail(const SwitchLine& at, const std::string& message) const {
    throw InputError(file_, at.line, message);
  }

  /// Every switch below exactly one other, but the root.
  void join() {
    std::vector<bool> below(lines_.size(), false);
    for (const SwitchLine& line : lines_) {
      for (const std::string& child : line.switches) {
        const auto found = number_.find(child);
        if (found == number_.end()) fail(line, fmt::format("switch {} has no line", shown(child)));
        if (below[found->second])
          fail(line, fmt::format("switch {} is below another one already", shown(child)));
        below[found->second] = true;
      }
    }
    std::optional<std::uint32_t> root;
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      if (below[i]) continue;
      if (root) {
        fail(lines_[i], fmt::format("switch {} is below none, and so is {}: expected one root",
                                    shown(lines_[i].name), shown(lines_[*root].name)));
      }
      root = i;
    }
    if (!root) fail(lines_[0], "every switch is below another one: a circle");
    level_.assign(lines_.size(), 0);
    // With one root and one parent each, what the root does not reach is a circle.
    std::vector<std::uint32_t> reached{*root};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::string& child : lines_[reached[i]].switches) reached.push_back(number_.at(child));
    }
    if (reached.size() != lines_.size()) fail(lines_[0], "switches form a circle");
    // Children come after their parents here: the other way round gives their levels first.
    for (std::size_t i = reached.size(); i-- > 0;) {
      std::uint32_t level = 0;
      for (const std::string& child : lines_[reached[i]].switches)
        level = std::max(level, level_[number_.at(child)] + 1);
      level_[reached[i]] = level;
    }
  }

  std::string file_;
  std::vector<SwitchLine> lines_;
  std::map<std::string, std::uint32_t, std::less<>> number_;
  std::vector<std::uint32_t> level_;
};

}  // namespace

std::vector<std::string> read_host_list(std::string_view text, const std::string& file, std::uint32_t line) {
  try {
    return expand_host_list(text);
  } catch (const InputError& error) {
    throw InputError(file, line, error.what());
  }
}

TopologyTree join_switches(std::vector<SwitchLine> lines, const std::string& file) {
  return Joiner(std::move(lines), file).run();
}

}  // namespace unknot::slurm
