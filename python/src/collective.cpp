// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::python {
namespace {

using Nodes = std::optional<std::vector<std::uint32_t>>;
using Transfer = std::pair<std::uint32_t, std::vector<std::uint32_t>>;

/// A problem, and the network whose nodes it speaks of.
struct Collective {
  std::shared_ptr<Network> network;
  Problem problem;
  // what the problem does not tell, to make the same again
  std::uint32_t terminal_capacity = 1;
  std::shared_ptr<NetworkRouting> routing = nullptr;  // whose routes transfers keep to
};

NodeId node_at(const NodeGraph& graph, std::uint32_t index) {
  if (index >= graph.node_count())
    throw py::index_error(fmt::format("there is no node {}: there are {}", index, graph.node_count()));
  return NodeId(index);
}

std::optional<std::vector<NodeId>> nodes_from(const NodeGraph& graph, const Nodes& given) {
  if (!given) return std::nullopt;
  std::vector<NodeId> nodes;
  for (const std::uint32_t index : *given) nodes.push_back(node_at(graph, index));
  return nodes;
}

NodeModel model_from(const std::string& word) {
  if (word == "automatic") return NodeModel::automatic;
  if (word == "routers") return NodeModel::routers;
  if (word == "terminals") return NodeModel::terminals;
  throw InputError(fmt::format("node_model: automatic, routers or terminals, not '{}'", word));
}

CapacityUnit unit_from(const std::string& word) {
  if (word == "cables") return CapacityUnit::cables;
  if (word == "rates") return CapacityUnit::rates;
  if (word == "stated") return CapacityUnit::stated;
  throw InputError(fmt::format("capacity: cables, rates or stated, not '{}'", word));
}

Collective make(const std::shared_ptr<Network>& network, const std::string& name,
                std::optional<std::uint32_t> root, const Nodes& nodes, const Nodes& transmitters,
                const Nodes& receivers,
                const std::optional<std::vector<std::pair<std::uint32_t, std::uint32_t>>>& messages,
                std::uint32_t ports, std::uint32_t receive_ports, std::optional<std::uint32_t> extra_hops,
                bool half_duplex, const std::string& node_model, std::uint32_t terminal_capacity,
                const std::string& capacity, const std::shared_ptr<NetworkRouting>& routing) {
  NodeGraphOptions options;
  options.unit = unit_from(capacity);
  options.model = model_from(node_model);
  options.links = half_duplex ? LinkClass::half_duplex : LinkClass::full_duplex;
  options.terminal_capacity = terminal_capacity;
  if (terminal_capacity == 0) throw InputError("terminal_capacity: at least 1");
  const auto graph = std::make_shared<const NodeGraph>(*network, options);
  Participants who;
  if (root) who.root = node_at(*graph, *root);
  who.nodes = nodes_from(*graph, nodes);
  who.transmitters = nodes_from(*graph, transmitters);
  who.receivers = nodes_from(*graph, receivers);
  if (messages) {
    who.messages.emplace();
    for (const auto& [owner, partner] : *messages)
      who.messages->push_back({node_at(*graph, owner), node_at(*graph, partner)});
  }
  ProblemRules rules;
  if (ports > 0) rules.send_ports = ports;
  if (ports > 0 || receive_ports > 0) rules.receive_ports = receive_ports > 0 ? receive_ports : ports;
  if (extra_hops) rules.extra_hops = *extra_hops;
  if (routing != nullptr) {
    require_fit(*network, routing->routing);
    rules.routes = std::make_shared<const PairRoutes>(*network, *graph, routing->routing);
  }
  return {network, make_collective(graph, name, who, rules), terminal_capacity, routing};
}

/// All that a pickle holds of one: its network, its routing, the graph's options, the rules, the messages.
py::tuple state_of(const Collective& c) {
  const Problem& p = c.problem;
  const NodeGraph& graph = *p.graph;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> messages;
  for (std::uint32_t g = 0; g < p.groups(); ++g) {
    for (const NodeId n : p.partners(g)) messages.emplace_back(p.owner[g].value, n.value);
  }
  return py::make_tuple(c.network, c.routing, static_cast<int>(graph.unit()), graph.has_terminal_nodes(),
                        graph.link_class() == LinkClass::half_duplex, c.terminal_capacity, p.collective,
                        static_cast<int>(p.delivery), p.send_ports, p.receive_ports, p.extra_hops, p.repeats,
                        messages);
}

Collective from_state(const py::tuple& state) {
  NodeGraphOptions options;
  const auto network = state[0].cast<std::shared_ptr<Network>>();
  const auto routing = state[1].cast<std::shared_ptr<NetworkRouting>>();
  options.unit = static_cast<CapacityUnit>(state[2].cast<int>());
  options.model = state[3].cast<bool>() ? NodeModel::terminals : NodeModel::routers;
  options.links = state[4].cast<bool>() ? LinkClass::half_duplex : LinkClass::full_duplex;
  options.terminal_capacity = state[5].cast<std::uint32_t>();
  const auto graph = std::make_shared<const NodeGraph>(*network, options);
  ProblemRules rules;
  rules.send_ports = state[8].cast<std::uint32_t>();
  rules.receive_ports = state[9].cast<std::uint32_t>();
  rules.extra_hops = state[10].cast<std::uint32_t>();
  rules.repeats = state[11].cast<bool>();
  if (routing != nullptr)
    rules.routes = std::make_shared<const PairRoutes>(*network, *graph, routing->routing);
  std::vector<MessageEnds> messages;
  for (const auto& [owner, partner] : state[12].cast<std::vector<std::pair<std::uint32_t, std::uint32_t>>>())
    messages.push_back({node_at(*graph, owner), node_at(*graph, partner)});
  return {network,
          make_problem(state[6].cast<std::string>(), graph, static_cast<Delivery>(state[7].cast<int>()),
                       std::move(messages), rules),
          options.terminal_capacity, routing};
}

Solution design(const Collective& c, const std::string& solver, std::uint32_t steps, std::uint64_t seed,
                std::uint32_t threads, double seconds, const py::object& progress) {
  return run_long(progress, [&](Progress& sink) {
    SolveOptions options{.steps = steps, .seed = seed, .threads = threads, .seconds = seconds};
    options.lower_bound = lower_bound(c.problem).steps;
    return solve(c.problem, solver, options, sink);
  });
}

std::vector<std::vector<Transfer>> steps_of(const Schedule& schedule) {
  std::vector<std::vector<Transfer>> steps(schedule.step_count());
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      std::vector<std::uint32_t> path;
      for (const NodeId n : schedule.path(t)) path.push_back(n.value);
      steps[step].emplace_back(schedule.origin(t).value, std::move(path));
    }
  }
  return steps;
}

