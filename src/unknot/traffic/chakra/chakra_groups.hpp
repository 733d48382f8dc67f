// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Who takes part in a collective.
namespace unknot::chakra {

/// Ranks of process groups by their names; none stands for all ranks.
using ProcessGroups = std::map<std::string, std::vector<std::uint32_t>>;

/// The process groups that PyTorch writes into a metadata node, a list of {"pg_name": NAME, "ranks": [...]}
/// in brackets and quotation marks; nothing where the text has no pg_name. InputError with `place` for a list
/// that is none.
ProcessGroups groups_in(std::string_view inputs, const std::string& place);

/// A file of process groups as ASTRA-sim takes it: {"NAME": [ranks], ...}. InputError for anything else.
ProcessGroups read_groups(const std::string& file);

/// The ranks of a grid, the first dimension fastest, that differ from this one in the involved dimensions
/// alone, itself among them. Dimensions beyond those of the list are not involved.
std::vector<std::uint32_t> ranks_along(const std::vector<std::uint32_t>& dims,
                                       const std::vector<bool>& involved, std::uint32_t rank);

}  // namespace unknot::chakra
