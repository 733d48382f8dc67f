// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/patterns/pattern.hpp"

// Traffic in a file: a line "source destination [weight]" for each flow. A terminal is given by its number,
// or by its name where that has no blank; the weight is a positive decimal number, 1 where it is missing.
// Empty lines and what follows a # are skipped.
namespace unknot {

/// Flows of such a text. InputError with file and line for anything else, a terminal that sends to itself, a
/// pair given twice, or no flow at all. `file` names the text in messages. O(flows log flows).
std::vector<Flow> parse_flows(const Network& network, std::string_view text, const std::string& file);

/// The text of these flows, by terminal numbers, behind `comment` where that is not empty. Weights come back
/// exactly.
std::string flows_text(const std::vector<Flow>& flows, std::string_view comment);

}  // namespace unknot
