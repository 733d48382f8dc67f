// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "unknot/support/error.hpp"

namespace unknot {

/// Members of a JSON object of our own making by name, each of the type that is asked for. InputError with
/// file and name for one that is missing or of another type. The object outlives it.
class JsonObject {
 public:
  /// `what`: "the state of unknot watch --follow", where it is no object at all.
  JsonObject(const nlohmann::json& object, const std::string& file, const char* what)
      : object_(object), file_(file) {
    if (!object.is_object()) throw InputError(fmt::format("{}: expected {}", file, what));
  }
  [[nodiscard]] std::uint64_t number(const char* name) const {
    const nlohmann::json& value = member(name);
    if (!value.is_number_unsigned()) fail(name, "a whole number");
    return value.get<std::uint64_t>();
  }
  [[nodiscard]] double real(const char* name) const {
    const nlohmann::json& value = member(name);
    if (!value.is_number()) fail(name, "a number");
    return value.get<double>();
  }
  [[nodiscard]] std::string text(const char* name) const {
    const nlohmann::json& value = member(name);
    if (!value.is_string()) fail(name, "a text");
    return value.get<std::string>();
  }
  [[nodiscard]] bool flag(const char* name) const {
    const nlohmann::json& value = member(name);
    if (!value.is_boolean()) fail(name, "true or false");
    return value.get<bool>();
  }
  [[nodiscard]] const nlohmann::json& member(const char* name) const {
    const auto at = object_.find(name);
    if (at == object_.end()) throw InputError(fmt::format("{}: \"{}\" is missing", file_, name));
    return *at;
  }
  [[noreturn]] void fail(const char* name, const char* expected) const {
    throw InputError(fmt::format("{}: \"{}\": expected {}", file_, name, expected));
  }

 private:
  const nlohmann::json& object_;
  const std::string& file_;
};

}  // namespace unknot
