// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// A network that others, papers, vendors or tools, call by a name that no family of the catalogue has, and
/// the spec that is the same here.
struct OtherName {
  std::vector<std::string_view> names;  ///< in small letters, without dashes and underscores
  const char* what;                     ///< what it is, to be read before "here as 'torus:4x4'"
  const char* spec;                     ///< an example that the catalogue takes
};
const std::vector<OtherName>& other_names();

/// Row for a name, whose capitals, dashes and underscores count for nothing; null where there is none.
const OtherName* find_other_name(std::string_view name);

/// For a family whose name others give to another network too, a sentence that names that one's spec: "a
/// folded Clos network of switches is 'fattree2:8', ..."; "" for all other families.
std::string_view other_meaning(std::string_view family);

}  // namespace unknot
