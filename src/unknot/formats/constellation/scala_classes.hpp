// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unknot/formats/constellation/scala_tokens.hpp"

namespace unknot {

/// class name(parameters) extends base(arguments)
struct ScalaClass {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::string_view name, base;
  std::uint32_t token = 0;
  std::uint32_t parameters = kNone;  ///< their (
  std::uint32_t arguments = kNone;   ///< of the base
};

/// val name = body, in an object.
struct ScalaObjectValue {
  std::string_view object, name;
  std::uint32_t body = 0;  ///< its first token
  bool plain = false;      ///< a val; else something whose value is not read
};

/// What a file defines at its top.
struct ScalaClasses {
  std::vector<ScalaClass> classes;
  std::vector<ScalaObjectValue> values;
  std::vector<std::string_view> objects;

  /// Passes over what is neither a class nor an object. O(tokens).
  explicit ScalaClasses(const ScalaTokens& tokens);
  [[nodiscard]] const ScalaClass* find(std::string_view name) const;
  [[nodiscard]] bool has_object(std::string_view name) const;

 private:
  std::uint32_t read_class(const ScalaTokens& tokens, std::uint32_t at);
  std::uint32_t read_object(const ScalaTokens& tokens, std::uint32_t at);
};

}  // namespace unknot
