// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "unknot/angara/torus.hpp"
#include "unknot/network/network.hpp"

/// What the reader and the writer of format angara share.
namespace unknot::angara_grammar {

inline constexpr std::string_view kMagic = "unknot-angara 1";
inline constexpr std::string_view kTorus = "torus ";
inline constexpr std::string_view kOrder = "order ";

/// "4x2x2x2".
std::string extents(const angara::Torus& torus);
/// "+X +Y -X -Y".
std::string order(const angara::Torus& torus);
/// Terminals by name. Throws InputError where two have the same one.
std::map<std::string, TerminalId, std::less<>> nodes_by_name(const Network& network);
/// Characters of a name that needs no quotes.
bool plain(char c);

}  // namespace unknot::angara_grammar
