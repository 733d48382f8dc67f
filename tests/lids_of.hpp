// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::test {

/// The LIDs that go with a tables file: told_lids(), else the network's.
inline LidMap lids_of(const Network& network, const std::string& tables) {
  ReadLimits limits;
  limits.text = false;
  return told_lids(network, read_file(tables, limits), tables).value_or(LidMap::of(network));
}

}  // namespace unknot::test
