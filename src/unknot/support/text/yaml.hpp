// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

struct YamlMember;

/// One value of a YAML document, with the line it begins at. Scalars keep their text: whoever asks knows the
/// type.
struct YamlValue {
  enum class Kind : std::uint8_t { scalar, sequence, mapping };

  Kind kind = Kind::scalar;
  std::uint32_t line = 0;
  std::string text;                 ///< of a scalar
  std::vector<YamlValue> items;     ///< of a sequence
  std::vector<YamlMember> members;  ///< of a mapping, in the order of the file

  /// Member of a mapping, or nullptr.
  [[nodiscard]] const YamlValue* find(std::string_view key) const;
};

struct YamlMember {
  std::string name;
  YamlValue value;
};

/// The one document of a text, as libyaml reads it. InputError with file and line for what is no YAML, for no
/// document or several, keys that are not scalars or come twice, aliases (a few can stand for more than
/// memory holds), and more than 64 levels. O(text) but for the members of one mapping, which are compared
/// with each other by sorting.
YamlValue parse_yaml(std::string_view text, const std::string& file);

}  // namespace unknot
