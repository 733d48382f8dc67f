// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace unknot::cli {

struct ManualPage {
  std::string name;       ///< "unknot-route"
  int section = 1;        ///< 1: a command; 7: a catalogue
  std::string text = {};  ///< in the man macros of roff
};

/// unknot(1), one page for each command, and one in section 7 for each catalogue: "unknot-topologies".
std::vector<ManualPage> manual_pages();

}  // namespace unknot::cli
