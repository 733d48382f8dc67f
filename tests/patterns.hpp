// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Regular expressions (ECMAScript) for tests. std::regex takes seconds to compile, here once for all of
/// them.
namespace unknot {

/// Every match of `pattern` in the text: the whole of it, then its groups; a group that took no part is
/// empty.
std::vector<std::vector<std::string>> matches_in(const std::string& text, const std::string& pattern);

/// The match and its groups where `pattern` matches all of the text, otherwise nothing.
std::vector<std::string> match_of(const std::string& text, const std::string& pattern);

/// The text with every match of `pattern` replaced.
std::string with_replaced(const std::string& text, const std::string& pattern,
                          const std::string& replacement);

}  // namespace unknot
