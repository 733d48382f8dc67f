// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace unknot::cli {

/// Loads of "0.3", "0.1:0.9:0.1" (both ends included where the step meets them) or a list of these with
/// commas, in the order given. InputError, one sentence, for anything else, loads outside 0 .. 1, a load
/// given twice, more than 1000 of them.
std::vector<double> parse_loads(std::string_view text);

}  // namespace unknot::cli
