// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unknot::cli {

/// Engine specs of "minhop,dfsssp:order=first,lanes=2,updn": a comma separates engines and the parameters of
/// one engine alike, so a piece belongs to the engine before it unless it starts with an engine's name. "all"
/// is every engine of the catalogue. Throws InputError for an empty list and for names the catalogue does not
/// have.
std::vector<std::string> split_engines(std::string_view text);

}  // namespace unknot::cli
