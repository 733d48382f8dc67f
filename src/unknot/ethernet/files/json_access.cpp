// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/files/json_access.hpp"

#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot::ethernet {

using nlohmann::json;

JsonFile::JsonFile(std::string_view text, std::string file)
    : file_(std::move(file)), document_(parse_json(text, file_)) {}

void JsonFile::fail(const std::string& where, const std::string& expected) const {
  throw InputError(file_ + ": " + where + ": expected " + expected);
}

void JsonFile::require_object(const json& value, const std::string& where) const {
  if (!value.is_object()) fail(where, "an object");
}

const json& JsonFile::object(const json& holder, const char* name, const std::string& where) const {
  static const json kEmpty = json::object();
  const auto found = holder.find(name);
  if (found == holder.end()) return kEmpty;
  require_object(*found, where + "." + name);
  return *found;
}

const json& JsonFile::list(const json& holder, const char* name, const std::string& where) const {
  static const json kEmpty = json::array();
  const auto found = holder.find(name);
  if (found == holder.end()) return kEmpty;
  if (!found->is_array()) fail(where + "." + name, "a list");
  return *found;
}

const std::string& JsonFile::string(const json& holder, const char* name, const std::string& where) const {
  static const std::string kEmpty;
  const auto found = holder.find(name);
  if (found == holder.end()) return kEmpty;
  const auto* const text = found->get_ptr<const std::string*>();
  if (text == nullptr) fail(where + "." + name, "a string");
  return *text;
}

bool JsonFile::is_true(const json& holder, const char* name, const std::string& where) const {
  const auto found = holder.find(name);
  if (found == holder.end()) return false;
  if (!found->is_boolean()) fail(where + "." + name, "true or false");
  return found->get<bool>();
}

std::uint64_t JsonFile::number(const json& holder, const char* name, const std::string& where) const {
  const auto found = holder.find(name);
  if (found == holder.end()) return 0;
  if (!found->is_number_unsigned()) fail(where + "." + name, "a whole number");
  return found->get<std::uint64_t>();
}

}  // namespace unknot::ethernet
