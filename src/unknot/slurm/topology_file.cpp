// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/support/host_list.hpp"
#include "unknot/support/scanner.hpp"

namespace unknot::slurm {
namespace {

std::string commented(std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    text += fmt::format("# {}\n", comment.substr(0, end));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return text;
}

std::string children_of(const TopologyTree& tree, const TopologyTree::Switch& one) {
  std::vector<std::string> names;
  for (const std::uint32_t child : one.children) names.push_back(tree.switches[child].name);
  return compress_host_list(names);
}

/// A line of the file.
struct Line {
  std::uint32_t number = 0;
  std::string name;
  std::vector<std::string> nodes, switches;
};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class ConfReader {
 public:
  ConfReader(std::string_view text, const std::string& file) : file_(file) {
    Lines lines(text, file);
    while (lines.next()) {
      Cursor cursor(lines.line().substr(0, lines.line().find('#')));
      cursor.skip_blanks();
      if (!cursor.at_end()) read(lines, cursor);
    }
    if (lines_.empty()) throw InputError(file, 1, "expected at least one line 'SwitchName=... Nodes=...'");
  }

  TopologyTree run() {
    join();
    std::vector<std::uint32_t> order(lines_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
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
          {std::move(lines_[i].name), level_[i], std::move(lines_[i].nodes), std::move(children)});
    }
    return tree;
  }

 private:
  void read(const Lines& lines, Cursor cursor) {
    Line line;
    line.number = lines.number();
    while (!cursor.at_end()) {
      const std::string_view word = cursor.word();
      cursor.skip_blanks();
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos || equals + 1 == word.size())
        lines.fail(fmt::format("expected KEY=VALUE, found {}", place_shown(word)));
      const std::string_view key = word.substr(0, equals);
      const std::string_view value = word.substr(equals + 1);
      const auto once = [&](bool first) {
        if (!first) lines.fail(fmt::format("{} is given twice", shown(key)));
      };
      if (same_word(key, "SwitchName")) {
        once(line.name.empty());
        line.name = value;
      } else if (same_word(key, "Nodes")) {
        once(line.nodes.empty());
        line.nodes = list(lines, value);
      } else if (same_word(key, "Switches")) {
        once(line.switches.empty());
        line.switches = list(lines, value);
      } else if (!same_word(key, "LinkSpeed")) {
        lines.fail(
            fmt::format("expected SwitchName, Nodes, Switches or LinkSpeed, found {}", place_shown(key)));
      }
    }
    if (line.name.empty()) lines.fail("expected SwitchName=...");
    if (line.nodes.empty() == line.switches.empty()) lines.fail("expected either Nodes=... or Switches=...");
    if (!number_.emplace(line.name, static_cast<std::uint32_t>(lines_.size())).second)
      lines.fail(fmt::format("switch {} is there twice", shown(line.name)));
    lines_.push_back(std::move(line));
  }

  static std::vector<std::string> list(const Lines& lines, std::string_view value) {
    try {
      return expand_host_list(value);
    } catch (const InputError& error) {
      lines.fail(error.what());
    }
  }

  /// Every switch below exactly one other, but the root.
  void join() {
    std::vector<bool> below(lines_.size(), false);
    for (const Line& line : lines_) {
      for (const std::string& child : line.switches) {
        const auto found = number_.find(child);
        if (found == number_.end())
          throw InputError(file_, line.number, fmt::format("switch {} has no line", shown(child)));
        if (below[found->second]) {
          throw InputError(file_, line.number,
                           fmt::format("switch {} is below another one already", shown(child)));
        }
        below[found->second] = true;
      }
    }
    std::optional<std::uint32_t> root;
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      if (below[i]) continue;
      if (root) {
        throw InputError(file_, lines_[i].number,
                         fmt::format("switch {} is below none, and so is {}: expected one root",
                                     shown(lines_[i].name), shown(lines_[*root].name)));
      }
      root = i;
    }
    if (!root) throw InputError(file_, lines_[0].number, "every switch is below another one: a circle");
    level_.assign(lines_.size(), 0);
    // With one root and one parent each, what the root does not reach is a circle.
    std::vector<std::uint32_t> reached{*root};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::string& child : lines_[reached[i]].switches) reached.push_back(number_.at(child));
    }
    if (reached.size() != lines_.size()) throw InputError(file_, lines_[0].number, "switches form a circle");
    // Children come after their parents here: the other way round gives their levels first.
    for (std::size_t i = reached.size(); i-- > 0;) {
      std::uint32_t level = 0;
      for (const std::string& child : lines_[reached[i]].switches)
        level = std::max(level, level_[number_.at(child)] + 1);
      level_[reached[i]] = level;
    }
  }

  std::string file_;
  std::vector<Line> lines_;
  std::map<std::string, std::uint32_t, std::less<>> number_;
  std::vector<std::uint32_t> level_;
};

}  // namespace

std::string topology_conf(const TopologyTree& tree, std::string_view comment) {
  std::string text = commented(comment);
  for (const TopologyTree::Switch& one : tree.switches) {
    text += one.level == 0 ? fmt::format("SwitchName={} Nodes={}\n", one.name, compress_host_list(one.hosts))
                           : fmt::format("SwitchName={} Switches={}\n", one.name, children_of(tree, one));
  }
  return text;
}

std::string topology_yaml(const TopologyTree& tree, std::string_view comment) {
  std::string text = commented(comment);
  text += "- topology: unknot\n  cluster_default: true\n  tree:\n    switches:\n";
  for (std::size_t i = tree.switches.size(); i-- > 0;) {
    const TopologyTree::Switch& one = tree.switches[i];
    text += fmt::format("      - switch: \"{}\"\n        {}: \"{}\"\n", one.name,
                        one.level == 0 ? "nodes" : "children",
                        one.level == 0 ? compress_host_list(one.hosts) : children_of(tree, one));
  }
  return text;
}

TopologyTree parse_topology_conf(std::string_view text, const std::string& file) {
  return ConfReader(text, file).run();
}

}  // namespace unknot::slurm
