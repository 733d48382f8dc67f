// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// Unknot's own format, which loses nothing: ports, one-way channels, rates, coordinates, levels, names,
/// addresses, service nodes and the description. The schema is in docs/formats.md. Ids are positions in the
/// lists. Throws InputError with the place in the document ("cables[17]") for what the schema does not allow.
Network read_native_json(std::string_view text, const std::string& name);

/// The document of a network; a name that is not UTF-8 gets U+FFFD for the wrong bytes. Labels that the
/// network does not have are left out, so that reading it back gives the same systematic names and addresses.
std::string write_native_json(const Network& network);

/// True when `head` begins a document of this format.
bool looks_like_native_json(std::string_view head);

}  // namespace unknot
