// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/csv.hpp"

#include <nlohmann/json.hpp>

namespace unknot::cli {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted.push_back('"');
  return quoted;
}

std::string csv_field(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

}  // namespace unknot::cli
