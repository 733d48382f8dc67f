// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::python {
namespace {

using simulate::AdaptiveChoice;
using simulate::LaneProof;
using simulate::LoadPoint;
using simulate::PointMeans;
using simulate::RoutePlan;
using simulate::Settings;
using simulate::WorkloadReport;

/// Routers, links and a routing, ready to be simulated.
struct Simulation {
  std::shared_ptr<Network> network;
  RoutePlan plan;
  Settings settings;
  LaneProof proof;
};

Settings settings_from(const std::string& preset, const py::dict& given) {
  simulate::SettingsDraft draft;
  if (!preset.empty()) draft.add(simulate::preset_layer(preset));
  std::vector<std::string> assignments;
  for (const auto& [key, value] : given)
    assignments.push_back(py::str(key).cast<std::string>() + "=" + py::str(value).cast<std::string>());
  if (!assignments.empty()) draft.add(simulate::parse_assignments(assignments));
  return draft.resolve().settings;
}

std::unique_ptr<Simulation> of_routing(const NetworkRouting& made, const std::string& preset,
                                       const py::dict& settings, bool any_lane, std::uint32_t threads) {
  const Settings wanted = settings_from(preset, settings);
  require_fit(*made.network, made.routing);
  (void)simulate::link_times(*made.network, wanted);
  LaneProof proof = run_long(py::none(), [&](Progress& sink) {
    return simulate::prove_lanes(*made.network, made.routing, any_lane, threads, sink);
  });
  RoutePlan plan = simulate::plan_routing(*made.network, made.routing, any_lane);
  Settings fitting = for_lanes(wanted, plan.lanes_needed);
  return std::make_unique<Simulation>(
      Simulation{made.network, std::move(plan), std::move(fitting), std::move(proof)});
}

AdaptiveChoice choice_of(const std::string& paths, const std::string& lane_scheme, const py::kwargs& ugal) {
  AdaptiveChoice choice;
  choice.lane_scheme = lane_scheme;
  if (paths == "ugal") {
    choice.kind = RoutePlan::Kind::ugal;
  } else if (paths == "valiant") {
    choice.kind = RoutePlan::Kind::valiant;
  } else if (paths == "romm") {
    choice.within = true;
  } else if (paths != "minimal") {
    throw InputError(fmt::format("paths: minimal, romm, valiant or ugal, not '{}'", paths));
  }
  for (const auto& [name, value] : ugal) {
    const auto key = name.cast<std::string>();
    if (choice.kind != RoutePlan::Kind::ugal)
      throw py::type_error(fmt::format("paths {} take no {}", paths, key));
    if (key == "indirect") {
      choice.ugal.indirect = value.cast<std::uint32_t>();
    } else if (key == "penalty") {
      choice.ugal.penalty = value.cast<double>();
    } else if (key == "by_length") {
      choice.ugal.by_length = value.cast<bool>();
    } else if (key == "threshold") {
      choice.ugal.threshold = value.cast<double>();
    } else if (key == "global") {
      choice.ugal.global = value.cast<bool>();
    } else if (key == "progressive") {
      choice.ugal.progressive = value.cast<std::uint32_t>();
    } else {
      throw py::type_error(fmt::format(
          "paths ugal take indirect, penalty, by_length, threshold, global and progressive, not {}", key));
    }
  }
  return choice;
}

std::unique_ptr<Simulation> of_paths(const std::shared_ptr<Network>& network, const std::string& paths,
                                     const std::string& preset, const py::dict& settings,
                                     const std::string& lane_scheme, std::uint32_t threads,
                                     const py::kwargs& ugal) {
  const Settings wanted = settings_from(preset, settings);
  const AdaptiveChoice choice = choice_of(paths, lane_scheme, ugal);
  (void)simulate::link_times(*network, wanted);
  RoutePlan plan = simulate::plan_paths(*network, choice, threads);
  LaneProof proof = run_long(
      py::none(), [&](Progress& sink) { return simulate::prove_lanes(*network, choice, threads, sink); });
  Settings fitting = for_lanes(wanted, plan.lanes_needed);
  return std::make_unique<Simulation>(
      Simulation{network, std::move(plan), std::move(fitting), std::move(proof)});
}

std::vector<LoadPoint> run(const Simulation& s, const std::vector<double>& loads, const std::string& traffic,
                           std::uint32_t seeds, std::uint32_t threads, const py::object& progress,
                           const std::string& injection) {
  if (seeds == 0) throw InputError("seeds: at least 1");
  const TrafficPattern pattern = make_pattern(*s.network, traffic);
  const simulate::RunOptions options{simulate::make_injection(injection)};
  return run_long(progress, [&](Progress& sink) {
    return simulate::run_loads({s.plan, s.settings, pattern, seeds, threads, options}, loads, sink);
  });
}

py::dict saturation(const Simulation& s, const std::string& traffic, double tolerance, std::uint32_t seeds,
                    std::uint32_t threads, const py::object& progress, const std::string& injection) {
  if (seeds == 0) throw InputError("seeds: at least 1");
  const TrafficPattern pattern = make_pattern(*s.network, traffic);
  const simulate::RunOptions run{simulate::make_injection(injection)};
  simulate::SaturationOptions options;
  options.tolerance = tolerance;
  check(options);
  const simulate::SaturationRun found = run_long(progress, [&](Progress& sink) {
    return simulate::run_saturation({s.plan, s.settings, pattern, seeds, threads, run}, options, sink);
  });
  const double zero = found.report.zero_load_latency;
  py::dict made("zero_load_latency"_a = std::isfinite(zero) ? std::optional(zero) : std::nullopt,
                "points"_a = found.points);
  for (const simulate::Saturation* one :
       {&found.report.latency, &found.report.throughput, &found.report.plateau})
    made[one->name.c_str()] = one->load;
  if (!found.spreads.empty()) {
    const auto interval = [&](std::size_t i) {
      const simulate::SaturationSpread& own = found.spreads[i];
      return py::dict("mean"_a = own.mean, "half_width"_a = own.half_width, "least"_a = own.loads.low,
                      "greatest"_a = own.loads.high);
    };
    made["seeds"] =
        py::dict("latency"_a = interval(0), "throughput"_a = interval(1), "plateau"_a = interval(2));
  }
  return made;
}

WorkloadReport workload(const Simulation& s, const std::string& spec, const py::object& progress) {
  const Workload exchange = make_workload(*s.network, spec, s.settings.seed);
  return run_long(progress, [&](Progress& sink) { return run_workload(s.plan, s.settings, exchange, sink); });
}

template <class Value>
auto mean_of(Value PointMeans::*value) {
  return [value](const LoadPoint& point) { return means(point).*value; };
}

/// What has no meaning unless all measured packets arrived.
auto of_arrived(double PointMeans::*value) {
  return [value](const LoadPoint& point) -> std::optional<double> {
    const PointMeans all = means(point);
    return all.has_latencies ? std::optional(all.*value) : std::nullopt;
  };
}

/// What has no meaning unless the exchange completed.
template <class Report>
auto of_complete(double Report::*value) {
  return [value](const WorkloadReport& report) {
    return report.complete ? std::optional(report.*value) : std::nullopt;
  };
}

void bind_reports(py::module_& module) {
  py::class_<LoadPoint>(module, "LoadPoint",
                        "Steady traffic at one load, means over its seeds. Loads are flits a cycle of a "
                        "terminal, latencies cycles.")
      .def_readonly("load", &LoadPoint::load)
      .def_property_readonly("offered", mean_of(&PointMeans::offered))
      .def_property_readonly("accepted", mean_of(&PointMeans::accepted))
      .def_property_readonly("latency_mean", of_arrived(&PointMeans::latency_mean),
                             "Latencies are None unless all measured packets arrived.")
      .def_property_readonly("latency_half_width", of_arrived(&PointMeans::latency_half_width),
                             "Of the 95 % interval.")
      .def_property_readonly("latency_p50", of_arrived(&PointMeans::latency_p50))
      .def_property_readonly("latency_p95", of_arrived(&PointMeans::latency_p95))
      .def_property_readonly("latency_p99", of_arrived(&PointMeans::latency_p99))
      .def_property_readonly("latency_max", of_arrived(&PointMeans::latency_max))
      .def_property_readonly("hops_mean", of_arrived(&PointMeans::hops_mean), "Routers passed.")
      .def_property_readonly("indirect_share", of_arrived(&PointMeans::indirect_share))
      .def_property_readonly("packets", mean_of(&PointMeans::packets), "Measured, all seeds together.")
      .def_property_readonly("cycles", mean_of(&PointMeans::cycles), "Simulated, all seeds together.")
      .def_property_readonly("warm_up", mean_of(&PointMeans::warm_up), "Cycles left out.")
      .def_property_readonly("steady", mean_of(&PointMeans::steady))
      .def_property_readonly("saturated", mean_of(&PointMeans::saturated))
      .def_property_readonly("deadlock", mean_of(&PointMeans::deadlock))
      .def_property_readonly("all_arrived", mean_of(&PointMeans::all_arrived), "All measured packets did.")
      .def_property_readonly(
          "state", [](const LoadPoint& point) { return name_of(means(point).state()); },
          "deadlock, undelivered, idle, saturated, steady or not steady.")
      .def_property_readonly(
          "utilisation", [](const LoadPoint& point) { return adopt(mean_utilisation(point)); },
          "By channel: part of the time that it sent.")
      .def("__repr__", [](const LoadPoint& point) {
        const PointMeans m = means(point);
        const bool fine =
            m.state() == simulate::PointState::steady || m.state() == simulate::PointState::not_steady;
        return fmt::format("<unknot.LoadPoint {:.3g}: accepted {:.4f}, latency {}{}>", m.load, m.accepted,
                           m.has_latencies ? fmt::format("{:.2f}", m.latency_mean) : "-",
                           fine ? "" : fmt::format(", {}", name_of(m.state())));
      });
  using W = WorkloadReport;
  py::class_<W>(module, "WorkloadReport", "An exchange that ends.")
      .def_readonly("complete", &W::complete, "False: it deadlocked, or something could not be delivered.")
      .def_readonly("messages", &W::messages)
      .def_readonly("bytes", &W::bytes)
      .def_readonly("packets", &W::packets)
      .def_property_readonly("completion_cycles", of_complete(&W::completion_cycles),
                             "None where it did not complete, as what follows.")
      .def_property_readonly("completion_ns", of_complete(&W::completion_ns))
      .def_property_readonly("effective_throughput", of_complete(&W::effective_throughput),
                             "Bytes over completion time, terminals and the bandwidth of a terminal.")
      .def_property_readonly("latency_mean", of_complete(&W::latency_mean))
      .def_property_readonly("latency_max", of_complete(&W::latency_max))
      .def_property_readonly("hops_mean", of_complete(&W::hops_mean))
      .def_property_readonly("indirect_share", of_complete(&W::indirect_share))
      .def_property_readonly(
          "utilisation",
          [](const py::object& self) {
            return view<float>(std::span<const float>(self.cast<const W&>().utilisation), self);
          },
          "By channel: part of the time that it sent.")
      .def("__repr__", [](const W& w) {
        if (!w.complete) return fmt::format("<unknot.WorkloadReport: {} messages, not complete>", w.messages);
        return fmt::format("<unknot.WorkloadReport: {} messages in {:.0f} cycles>", w.messages,
                           w.completion_cycles);
      });
}

}  // namespace

