// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/support/error.hpp"
#include "unknot/support/text/json_keys.hpp"

namespace unknot {

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  try {
    nlohmann::json document = nlohmann::json::parse(text);
    refuse_keys_given_twice(text, file);
    return document;
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    throw InputError(file, static_cast<std::size_t>(line), "not valid JSON here");
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(file + ": a number that is too large for any member");
  }
}

}  // namespace unknot
