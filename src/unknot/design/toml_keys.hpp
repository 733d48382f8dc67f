// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/toml.hpp"

// For the files of this folder that read TOML: none of it is for others.

namespace unknot {

/// A table of a file; what it has no key for keeps its value.
class TomlKeys {
 public:
  TomlKeys(const toml::table& table, std::string title, const std::string& file)
      : table_(table), title_(std::move(title)), file_(file) {}

  void check(const std::vector<std::string>& known) const {
    for (const auto& entry : table_) {
      const std::string_view key = entry.first.str();
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      throw InputError(file_, entry.first.source().begin.line,
                       fmt::format("no key \"{}\" of {}; {}", key, title_, near_or_all_names(key, known)));
    }
  }
  void read(std::string_view key, double& value, double min, double max) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    const auto number = node->is_number() ? node->value<double>() : std::nullopt;
    if (!number || !(*number >= min && *number <= max))
      fail(*node, fmt::format("{}: expected a number from {:.10g} to {:.10g}", key, min, max));
    value = *number;
  }
  void read(std::string_view key, std::uint32_t& value, std::uint32_t min, std::uint32_t max) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    const auto* number = node->as_integer();
    if (number == nullptr || number->get() < min || number->get() > max)
      fail(*node, fmt::format("{}: expected a whole number from {} to {}", key, min, max));
    value = static_cast<std::uint32_t>(number->get());
  }
  void read(std::string_view key, std::string& value) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    const auto* text = node->as_string();
    if (text == nullptr || text->get().empty()) fail(*node, fmt::format("{}: expected a text", key));
    value = text->get();
  }
  /// The table of this name; an empty one without it.
  [[nodiscard]] TomlKeys table(const std::string& key) const {
    static const toml::table kNone;
    const toml::node* node = table_.get(key);
    if (node != nullptr && !node->is_table()) fail(*node, fmt::format("{} is to be a table, [{}]", key, key));
    return {node == nullptr ? kNone : *node->as_table(), fmt::format("[{}]", key), file_};
  }
  /// The tables [[key]].
  [[nodiscard]] std::vector<TomlKeys> tables(const std::string& key) const {
    std::vector<TomlKeys> all;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return all;
    const toml::array* array = node->as_array();
    if (array == nullptr || !array->is_homogeneous(toml::node_type::table))
      fail(*node, fmt::format("{} is to be a list of tables, [[{}]]", key, key));
    for (const toml::node& one : *array) all.emplace_back(*one.as_table(), fmt::format("[[{}]]", key), file_);
    return all;
  }
  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[noreturn]] void fail(const std::string& message) const { fail(table_, message); }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    throw InputError(file_, line_of(node), message);
  }

  const toml::table& table_;
  std::string title_;
  std::string file_;
};

}  // namespace unknot