Schedule from_steps(const std::vector<std::vector<Transfer>>& steps) {
  Schedule schedule;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    schedule.add_step();
    for (const auto& [origin, path] : steps[step]) {
      if (path.empty()) throw InputError(fmt::format("steps[{}]: a path has one node at the least", step));
      std::vector<NodeId> nodes;
      for (const std::uint32_t n : path) nodes.emplace_back(n);
      schedule.add(NodeId(origin), nodes);
    }
  }
  return schedule;
}

py::tuple read_from(const std::shared_ptr<Network>& network, const PathText& path,
                    const std::string& node_model) {
  const ScheduleDocument document = parse_schedule(read_file(path.text), path.text);
  NodeGraphOptions options;
  options.model = model_from(node_model);
  const auto graph = std::make_shared<const NodeGraph>(*network, options);
  return py::make_tuple(Collective{network, problem_of(document, graph)}, document.schedule);
}

std::string json_of(const Collective& c, const Schedule& schedule) {
  return schedule_json(document_of(c.problem, c.network->description(), schedule));
}

py::dict violations_of(const ScheduleVerdict& verdict) {
  py::dict made;
  for (std::size_t k = 0; k < kViolationKinds; ++k)
    if (verdict.count[k] > 0) made[name_of(static_cast<ViolationKind>(k))] = verdict.count[k];
  return made;
}

void bind_problem(py::module_& module) {
  py::class_<Collective>(module, "Collective",
                         "A collective communication on a network: what is to be delivered, and the rules.")
      .def_readonly("network", &Collective::network)
      .def_property_readonly("name", [](const Collective& c) { return c.problem.collective; })
      .def_property_readonly(
          "messages", [](const Collective& c) { return c.problem.messages(); },
          "Messages, or receivers of them.")
      .def_property_readonly(
          "node_count", [](const Collective& c) { return c.problem.graph->node_count(); },
          "Routers, and terminals after them where these are nodes of their own.")
      .def_property_readonly(
          "unit_megabits", [](const Collective& c) { return c.problem.graph->unit_megabits(); },
          "Megabits a second of data that a capacity of 1 is; 0 where it is a cable.")
      .def(py::pickle(&state_of, &from_state))
      .def("__repr__", [](const Collective& c) {
        return fmt::format("<unknot.Collective {} on {}: {} messages>", c.problem.collective,
                           c.network->description(), c.problem.messages());
      });
  module.def(
      "collective", &make, "network"_given, "name"_a, py::kw_only(), "root"_a = py::none(),
      "nodes"_a = py::none(), "transmitters"_a = py::none(), "receivers"_a = py::none(),
      "messages"_a = py::none(), "ports"_a = 0, "receive_ports"_a = 0, "extra_hops"_a = py::none(),
      "half_duplex"_a = false, "node_model"_a = "automatic", "terminal_capacity"_a = 1,
      "capacity"_a = "cables", "routing"_a = py::none(),
      "A row of collectives() on a network. Ports 0: as channels allow; receive_ports 0: as ports. "
      "extra_hops None: paths "
      "of any length; 0: shortest. Capacity: what a link carries in a step counts by cables, by rates or as "
      "the network states it. With a routing, transfers keep to its routes.");
  py::class_<LowerBound>(module, "LowerBound", "No schedule has fewer steps, and why.")
      .def_readonly("steps", &LowerBound::steps)
      .def_readonly("name", &LowerBound::name)
      .def_readonly("reason", &LowerBound::reason)
      .def(
          "check", [](const LowerBound& bound, const Collective& c) { return check_bound(c.problem, bound); },
          "collective"_a, "Counts the proof again.")
      .def("__repr__",
           [](const LowerBound& b) { return fmt::format("<unknot.LowerBound {}: {}>", b.steps, b.reason); });
  module.def(
      "lower_bound",
      [](const Collective& c) {
        const py::gil_scoped_release release;
        return lower_bound(c.problem);
      },
      "collective"_a, "The largest of all bounds that apply.");
}

}  // namespace

