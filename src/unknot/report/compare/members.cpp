// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/members.hpp"

#include <fmt/format.h>

#include <cmath>

#include "unknot/report/column.hpp"
#include "unknot/support/error.hpp"

namespace unknot::report {

void not_a_page(const std::string& what) {
  throw InputError(what);
}

const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) not_a_page(fmt::format("there is no member '{}'", key));
  const auto found = object.find(key);
  if (found == object.end()) not_a_page(fmt::format("there is no member '{}'", key));
  return *found;
}

std::string text_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  if (!value.is_string()) not_a_page(fmt::format("'{}' is no text", key));
  return value.get<std::string>();
}

bool flag_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  if (!value.is_boolean()) not_a_page(fmt::format("'{}' is neither true nor false", key));
  return value.get<bool>();
}

double number_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = member(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    not_a_page(fmt::format("'{}' is no number", key));
  return value.get<double>();
}

double amount_member(const nlohmann::json& object, const char* key) {
  const double value = number_member(object, key);
  if (value < 0) not_a_page(fmt::format("'{}' is out of range", key));
  return value;
}

std::optional<double> amount_or_null(const nlohmann::json& object, const char* key) {
  if (member(object, key).is_null()) return std::nullopt;
  return amount_member(object, key);
}

std::uint64_t whole_member(const nlohmann::json& object, const char* key, double below) {
  const double value = number_member(object, key);
  if (value < 0 || value >= below || value != std::floor(value))
    not_a_page(fmt::format("'{}' is out of range", key));
  return static_cast<std::uint64_t>(value);
}

std::uint32_t id_member(const nlohmann::json& object, const char* key, double below) {
  return static_cast<std::uint32_t>(whole_member(object, key, below));
}

const nlohmann::json& list_member(const nlohmann::json& object, const char* key, std::size_t most) {
  const nlohmann::json& list = member(object, key);
  if (!list.is_array()) not_a_page(fmt::format("'{}' is no list", key));
  if (list.size() > most) not_a_page(fmt::format("'{}' is too long", key));
  return list;
}

std::vector<std::string> texts_member(const nlohmann::json& object, const char* key) {
  const nlohmann::json& list = list_member(object, key);
  std::vector<std::string> result;
  result.reserve(list.size());
  for (const nlohmann::json& item : list) {
    if (!item.is_string()) not_a_page(fmt::format("'{}' does not hold text alone", key));
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<double> reals_member(const nlohmann::json& object, const char* key, std::size_t count) {
  std::vector<double> values = read_column(member(object, key), count, fmt::format("'{}'", key));
  for (const double value : values) {
    if (!std::isfinite(value)) not_a_page(fmt::format("'{}' does not hold numbers alone", key));
  }
  return values;
}

std::vector<std::uint32_t> wholes_member(const nlohmann::json& object, const char* key, std::size_t count,
                                         double below) {
  std::vector<std::uint32_t> result;
  result.reserve(count);
  for (const double value : reals_member(object, key, count)) {
    if (value < 0 || value >= below || value != std::floor(value))
      not_a_page(fmt::format("'{}' holds a number out of range", key));
    result.push_back(static_cast<std::uint32_t>(value));
  }
  return result;
}

}  // namespace unknot::report
