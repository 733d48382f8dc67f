// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/help.hpp"

#include <fmt/format.h>
#include <string_view>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/size.hpp"

namespace unknot::cli {

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) {
  const auto check = [min, max](const std::string& text) {
    const auto value = number_in<std::uint64_t>(text);
    return value && *value >= min && *value <= max
               ? std::string()
               : fmt::format("expected a whole number from {} to {}, not '{}'", min, max, text);
  };
  return {check, ""};
}

CLI::Validator byte_count(std::uint64_t max) {
  const auto take = [max](std::string& text) {
    const auto value = size_in(text);
    if (!value || *value == 0 || *value > max)
      return fmt::format("expected bytes from 1 to {}, or as 64K, 1M, 2G, not '{}'", max, text);
    text = std::to_string(*value);
    return std::string();
  };
  return {take, ""};
}

CLI::Validator number_between(double min, double max) {
  const auto check = [min, max](const std::string& text) {
    const auto value = number_in<double>(text);
    // A value that is no number is in no range, and compares so.
    return value && *value >= min && *value <= max
               ? std::string()
               : fmt::format("expected a number from {} to {}, not '{}'", min, max, text);
  };
  return {check, ""};
}

void refuse_unused(const CLI::App& app, std::span<const char* const> unused, std::string_view task) {
  for (const char* name : unused) {
    if (app.count(name) > 0) throw InputError(fmt::format("{}: it means nothing for {}", name, task));
  }
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > width) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      result += '\n';
      column = 0;
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return result;
}

}  // namespace unknot::cli