void bind_collective(py::module_& module) {
  bind_problem(module);
  py::class_<Schedule>(module, "Schedule", "Transfers in synchronous steps, each along a path of nodes.")
      .def(py::init(&from_steps), "steps"_a, "A list for each step of pairs (origin, path).")
      .def_property_readonly("step_count", &Schedule::step_count)
      .def_property_readonly("transfer_count", &Schedule::transfer_count)
      .def_property_readonly("steps", &steps_of, "A list for each step of pairs (origin, path).")
      .def(
          "to_json", [](const Schedule& s, const Collective& c) { return json_of(c, s); }, "collective"_a)
      .def(
          "write",
          [](const Schedule& s, const Collective& c, const PathText& path) {
            write_file(path.text, json_of(c, s));
          },
          "collective"_a, "path"_a, "Writes the JSON that unknot schedule check and unknot-play read.")
      .def("__len__", &Schedule::step_count)
      .def(
          "__eq__",
          [](const Schedule& a, const py::object& b) {
            return py::isinstance<Schedule>(b) && a == b.cast<const Schedule&>();
          },
          "other"_a)
      .def("__repr__", [](const Schedule& s) {
        return fmt::format("<unknot.Schedule: {} transfers in {} steps>", s.transfer_count(), s.step_count());
      });
  py::class_<Solution>(module, "Solution", "What a solver has found.")
      .def_readonly("schedule", &Solution::schedule)
      .def_readonly("steps", &Solution::steps)
      .def_readonly("conflicts", &Solution::conflicts, "Left in the schedule; 0: it is valid.")
      .def_readonly("fewest", &Solution::fewest, "Proven: no schedule has fewer steps.")
      .def_readonly("evaluations", &Solution::evaluations)
      .def_readonly("out_of_time", &Solution::out_of_time)
      .def_readonly("impossible", &Solution::impossible, "Proven: there is no schedule of this many steps.")
      .def_property_readonly(
          "optimal", [](const Solution& s) { return s.conflicts == 0 && s.steps == s.fewest; },
          "Valid, and proven to have the fewest steps.")
      .def("__repr__", [](const Solution& s) {
        return fmt::format("<unknot.Solution: {} steps, {}>", s.steps,
                           s.conflicts > 0 ? fmt::format("{} conflicts", s.conflicts)
                                           : fmt::format("at least {} needed", s.fewest));
      });
  module.def(
      "design_schedule", &design, "collective"_a, "solver"_a = "auto", "steps"_a = 0, "seed"_a = 1,
      "threads"_a = 0, "seconds"_a = 0.0, "progress"_a = py::none(),
      "A schedule by one of solvers(), of just this many steps, or 0: as few as it finds. With seconds "
      "it ends after this many.");
  using V = ScheduleVerdict;
  py::class_<V>(module, "ScheduleVerdict", "What replaying a schedule has shown. True: it is valid.")
      .def_property_readonly("valid", &V::valid)
      .def_readonly("steps", &V::steps)
      .def_readonly("transfers", &V::transfers)
      .def_readonly("hops", &V::hops)
      .def_property_readonly("violations", &violations_of, "How many of each kind.")
      .def_property_readonly(
          "findings",
          [](const V& v) {
            std::vector<std::string> lines;
            for (const StepFinding& finding : v.findings) lines.push_back(finding.first);
            return lines;
          },
          "The first of each step, a sentence.")
      .def("__bool__", &V::valid)
      .def("__repr__", [](const V& v) {
        return v.valid() ? fmt::format("<unknot.ScheduleVerdict: valid, {} transfers>", v.transfers)
                         : fmt::format("<unknot.ScheduleVerdict: {} violations>", v.violations());
      });
  module.def(
      "check_schedule", [](const Collective& c, const Schedule& s) { return check_schedule(c.problem, s); },
      "collective"_a, "schedule"_a, "Replays a schedule, a third-party one too, step by step.");
  module.def("read_schedule", &read_from, "network"_given, "path"_a, "node_model"_a = "automatic",
             "The collective and the schedule of a JSON file.");
}

}  // namespace unknot::python