void bind_simulate(py::module_& module) {
  bind_reports(module);
  const py::dict none;
  py::class_<Simulation>(module, "Simulation",
                         "Routers, links and a routing, ready to be simulated flit by flit.")
      .def(py::init(&of_routing), "routing"_a, "preset"_a = "", "settings"_a = none, "any_lane"_a = false,
           "threads"_a = 0)
      .def_static(
          "of_paths", &of_paths, "network"_given, "paths"_a, "preset"_a = "", "settings"_a = none,
          "lane_scheme"_a = "hop", "threads"_a = 0,
          "Routing over many paths: minimal, valiant or ugal (which takes indirect, penalty, by_length and "
          "threshold) on a lane scheme.")
      .def_readonly("network", &Simulation::network)
      .def_property_readonly(
          "deadlock_free", [](const Simulation& s) { return s.proof.deadlock_free; },
          "Proven before anything is simulated.")
      .def_property_readonly(
          "proof", [](const Simulation& s) { return s.proof.statement; }, "What is proven, or not.")
      .def_property_readonly(
          "settings", [](const Simulation& s) { return simulate::settings_text(s.settings); },
          "All settings in force, as a file for --config.")
      .def("run", &run, "loads"_a, "traffic"_a = "uniform", "seeds"_a = 1, "threads"_a = 0,
           "progress"_a = py::none(), "injection"_a = "bernoulli",
           "Steady traffic: a LoadPoint for each load; see patterns().")
      .def("saturation", &saturation, "traffic"_a = "uniform", "tolerance"_a = 0.01, "seeds"_a = 1,
           "threads"_a = 0, "progress"_a = py::none(), "injection"_a = "bernoulli",
           "Saturation load by three definitions, latency, throughput and plateau, and the points simulated; "
           "with several seeds what each says alone, under seeds.")
      .def("workload", &workload, "spec"_a, "progress"_a = py::none(),
           "An exchange until it has ended; see workloads().")
      .def("__repr__", [](const Simulation& s) {
        return fmt::format("<unknot.Simulation of {}: {}>", s.network->description(), s.proof.statement);
      });
}

}  // namespace unknot::python
