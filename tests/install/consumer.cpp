// SPDX-License-Identifier: Apache-2.0
// The example of docs/cpp.md, compiled against an installed library.
#include <cstdio>
#include <memory>
#include <unknot/unknot.hpp>

int main() {
  unknot::Progress progress;

  // A fabric: a spec, or a file that ibnetdiscover or another tool has written.
  const unknot::Network network = unknot::read_fabric("torus:4x4,p=2");

  // Tables, and the proof of them by code that did not make them.
  const unknot::Routing routing = unknot::route(network, "dfsssp", {.virtual_lanes = 4}, progress);
  const unknot::Verdict verdict = unknot::verify(network, routing, {.certificate = true}, progress);
  if (!verdict.complete() || !verdict.deadlock_free) {
    if (verdict.witness) std::puts(unknot::describe(network, *verdict.witness).c_str());
    return 1;
  }

  // How evenly they use the channels.
  const unknot::LoadStatistics load = unknot::load_statistics(unknot::channel_load(network, routing));
  std::printf("%u routers, %u lanes, deadlock-free, busiest channel %llu of %.1f on average\n",
              network.router_count(), routing.virtual_lanes, static_cast<unsigned long long>(load.max),
              load.mean);

  // A schedule for an all-to-all broadcast, beside a lower bound, checked by code that did not design it.
  const auto cube = std::make_shared<const unknot::NodeGraph>(unknot::read_fabric("hypercube:3"));
  const unknot::Problem problem = unknot::make_collective(cube, "AAB");
  const unknot::LowerBound bound = unknot::lower_bound(problem);
  const unknot::Solution solution = unknot::solve(problem, "auto", {.lower_bound = bound.steps}, progress);
  const bool valid = unknot::check_schedule(problem, solution.schedule).valid();
  std::printf("%u steps, at least %u are needed, %s\n", solution.steps, bound.steps,
              valid ? "valid" : "not valid");
  return valid ? 0 : 1;
}
