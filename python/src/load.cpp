// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::python {
namespace {

py::array_t<std::uint64_t> load_of(const NetworkRouting& made, std::uint32_t threads) {
  require_fit(*made.network, made.routing);
  std::vector<std::uint64_t> load;
  {
    const py::gil_scoped_release release;
    load = channel_load(*made.network, made.routing, threads);
  }
  return adopt(std::move(load));
}

LoadStatistics statistics_of(const std::vector<std::uint64_t>& load) {
  if (load.empty()) throw InputError("load_statistics: there is no channel");
  return load_statistics(load);
}

Congestion congestion_of(const NetworkRouting& made, const std::string& pattern, std::uint32_t samples,
                         std::uint64_t seed, std::uint32_t threads, const py::object& progress) {
  require_fit(*made.network, made.routing);
  const TrafficPattern traffic = make_pattern(*made.network, pattern);
  if (samples == 0) throw InputError("samples: at least 1");
  return run_long(progress, [&](Progress& sink) {
    return congestion(*made.network, made.routing, traffic, traffic.random ? samples : 1, seed, threads,
                      sink);
  });
}

}  // namespace

void bind_load(py::module_& module) {
  py::class_<LoadStatistics>(module, "LoadStatistics", "Balance of a routing over all channels.")
      .def_readonly("max", &LoadStatistics::max, "Edge-forwarding index.")
      .def_readonly("min", &LoadStatistics::min)
      .def_readonly("mean", &LoadStatistics::mean)
      .def_readonly("sigma4", &LoadStatistics::sigma4, "Deviation of order 4.")
      .def("__repr__", [](const LoadStatistics& s) {
        return fmt::format("<unknot.LoadStatistics: max {}, mean {:.1f}, sigma4 {:.1f}>", s.max, s.mean,
                           s.sigma4);
      });
  py::class_<Congestion>(module, "Congestion", "A traffic pattern on a routing, sampled as ORCS does.")
      .def_readonly("effective_bisection_bandwidth", &Congestion::effective_bisection_bandwidth)
      .def_readonly("standard_error", &Congestion::standard_error)
      .def_readonly("throughput", &Congestion::throughput, "All flows at one rate.")
      .def_readonly("max_congestion", &Congestion::max_congestion, "Flows on the busiest channel.")
      .def_readonly("samples", &Congestion::samples)
      .def_readonly("unroutable_flows", &Congestion::unroutable_flows)
      .def("__repr__", [](const Congestion& c) {
        return fmt::format("<unknot.Congestion: effective bisection bandwidth {:.4f} +- {:.4f}>",
                           c.effective_bisection_bandwidth, c.standard_error);
      });
  module.def("channel_load", &load_of, "routing"_a, "threads"_a = 0,
             "By channel: ordered pairs of terminals whose path takes it.");
  module.def("load_statistics", &statistics_of, "load"_a,
             "Of channel_load(), or of what you counted yourself.");
  module.def("congestion", &congestion_of, "routing"_a, "pattern"_a = "bisection", "samples"_a = 1000,
             "seed"_a = 1, "threads"_a = 0, "progress"_a = py::none(),
             "Bandwidth of a traffic pattern; see patterns().");
}

}  // namespace unknot::python
