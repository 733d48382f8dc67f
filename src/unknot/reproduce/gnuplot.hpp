// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// Points of a figure as comma-separated values: x (or the group's name), then y, least and greatest of each
/// series, under one line of headings. Missing points are empty.
std::string plot_data(const Plot& plot);

/// Script that draws `data` (a file name) into `picture`, both relative to the script's folder. Needs
/// gnuplot 5.
std::string plot_script(const Plot& plot, const std::string& data, const std::string& picture);

/// Draws with the gnuplot that the PATH has: runs `script` (a path), which must come from plot_script(), in
/// its folder; `picture` (a path) appears whole or not at all. False where there is no gnuplot; InputError
/// where it fails.
bool draw_plot(const std::string& script, const std::string& picture);

}  // namespace unknot
