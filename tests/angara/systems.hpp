// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::testing {

/// A torus with what has failed in it, both as the command line takes them.
struct AngaraCase {
  std::string spec;
  std::string faults;
};

inline Network make(const AngaraCase& one) {
  Network network = make_network(one.spec);
  return one.faults.empty() ? network : with_faults(network, parse_faults(network, one.faults));
}

/// Whole and broken tori of one to four dimensions, with sizes of 2 before and after others.
inline std::vector<AngaraCase> angara_cases() {
  std::vector<AngaraCase> cases;
  for (const char* spec : {"torus:2", "torus:4", "torus:5", "torus:3x3", "torus:4x2", "torus:2x4",
                           "torus:6x4", "torus:4x2x2", "torus:2x3x4", "torus:3x3x3", "torus:4x2x2x2",
                           "torus:2x2x2x2", "mesh:3x4", "hypercube:3", "ring:7"}) {
    cases.push_back({spec, ""});
  }
  for (const char* spec : {"torus:3x3", "torus:4x2", "torus:2x4", "torus:5x4", "torus:4x2x2", "torus:2x3x4",
                           "torus:4x3x2", "torus:4x2x2x2"}) {
    for (const char* faults : {"routers=0", "cables=0:1", "cables=1:1", "cable-count=3,seed=2",
                               "router-count=2,seed=5", "cable-count=2,router-count=1,seed=3"}) {
      cases.push_back({spec, faults});
    }
  }
  return cases;
}

}  // namespace unknot::testing
