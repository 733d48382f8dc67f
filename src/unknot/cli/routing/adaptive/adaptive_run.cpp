// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/adaptive/adaptive_run.hpp"

#include <fmt/format.h>

#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

AdaptiveRun make_adaptive(const Network& network, const std::string& engine, const Routing& tables,
                          const Certificate* certificate, const Common& common, Progress& progress) {
  require_tables(tables, "route: --adaptive-groups");
  const Stopwatch time;
  AdaptiveRun run;
  const std::string name = engine.substr(0, engine.find(':'));
  const GroupRule rule = group_rule(name, find_engine(name).promise.deadlock_free);
  if (rule == GroupRule::escape && certificate == nullptr)
    throw InputError("route: --adaptive-groups need tables that are free of deadlock");
  switch (rule) {
    case GroupRule::shortest:
      run.routing = shortest_groups(network, &tables.table(), common.threads, progress);
      run.rule = "all shortest paths";
      break;
    case GroupRule::up_down:
      run.routing = up_down_groups(network, group_order(network), &tables.table(), common.threads, progress);
      run.rule = "all shortest ways that go up, then down";
      break;
    case GroupRule::escape:
      run.routing = escape_groups(network, tables, certificate->number, progress);
      run.rule = "nearer by the tables, which stay the escape";
      break;
  }
  run.routing.source = fmt::format("{}: {}", engine, run.rule);
  run.seconds = time.seconds();
  const Stopwatch check;
  AdaptiveVerifyOptions options;
  options.threads = common.threads;
  run.verdict = verify_adaptive(network, run.routing, options, progress);
  run.verify_seconds = check.seconds();
  return run;
}

}  // namespace unknot::cli
