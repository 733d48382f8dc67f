// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <regex>

namespace unknot {
namespace {

std::vector<std::string> groups_of(const std::smatch& match) {
  std::vector<std::string> groups;
  for (const auto& group : match) groups.push_back(group.str());
  return groups;
}

}  // namespace

std::vector<std::vector<std::string>> matches_in(const std::string& text, const std::string& pattern) {
  const std::regex compiled(pattern);
  std::vector<std::vector<std::string>> found;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled), end; at != end; ++at)
    found.push_back(groups_of(*at));
  return found;
}

std::vector<std::string> match_of(const std::string& text, const std::string& pattern) {
  std::smatch match;
  return std::regex_match(text, match, std::regex(pattern)) ? groups_of(match) : std::vector<std::string>();
}

std::string with_replaced(const std::string& text, const std::string& pattern,
                          const std::string& replacement) {
  return std::regex_replace(text, std::regex(pattern), replacement);
}

}  // namespace unknot
