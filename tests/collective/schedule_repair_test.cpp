// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/schedule_repair.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "collective/schedules.hpp"
#include "unknot/collective/checker.hpp"
#include "unknot/collective/lower_bound.hpp"
#include "unknot/collective/solver.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
TEST(Probe, All) {
  Progress silent;
  for (const char* spec : {"kautz:b=3,n=2,oriented=1", "mesh:4x4", "nodes"}) {
    const bool node = std::string(spec) == "nodes";
    const Network network = make_network(node ? "mesh:4x4" : spec);
    const auto graph = std::make_shared<const NodeGraph>(network);
    for (const char* c : {"OAS", "AAS", "OAB", "AAB"}) {
      if (getenv("C") && std::string(getenv("C")) != c) continue;
      const Problem problem = make_collective(graph, c);
      SolveOptions options{.lower_bound = lower_bound(problem).steps, .threads = 1};
      const Solution old = solve(problem, "auto", options, silent);
      std::vector<Faults> faults;
      if (node) for (const RouterId r : network.routers()) faults.push_back({{r}, {}, {}});
      else for (const ChannelId ch : network.channels()) {
        const ChannelId back = network.reverse(ch);
        if (!back.valid()) faults.push_back({{}, {ch}, {}});
        else if (ch < back) faults.push_back({{}, {ch, back}, {}});
      }
      double most = 0, sum = 0; int optimal = 0, above = 0; double mostb = 0;
      for (const Faults& f : faults) {
        if (node && f.routers[0].value == 0 && c[0] == 'O') continue;
        const Network after = with_faults(network, f);
        const auto g2 = std::make_shared<const NodeGraph>(after, NodeGraphOptions{.model = NodeModel::routers});
        const auto numbers = node_numbers(*graph, *g2, compare_networks(network, after));
        const double t0 = now();
        const FaultImpact impact = fault_impact(problem, old.schedule, g2, numbers);
        const std::uint32_t bound = lower_bound(impact.problem).steps;
        const double t1 = now();
        const RepairedSchedule r = repair_schedule(impact.problem, impact.former, {.lower_bound = bound, .effort = getenv("E") ? std::stoul(getenv("E")) : 20ul}, silent);
        const double t2 = now();
        const RepairedSchedule k = repair_schedule(impact.problem, impact.former, {.lower_bound = bound, .keep_all = true}, silent);
        most = std::max(most, t2 - t1); sum += t2 - t1; mostb = std::max(mostb, t1 - t0);
        const auto s = r.schedule.step_count();
        (s == bound ? optimal : above) += 1;
        std::uint32_t broken = 0;
        for (std::uint32_t m = 0; m < impact.problem.messages(); ++m) broken += !impact.former.intact(m);
        if (getenv("V") || s > bound) std::cout << spec << ' ' << c << " fault " << (node ? f.routers[0].value : f.channels[0].value) << ": old " << old.steps << " bound " << bound << " got " << s << " broken " << broken << " dropped " << impact.dropped
          << " kept " << r.change.kept << " re " << r.change.rerouted << " mv " << r.change.moved << " time " << t2 - t1 << "  keepall " << k.schedule.step_count() << ": " << k.change.kept << ' ' << k.change.rerouted << ' ' << k.change.moved << "\n";
      }
      std::cout << spec << ' ' << c << ": optimal " << optimal << " above " << above << " most " << most << " mean " << sum / faults.size() << " bound " << mostb << std::endl;
    }
  }
}
}  // namespace
}  // namespace unknot
