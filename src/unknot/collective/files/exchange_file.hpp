// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/collective/exchange/exchange_plan.hpp"
#include "unknot/collective/files/plan_reader.hpp"

namespace unknot {

/// Paths as files hold them: what schedules say before their steps, then into how many parts a message is
/// divided, and the paths, each with the parts that it carries.
///
///     {"fabric": "ring:3", "collective": "AAS", "terminals": [0, 1, 2], "copies": 1, "paths": [
///      {"copies": 1, "path": [0, 1]},
///      ...
///     ]}
struct ExchangeDocument : PlanHead {
  ExchangePlan plan;
};

/// Whether a text is of this form: it speaks of "paths", and not of "steps" before. O(text).
bool is_exchange(std::string_view text);

/// InputError with the file, and the member where it is that, for anything but the form above. Members that
/// are not known are ignored. Whether the paths deliver is for check_exchange() to say. O(text).
ExchangeDocument parse_exchange(std::string_view text, const std::string& file);

/// JSON with one line for each path.
std::string exchange_json(const ExchangeDocument& document);

}  // namespace unknot
