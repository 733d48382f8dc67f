// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// One page: title, source, text, the rows as a table, further tables, and a picture for each of `pictures`
/// (paths relative to the page). `command` is how to get it again.
std::string markdown_page(const Experiment& experiment, const Reproduction& result,
                          const std::string& command, const std::vector<std::string>& pictures);

}  // namespace unknot
