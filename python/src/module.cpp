// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "unknot/support/version.hpp"

PYBIND11_MODULE(_unknot, module) {
  using namespace unknot::python;
  module.doc() = "What unknot does, in C++; import unknot, which has all of it and more.";
  module.attr("__version__") = unknot::version();
  bind_errors(module);
  bind_catalogues(module);
  bind_network(module);
  bind_routing(module);
  bind_verify(module);
  bind_load(module);
  bind_live(module);
  bind_live_lanes(module);
  bind_simulate(module);
  bind_collective(module);
  bind_commands(module);
  give_signatures(module);
}
