// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/choices.hpp"

namespace unknot {

const std::vector<DesignFamily>& design_families() {
  static const std::vector<DesignFamily> rows{
      {"fattree2", "fat tree of two levels, a cable up for each terminal", 2, "p", fattree2_choices},
      {"fattree3", "fat tree of three levels, a cable up for each terminal", 4, "p", fattree3_choices},
      {"hyperx2", "HyperX of two dimensions, at most shortest side - 1 terminals a router", 2, "p",
       hyperx2_choices},
      {"hyperx3",
       "HyperX of three dimensions, sides at most 2:1, at most shortest side - 1 terminals a router", 3, "p",
       hyperx3_choices},
      {"slimfly", "Slim Fly, at most half the degree, rounded up, in terminals a router", 2, "p",
       slimfly_choices},
      {"slimfly-floor", "Slim Fly, half the degree, rounded down, in terminals a router", 2, "p",
       slimfly_floor_choices},
      {"slimfly-ceil", "Slim Fly, half the degree, rounded up, in terminals a router", 2, "p",
       slimfly_ceil_choices},
      {"oft", "orthogonal fat tree of two levels, at most k terminals a leaf", 2, "p", oft_choices},
      {"mlfm", "multi-layer full mesh, at most h terminals a local router", 2, "p", mlfm_choices},
      {"sspt", "stacked single-path tree on another block design, at most r1 terminals a leaf", 2, "p",
       sspt_choices},
      {"dragonfly", "dragonfly with p <= h and 2 p <= a, which carries uniform traffic", 3, "p",
       dragonfly_choices},
      {"dragonflyplus", "dragonfly+ with at least as many ports up as down on each router", 3, "p",
       dragonflyplus_choices},
      // Lakhotia et al. 2022
      {"polarfly", "PolarFly, at most half the degree in terminals a router", 2, "p", polarfly_choices},
      {"polarstar", "PolarStar, at most a third of the degree in terminals a router", 3, "p",
       polarstar_choices},
      {"bundlefly", "Bundlefly, at most a third of the degree in terminals a router", 3, "p",
       bundlefly_choices},
      {"spectralfly", "SpectralFly of the smallest q, at most half the degree in terminals a router",
       std::nullopt, "each", spectralfly_choices},
      {"jellyfish", "random graph of the cost of a Slim Fly", std::nullopt, "p", jellyfish_choices},
      {"xpander", "Xpander of nearly the cost of a Slim Fly", std::nullopt, "p", xpander_choices},
  };
  return rows;
}

}  // namespace unknot
