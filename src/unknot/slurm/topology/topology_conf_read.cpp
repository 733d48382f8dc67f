// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "unknot/slurm/topology/switch_lines.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

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

  TopologyTree run() { return join_switches(std::move(lines_), file_); }

 private:
  void read(const Lines& lines, Cursor cursor) {
    SwitchLine line;
    line.line = lines.number();
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
        once(line.hosts.empty());
        line.hosts = read_host_list(value, file_, line.line);
      } else if (same_word(key, "Switches")) {
        once(line.switches.empty());
        line.switches = read_host_list(value, file_, line.line);
      } else if (!same_word(key, "LinkSpeed")) {
        lines.fail(
            fmt::format("expected SwitchName, Nodes, Switches or LinkSpeed, found {}", place_shown(key)));
      }
    }
    if (line.name.empty()) lines.fail("expected SwitchName=...");
    lines_.push_back(std::move(line));
  }

  std::string file_;
  std::vector<SwitchLine> lines_;
};

}  // namespace

TopologyTree parse_topology_conf(std::string_view text, const std::string& file) {
  return ConfReader(text, file).run();
}

}  // namespace unknot::slurm
