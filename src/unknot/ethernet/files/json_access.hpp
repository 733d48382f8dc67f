// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace unknot::ethernet {

/// A JSON document with the name of its file, for messages that say where something else was expected.
class JsonFile {
 public:
  /// InputError as parse_json().
  JsonFile(std::string_view text, std::string file);

  [[nodiscard]] const nlohmann::json& document() const { return document_; }
  [[noreturn]] void fail(const std::string& where, const std::string& expected) const;
  /// The member, which has to be an object; an empty one where there is none of the name.
  [[nodiscard]] const nlohmann::json& object(const nlohmann::json& holder, const char* name,
                                             const std::string& where) const;
  /// The member, which has to be a list; an empty one where there is none of the name.
  [[nodiscard]] const nlohmann::json& list(const nlohmann::json& holder, const char* name,
                                           const std::string& where) const;
  /// The member, which has to be a string; "" where there is none of the name.
  [[nodiscard]] const std::string& string(const nlohmann::json& holder, const char* name,
                                          const std::string& where) const;
  /// Whether the member is there and true; what is no truth value is refused.
  [[nodiscard]] bool is_true(const nlohmann::json& holder, const char* name, const std::string& where) const;
  /// The member, which has to be a whole number, 0 or more; 0 where there is none of the name.
  [[nodiscard]] std::uint64_t number(const nlohmann::json& holder, const char* name,
                                     const std::string& where) const;
  /// Refuses what is no object.
  void require_object(const nlohmann::json& value, const std::string& where) const;

 private:
  std::string file_;
  nlohmann::json document_;
};

}  // namespace unknot::ethernet
