// SPDX-License-Identifier: Apache-2.0
// A network that is simulated in parts, each on its own thread, beside the same on one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

#include "simulate/escape_routing.hpp"
#include "simulate/planned_tables.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/parts/division.hpp"
#include "unknot/simulate/parts/parted_engine.hpp"
#include "unknot/simulate/parts/window_barrier.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/bursty_source.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/simulate/sources/workload_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workloads.hpp"

namespace unknot::simulate {
namespace {

auto fields(const Recorder::Delivery& d) {
  return std::tie(d.created, d.source, d.destination, d.arrived);
}
auto fields(const LaneState& s) {
  return std::tie(s.occupied, s.flit_here, s.holds, s.out_lane, s.wanted, s.has_room, s.enters, s.choices,
                  s.present, s.source, s.destination, s.message);
}

/// All that can be seen of a run at a moment.
void expect_same(const RoutePlan& plan, const Engine& one, const Engine& parted) {
  EXPECT_EQ(parted.broken_law(), "");
  EXPECT_EQ(one.cycle(), parted.cycle());
  EXPECT_EQ(one.in_flight(), parted.in_flight());
  EXPECT_EQ(one.flit_hops(), parted.flit_hops());
  EXPECT_EQ(one.oldest_waiting(), parted.oldest_waiting());
  EXPECT_EQ(one.lane_holders(), parted.lane_holders());
  const auto states = one.lane_states(), same = parted.lane_states();
  ASSERT_EQ(states.size(), same.size());
  for (std::size_t l = 0; l < states.size(); ++l)
    ASSERT_EQ(fields(states[l]), fields(same[l])) << "lane " << l;
  for (std::uint32_t o = 0; o < plan.ports.outputs(); ++o)
    ASSERT_EQ(one.sent(o), parted.sent(o)) << "output " << o;
  EXPECT_EQ(one.recorder.measured(), parted.recorder.measured());
  EXPECT_EQ(one.recorder.accepted_flits(), parted.recorder.accepted_flits());
  EXPECT_EQ(one.recorder.latency().sum(), parted.recorder.latency().sum());
  EXPECT_EQ(one.recorder.network_sum(), parted.recorder.network_sum());
  EXPECT_EQ(one.recorder.hops_sum(), parted.recorder.hops_sum());
  EXPECT_EQ(one.recorder.last_arrival(), parted.recorder.last_arrival());
  EXPECT_EQ(one.recorder.to_groups(), parted.recorder.to_groups());
  EXPECT_EQ(one.recorder.copies(), parted.recorder.copies());
  EXPECT_EQ(one.recorder.by_creation().width(), parted.recorder.by_creation().width());
  EXPECT_EQ(one.recorder.by_creation().sums(), parted.recorder.by_creation().sums());
  EXPECT_EQ(one.recorder.by_creation().counts(), parted.recorder.by_creation().counts());
}

/// Runs both for pieces of all lengths. `make` gives a new source of the same packets. The packets that have
/// arrived.
template <class Make>
std::size_t run_both(const RoutePlan& plan, const Settings& s, std::uint32_t parts, std::uint32_t pieces,
                     const Make& make) {
  const LinkTimes links = link_times(plan.network, s);
  auto for_one = make(), for_parts = make();
  const auto one = make_engine(plan, s, links, *for_one);
  const auto parted = make_parted_engine(parts, plan, s, links, *for_parts);
  for (Engine* engine : {one.get(), parted.get()}) {
    engine->recorder.speedup = s.speedup;
    engine->recorder.keep_deliveries = true;
    engine->recorder.check_order = plan.keeps_order(s.vcs);
    engine->recorder.set_interval(3);
  }
  Random lengths(parts);
  for (std::uint32_t i = 0; i < pieces; ++i) {
    if (i == pieces / 2) {
      for (Engine* engine : {one.get(), parted.get()}) {
        engine->recorder.set_window(engine->cycle(), engine->cycle() + 40);
        engine->clear_counts();
      }
    }
    const std::uint64_t to = one->cycle() + lengths.below(i % 4 == 0 ? 100 : 9);
    const bool more = one->run_until(to);
    EXPECT_EQ(parted->run_until(to), more);
    expect_same(plan, *one, *parted);
    if (::testing::Test::HasFailure()) return 0;
  }
  auto list = one->recorder.deliveries(), same = parted->recorder.deliveries();
  const auto order = [](const auto& a, const auto& b) { return fields(a) < fields(b); };
  std::sort(list.begin(), list.end(), order);
  std::sort(same.begin(), same.end(), order);
  EXPECT_TRUE(std::equal(list.begin(), list.end(), same.begin(), same.end(),
                         [](const auto& a, const auto& b) { return fields(a) == fields(b); }));
  return list.size();
}

std::size_t run_load(const RoutePlan& plan, const Settings& s, std::uint32_t parts, double load) {
  const Destinations to(plan.network, make_pattern(plan.network, "uniform"), 1);
  return run_both(plan, s, parts, 12, [&] {
    return std::make_unique<SteadySource>(to, plan.network.terminal_count(), load, s.packet_flits, 7);
  });
}

struct Form {
  const char* name;
  RouterKind router;
  Switching switching;
  Arbitration arbitration;
  std::uint32_t packet, vcs, buffer, speedup, link_steps, routing_delay;
};
constexpr auto kQueued = RouterKind::input_queued, kOutputs = RouterKind::input_output_queued;
constexpr auto kWormhole = Switching::wormhole, kCut = Switching::virtual_cut_through;
constexpr auto kFlits = Arbitration::flits, kPackets = Arbitration::packets;
constexpr std::array kForms = {
    Form{"single", kQueued, kWormhole, kFlits, 1, 4, 8, 1, 0, 1},
    Form{"plain", kQueued, kWormhole, kFlits, 5, 4, 4, 1, 0, 1},
    Form{"plain, speedup", kQueued, kWormhole, kFlits, 3, 4, 8, 2, 5, 3},
    Form{"cut through", kQueued, kCut, kFlits, 3, 4, 8, 3, 0, 0},
    Form{"output queues", kOutputs, kWormhole, kFlits, 3, 4, 6, 2, 0, 1},
    Form{"packets", kOutputs, kCut, kFlits, 1, 4, 3, 2, 7, 1},
    Form{"packets, long", kOutputs, kCut, kFlits, 1, 4, 200, 1, 0, 0},
    Form{"trains", kOutputs, kCut, kPackets, 4, 4, 15, 2, 5, 1},
    Form{"trains, short", kOutputs, kCut, kPackets, 3, 4, 6, 1, 0, 1},
};

struct Fabric {
  const char* spec;
  const char* engine;
};
constexpr std::array kFabrics = {Fabric{"mesh:4x4", "dor"},
                                 Fabric{"slimfly:q=5,p=3", "dfsssp"},
                                 Fabric{"oft:3", "unknot"},
                                 Fabric{"xgft:m=4x4,w=2x2", "ftree"},
                                 Fabric{"random:switches=12,links=20,terminals=60", "nue"},
                                 Fabric{"torus:4x4", "angara-sssp"},
                                 Fabric{"kautz:b=2,n=4", "minhop"}};

Settings settings_of(const Form& form, const RoutePlan& plan) {
  Settings s;
  s.router = form.router;
  s.switching = form.switching;
  s.arbitration = form.arbitration;
  s.packet_flits = form.packet;
  s.vcs = std::max(form.vcs, plan.lanes_needed);
  s.vc_buffer = s.output_buffer = form.buffer;
  s.speedup = form.speedup;
  s.link_steps = s.terminal_steps = form.link_steps;
  s.routing_delay = form.routing_delay;
  return s;
}

class Parts : public ::testing::TestWithParam<Form> {};

TEST_P(Parts, SeeNoneOfTheirBorders) {
  for (const Fabric& fabric : kFabrics) {
    for (const bool any_lane : {true, false}) {
      const RoutePlan plan = tables(fabric.spec, fabric.engine, any_lane);
      Settings s = settings_of(GetParam(), plan);
      if (plan.bubble) {
        if (s.router != kQueued) continue;
        s.switching = kCut;
        s.vc_buffer = std::max(s.vc_buffer, 2 * s.packet_flits);
      }
      for (const std::uint32_t parts : {2U, 5U}) {
        for (const double load : {0.05, 0.9}) {
          SCOPED_TRACE(fmt::format("{} {} {} parts load {}", fabric.spec, any_lane, parts, load));
          EXPECT_GT(run_load(plan, s, parts, load), load > 0.5 ? 50U : 5U);
          if (HasFailure()) return;
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, Parts, ::testing::ValuesIn(kForms),
                         [](const auto& test) { return "form" + std::to_string(test.index); });

/// Choices by chance and by queues.
TEST_P(Parts, DrawWhatIsDrawnOnOneThread) {
  std::vector<RoutePlan> plans;
  for (const char* spec : {"slimfly:q=5,p=3", "oft:3", "torus:4x4", "dragonfly:a=4,h=2,p=2"}) {
    const Network network = make_network(spec);
    AdaptiveChoice choice;
    for (const auto kind : {RoutePlan::Kind::minimal, RoutePlan::Kind::valiant, RoutePlan::Kind::ugal}) {
      choice.kind = kind;
      plans.push_back(plan_paths(network, choice));
    }
    choice.ugal.progressive = 1;
    plans.push_back(plan_paths(network, choice));
    choice.kind = RoutePlan::Kind::minimal;
    choice.within = true;
    plans.push_back(plan_paths(network, choice));
    const bool in_one_buffer =
        GetParam().switching == kCut || (GetParam().router == kOutputs && GetParam().packet == 1);
    if (GetParam().routing_delay > 1 || !in_one_buffer) continue;
    plans.push_back(plan_adaptive(network, escape_around(network, "lash"), false));
  }
  for (const RoutePlan& plan : plans) {
    const Settings s = settings_of(GetParam(), plan);
    for (const double load : {0.05, 0.9}) {
      SCOPED_TRACE(
          fmt::format("{} kind {} load {}", plan.network.description(), static_cast<int>(plan.kind), load));
      EXPECT_GT(run_load(plan, s, 3, load), load > 0.5 ? 50U : 5U);
      if (HasFailure()) return;
    }
  }
}

TEST(PartedEngine, TheOldestGoFirstInEveryPart) {
  const RoutePlan plan = tables("mesh:4x4", "dor", true);
  Settings s;
  s.packet_flits = 2;
  s.priority = Priority::age;
  EXPECT_GT(run_load(plan, s, 3, 0.9), 50U);
}

TEST(PartedEngine, SkipsTimeInWhichNothingHappens) {
  const RoutePlan plan = tables("mesh:6x6", "dor", true);
  const std::uint32_t terminals = plan.network.terminal_count();
  std::vector<ListedPacket> list;
  for (std::uint32_t i = 0; i < 30; ++i)
    list.push_back({std::uint64_t{1} << (i * 3 / 4), i % terminals, (11 * i + 5) % terminals, 1 + i % 3});
  Settings s;
  s.packet_flits = 3;
  const auto make = [&] { return std::make_unique<PacketListSource>(list, terminals, 3); };
  const LinkTimes links = link_times(plan.network, s);
  auto for_one = make(), for_parts = make();
  const auto one = make_engine(plan, s, links, *for_one);
  const auto parted = make_parted_engine(4, plan, s, links, *for_parts);
  for (std::uint64_t to = 1; to < std::uint64_t{1} << 24U; to = 3 * to + 1) {
    EXPECT_EQ(one->run_until(to), parted->run_until(to)) << to;
    expect_same(plan, *one, *parted);
  }
  EXPECT_EQ(parted->in_flight(), 0U);
  EXPECT_EQ(parted->recorder.latency().count(), list.size());
}

/// What reports of an exchange say.
void expect_same_exchange(const WorkloadReport& one, const WorkloadReport& same) {
  EXPECT_TRUE(one.complete);
  EXPECT_TRUE(same.complete);
  EXPECT_EQ(one.cycles, same.cycles);
  EXPECT_EQ(one.completion_cycles, same.completion_cycles);
  EXPECT_EQ(one.flit_hops, same.flit_hops);
  EXPECT_EQ(one.packets, same.packets);
  EXPECT_EQ(one.latency_mean, same.latency_mean);
  EXPECT_EQ(one.latency_max, same.latency_max);
  EXPECT_EQ(one.utilisation, same.utilisation);
  ASSERT_EQ(one.tasks.size(), same.tasks.size());
  for (std::size_t t = 0; t < one.tasks.size(); ++t) {
    ASSERT_EQ(one.tasks[t].begun, same.tasks[t].begun) << t;
    ASSERT_EQ(one.tasks[t].done, same.tasks[t].done) << t;
  }
}

/// Messages between any, several NICs, computations on two processors of each terminal and beside them.
std::shared_ptr<const TaskGraph> some_tasks(std::uint32_t terminals, std::uint64_t seed) {
  Random random(seed);
  TaskGraphBuilder builder;
  std::vector<std::vector<std::uint32_t>> of(terminals);
  const auto add = [&](std::uint32_t terminal, std::uint32_t task) {
    for (const std::uint32_t before : of[terminal]) {
      if (random.below(static_cast<std::uint32_t>(of[terminal].size())) > 0) continue;
      if (random.below(4) == 0) {
        builder.require_begun(task, before);
      } else {
        builder.require_done(task, before);
      }
    }
    of[terminal].push_back(task);
  };
  for (std::uint32_t step = 0; step < 6 * terminals; ++step) {
    const std::uint32_t from = random.below(terminals);
    if (random.below(3) == 0) {
      const std::uint32_t processor = random.below(3) == 0 ? TaskGraph::kOwnProcessor : random.below(2);
      add(from, builder.compute(TerminalId(from), random.below(200), processor));
      continue;
    }
    const std::uint32_t to = (from + 1 + random.below(terminals - 1)) % terminals;
    const std::uint32_t send = builder.send(TerminalId(from), TerminalId(to), 1 + random.below(300));
    builder.set_nic(send, static_cast<std::uint8_t>(random.below(2)));
    add(from, send);
    add(to, builder.receive(send));
  }
  return std::make_shared<const TaskGraph>(std::move(builder).build());
}

TEST_P(Parts, ExchangesEndAsOnOneThread) {
  const Progress silent;
  for (const char* engine : {"dfsssp", ""}) {
    const RoutePlan plan = *engine != 0 ? tables("slimfly:q=5,p=4", engine, false)
                                        : plan_paths(make_network("slimfly:q=5,p=4"), AdaptiveChoice());
    const std::uint32_t terminals = plan.network.terminal_count();
    const Settings s = settings_of(GetParam(), plan);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      for (const bool lists : {true, false}) {
        if (lists && seed > 1) continue;
        Workload workload;
        if (lists) {
          workload = all_to_all(terminals, 8 * s.packet_flits * seed, SendOrder::random, 3, seed);
        } else {
          workload.tasks = some_tasks(terminals, seed);
          workload.at_once = static_cast<std::uint32_t>(seed);
        }
        RunOptions options;
        options.tasks = true;
        const WorkloadReport one = run_workload(plan, s, workload, silent, options);
        options.threads = 3;
        if (lists) {
          const OrderedSource source(workload, terminals, s);
          ASSERT_GT(parts_of_run(plan, s, link_times(plan.network, s), source, 3), 1U);
        } else {
          const TaskSource source(*workload.tasks, terminals, s, 1);
          ASSERT_GT(parts_of_run(plan, s, link_times(plan.network, s), source, 3), 1U);
        }
        SCOPED_TRACE(fmt::format("{} seed {} lists {}", engine, seed, lists));
        expect_same_exchange(one, run_workload(plan, s, workload, silent, options));
        if (HasFailure()) return;
      }
    }
  }
}

TEST(PartedEngine, BurstsAreTheSame) {
  const RoutePlan plan = tables("torus:5x5", "dfsssp", false);
  const Destinations to(plan.network, make_pattern(plan.network, "tornado"), 1);
  Settings s;
  s.vcs = std::max(2U, plan.lanes_needed);
  const Injection injection = make_injection("on-off:burst=20");
  EXPECT_GT(run_both(plan, s, 3, 12,
                     [&] {
                       return std::make_unique<BurstySource>(injection, to, plan.network.terminal_count(),
                                                             0.3, 1, 5, nullptr);
                     }),
            50U);
}

TEST(PartedEngine, LocksWhereItDoesOnOneThread) {
  const RoutePlan plan = tables("torus:5", "minhop", false);
  Settings s;
  s.vcs = 1;
  s.vc_buffer = 2;
  s.packet_flits = 4;
  const TrafficPattern pattern = make_pattern(plan.network, "tornado");
  const Progress silent;
  s.measure = 20'000;
  const SteadyReport alone = run_steady(plan, s, pattern, 1, silent);
  ASSERT_TRUE(alone.locked());
  const LinkTimes links = link_times(plan.network, s);
  const Destinations to(plan.network, pattern, s.seed);
  SteadySource source(to, plan.network.terminal_count(), 1, s.packet_flits, s.seed);
  const auto parted = make_parted_engine(3, plan, s, links, source);
  (void)parted->run_until(alone.cycles);
  const DeadlockCycle cycle = find_deadlock(*parted, plan, s);
  ASSERT_EQ(cycle.size(), alone.deadlock.size());
}

TEST(PartedEngine, SaysWhatAPartRefuses) {
  Network network = make_network("mesh:5x5");
  Progress silent;
  Routing routing = route(network, "dor", {}, silent);
  const TerminalId last(network.terminal_count() - 1);
  routing.table().set(RouterId(0), last, ForwardingTable::kNone);
  const RoutePlan plan = plan_routing(network, routing, true);
  const Settings s;
  const LinkTimes links = link_times(plan.network, s);
  PacketListSource source({{0, 0, last.value, 1}}, network.terminal_count(), 1);
  const auto parted = make_parted_engine(2, plan, s, links, source);
  EXPECT_THROW((void)parted->run_until(100), InputError);
}

TEST(PartedEngine, RunsGiveTheSameReport) {
  const RoutePlan plan = tables("slimfly:q=5,p=4", "minhop", true);
  const TrafficPattern pattern = make_pattern(plan.network, "uniform");
  Settings s;
  s.measure = 2000;
  const Progress silent;
  RunOptions options;
  options.flows = options.histogram = true;
  const SteadyReport one = run_steady(plan, s, pattern, 0.4, silent, options);
  options.threads = 3;
  const LinkTimes links = link_times(plan.network, s);
  const Destinations to(plan.network, pattern, 1);
  const SteadySource source(to, plan.network.terminal_count(), 0.4, 1, 1);
  ASSERT_EQ(parts_of_run(plan, s, links, source, 2), 2U) << "too small to be divided";
  const SteadyReport same = run_steady(plan, s, pattern, 0.4, silent, options);
  EXPECT_EQ(one.cycles, same.cycles);
  EXPECT_EQ(one.latency_mean, same.latency_mean);
  EXPECT_EQ(one.latency_half_width, same.latency_half_width);
  EXPECT_EQ(one.latency_p99, same.latency_p99);
  EXPECT_EQ(one.accepted, same.accepted);
  EXPECT_EQ(one.created, same.created);
  EXPECT_EQ(one.utilisation, same.utilisation);
  EXPECT_EQ(one.verdict, same.verdict);
  ASSERT_EQ(one.flows.size(), same.flows.size());
  for (std::size_t f = 0; f < one.flows.size(); ++f) {
    EXPECT_EQ(one.flows[f].latency_mean, same.flows[f].latency_mean);
    EXPECT_EQ(one.flows[f].accepted_flits, same.flows[f].accepted_flits);
  }
  ASSERT_EQ(one.histogram.size(), same.histogram.size());
}

TEST(Division, GivesEveryPartItsShare) {
  for (const char* spec :
       {"mesh:8x8", "slimfly:q=7,p=5", "oft:4", "random:switches=90,links=200,terminals=300"}) {
    const Network network = make_network(spec);
    for (const std::uint32_t parts : {2U, 3U, 7U}) {
      const std::vector<std::uint8_t> of_router = divide_routers(network, parts);
      ASSERT_EQ(of_router.size(), network.router_count());
      std::vector<std::uint64_t> ports(parts);
      std::uint64_t all = 0;
      for (std::uint32_t r = 0; r < of_router.size(); ++r) {
        ASSERT_LT(of_router[r], parts);
        const std::size_t own = network.in(RouterId(r)).size() + network.terminals_at(RouterId(r)).size();
        ports[of_router[r]] += own;
        all += own;
      }
      for (const std::uint64_t own : ports) EXPECT_LT(own * parts, all + all / 3) << spec;
    }
  }
}

TEST(Division, LeavesAloneWhatLooksFar) {
  const Network network = make_network("slimfly:q=5,p=4");
  const Settings s;
  const LinkTimes links = link_times(network, s);
  const Destinations to(network, make_pattern(network, "uniform"), 1);
  const SteadySource source(to, network.terminal_count(), 0.4, 1, 1);
  AdaptiveChoice choice;
  choice.kind = RoutePlan::Kind::ugal;
  EXPECT_EQ(parts_of_run(plan_paths(network, choice), s, links, source, 2), 2U);
  choice.ugal.global = true;
  EXPECT_EQ(parts_of_run(plan_paths(network, choice), s, links, source, 2), 1U);
  Progress silent;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, silent), true);
  EXPECT_EQ(parts_of_run(plan, s, links, source, 2), 2U);
  EXPECT_EQ(parts_of_run(plan, s, links, source, 1), 1U);
  EXPECT_EQ(parts_of_run(plan, s, links, source, 0), 1U);
  Settings named = s;
  named.sw_allocator.name = "pim";
  EXPECT_EQ(parts_of_run(plan, named, links, source, 8), 1U);
}

TEST(WindowBarrier, NobodyIsAheadOfAnother) {
  constexpr std::uint32_t kThreads = 4, kRounds = 3000;
  WindowBarrier barrier(kThreads);
  std::array<std::atomic<std::uint32_t>, kThreads> rounds{};
  std::atomic<bool> apart{false};
  const auto work = [&](std::uint32_t own) {
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      rounds[own] = round;
      barrier.meet(own);
      for (const auto& other : rounds) {
        if (other < round || other > round + 1) apart = true;
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t t = 1; t < kThreads; ++t) threads.emplace_back(work, t);
  work(0);
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(apart);
}

}  // namespace
}  // namespace unknot::simulate
