// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "unknot/simulate/load_points.hpp"

namespace unknot::cli {

/// InputError where a picture cannot be written as `path` asks: what does not end in .svg, but for - and
/// nothing.
void check_plot(const std::string& path);

/// The curve of latency and accepted load over what was simulated, as SVG; `facts` name and value of what
/// stands above it. The loads of the definitions are marked where they were searched.
std::string load_plot(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts,
                      const simulate::SaturationRun& run, bool searched);

}  // namespace unknot::cli
