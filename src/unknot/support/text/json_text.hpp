// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace unknot {

/// A JSON document. Throws InputError: with file and line for what is none, and for a member that is given
/// twice (json_keys.hpp); with the file for a number beyond all types.
nlohmann::json parse_json(std::string_view text, const std::string& file);

}  // namespace unknot
