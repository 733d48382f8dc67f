// SPDX-License-Identifier: Apache-2.0
#include "live_fabric.hpp"
#include "unknot/live/live_fabric.hpp"

namespace unknot::python {
namespace {

using Live = Held<LiveFabric>;

std::shared_ptr<Live> open_live(const std::shared_ptr<Network>& network, bool exact, std::uint32_t threads,
                                const std::vector<std::uint64_t>& roots, const std::string& faults,
                                const py::object& progress) {
  return run_long(progress, [&](Progress& sink) {
    const LiveFabricOptions options{exact, threads, roots};
    const Faults dead = faults.empty() ? Faults{} : parse_faults(*network, faults);
    return std::make_shared<Live>(network, std::make_unique<LiveFabric>(*network, dead, options, sink));
  });
}

}  // namespace

void bind_live(py::module_& module) {
  py::class_<Live, std::shared_ptr<Live>> type(
      module, "Live",
      "A fabric that changes, its tables (engine clos) and their proof, held in this process: each event is "
      "routed and proven, what it changes is returned as an array of rows router, terminal, port before, "
      "port after (0: no route). Numbers are those of the network. True: no deadlock, and every pair that a "
      "path joins is delivered. For networks that need lanes: LiveLanes.");
  type.def(py::init(&open_live), "network"_given, "exact"_a = false, "threads"_a = 1,
           "roots"_a = std::vector<std::uint64_t>{}, "faults"_a = "", "progress"_a = py::none());
  bind_fabric(type, "Live");
  type.def_property_readonly("looping_pairs",
                             [](const Live& live) { return live.use()->verdict().looping_pairs; });
}

}  // namespace unknot::python
