// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/toml.hpp"

namespace unknot::sweep {
namespace {

using Words = std::vector<std::string>;

class Reader {
 public:
  explicit Reader(const std::string& name) { file_.name = name; }

  SweepFile read(const toml::table& table) {
    std::vector<std::pair<toml::source_position, Axis>> axes;
    for (const auto& entry : table) {
      const toml::key& key = entry.first;
      if (key.str() == "command") {
        if (!entry.second.is_string()) fail(line_of(entry.second), "'command' is not text");
        file_.command = entry.second.as_string()->get();
        file_.command_line = line_of(entry.second);
      } else {
        axes.emplace_back(key.source().begin, read_axis(key, entry.second));
      }
    }
    if (file_.command_line == 0)
      throw InputError(fmt::format("{}: expected a key 'command', such as command = \"route\"", file_.name));
    // A table has no order; the file has.
    std::sort(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [position, axis] : axes) file_.axes.push_back(std::move(axis));
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& sentence) const {
    throw InputError(file_.place(line) + sentence);
  }

  Axis read_axis(const toml::key& key, const toml::node& node) const {
    Axis axis{std::string(key.str()), key.source().begin.line, {}};
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      axis.values.push_back(read_value(axis, node));
      return axis;
    }
    if (list->empty()) fail(axis.line, fmt::format("'{}' has no values", shown(axis.name)));
    for (const toml::node& value : *list) {
      if (const toml::array* several = value.as_array()) {
        Words words;
        for (const toml::node& word : *several) {
          for (std::string& one : read_value(axis, word)) words.push_back(std::move(one));
        }
        axis.values.push_back(std::move(words));
      } else {
        axis.values.push_back(read_value(axis, value));
      }
    }
    return axis;
  }

  Words read_value(const Axis& axis, const toml::node& node) const {
    if (node.is_boolean()) return node.as_boolean()->get() ? Words{"true"} : Words{};
    if (node.is_integer()) return {std::to_string(node.as_integer()->get())};
    if (node.is_floating_point() && std::isfinite(node.as_floating_point()->get()))
      return {fmt::format("{}", node.as_floating_point()->get())};
    if (node.is_table())
      fail(line_of(node), fmt::format("'{}' is a table, and a sweep has none", shown(axis.name)));
    if (!node.is_string()) {
      fail(line_of(node),
           fmt::format("a value of '{}' is no text, number, true or false, nor a list of these",
                       shown(axis.name)));
    }
    const std::string& text = node.as_string()->get();
    if (text.empty()) return {};
    // A cell is one line of a journal and one command line.
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
    if (control)
      fail(line_of(node), fmt::format("a value of '{}' has a control character", shown(axis.name)));
    return {text};
  }

  SweepFile file_;
};

}  // namespace

std::string SweepFile::place(std::size_t line) const {
  return fmt::format("{}:{}: ", name, line);
}

SweepFile parse_sweep(std::string_view text, const std::string& name) {
  return Reader(name).read(parse_toml(text, name));
}

SweepFile read_sweep(const std::string& path) {
  return Reader(path).read(read_toml(path));
}

}  // namespace unknot::sweep
