// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace unknot {

/// Refuses a JSON document in which some object, at any depth, names a member twice: a parser keeps one of
/// the two, and which one is anybody's guess. `text` is what a
/// parser has taken, and is refused too where that has stopped at a NUL byte before the end. InputError with
/// file, line and key, for the first key that comes again; `first_line` is the document's in its file. O(text
/// + keys * log keys of an object).
void refuse_keys_given_twice(std::string_view text, const std::string& file, std::size_t first_line = 1);

}  // namespace unknot
