// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "chakra_bytes.hpp"
#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/chakra/chakra_nodes.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using unknot::test::TraceBytes;

using SimulateTimeline = InFolder;

/// What one node of a rank is to be shown as.
struct Expected {
  std::string category, name;
  std::uint64_t nanoseconds = 0;  ///< of computations
  std::vector<std::uint64_t> after = {};
};
using ByNode = std::map<std::pair<std::uint64_t, std::uint64_t>, Expected>;  // rank, id

/// Random traces of four ranks, written into t.0.et and on.
ByNode random_traces(Random& random) {
  ByNode nodes;
  std::vector<TraceBytes> traces(4);
  std::vector<std::vector<std::uint64_t>> ids(4);
  std::uint64_t id = 0;
  const auto after = [&](std::uint32_t rank) {
    std::vector<std::uint64_t> chosen;
    for (const std::uint64_t one : ids[rank]) {
      if (random.below(4) == 0) chosen.push_back(one);
    }
    ids[rank].push_back(id);
    return chosen;
  };
  for (int step = 0; step < 12; ++step, ++id) {
    const std::uint32_t kind = random.below(4);
    if (kind < 2) {
      const std::uint32_t rank = random.below(4);
      const std::uint64_t micros = random.below(20);
      const std::vector<std::uint64_t> before = after(rank);
      if (kind == 0) traces[rank].compute(id, micros, before);
      if (kind == 1) traces[rank].node(id, 2, before, unknot::test::wire_field(7, micros));
      nodes[{rank, id}] = {"computation", fmt::format("n{}", id), micros * 1000, before};
    } else if (kind == 2) {
      const std::uint32_t from = random.below(4);
      const std::uint32_t to = (from + 1 + random.below(3)) % 4;
      const std::vector<std::uint64_t> sent = after(from);
      const std::vector<std::uint64_t> received = after(to);
      const std::uint64_t bytes = random.below(20'000);
      traces[from].send(id, to, bytes, id, sent);
      traces[to].receive(id, from, bytes, id, received);
      nodes[{from, id}] = {"send", fmt::format("n{}", id), 0, sent};
      nodes[{to, id}] = {"receive", fmt::format("n{}", id), 0, received};
    } else {
      for (std::uint32_t rank = 0; rank < 4; ++rank) {
        const std::vector<std::uint64_t> before = after(rank);
        traces[rank].collective(id, 0, 4000, before);
        nodes[{rank, id}] = {"collective", fmt::format("n{}", id), 0, before};
      }
    }
  }
  for (std::size_t rank = 0; rank < 4; ++rank) {
    if (ids[rank].empty()) {
      traces[rank].compute(1000, 0);
      nodes[{rank, 1000}] = {"computation", "n1000"};
    }
    std::ofstream(fmt::format("t.{}.et", rank), std::ios::binary) << traces[rank].text();
  }
  return nodes;
}

struct Shown {
  std::uint64_t begin, end;
  nlohmann::json event;
};

std::uint64_t nanoseconds(const nlohmann::json& microseconds) {
  return static_cast<std::uint64_t>(std::llround(microseconds.get<double>() * 1000));
}

TEST_F(SimulateTimeline, ShowsEachNodeOnceWhenItCanBe) {
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    const ByNode nodes = random_traces(random);
    const std::string line = "simulate ring:4 --engine updn --workload chakra:t --timeline t.json --json";
    const Result result = run(line);
    ASSERT_EQ(result.code, kYes) << result.err;
    const std::string text = read("t.json");
    if (round % 8 == 0) {
      run(line + " --threads 3");
      EXPECT_EQ(read("t.json"), text);
    }
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Shown>> tracks;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Shown> whole;  // each node's
    std::map<std::uint64_t, std::map<std::string, std::uint64_t>> arrows;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> names;
    std::uint64_t last = 0;
    const auto document = nlohmann::json::parse(text);
    for (const nlohmann::json& event : document.at("traceEvents")) {
      const std::pair track(event.at("pid").get<std::uint64_t>(), event.at("tid").get<std::uint64_t>());
      if (event.at("ph") == "M") {
        if (event.at("name") == "thread_name") names[track] = event.at("args").at("name");
        continue;
      }
      if (event.at("ph") != "X") {
        const auto end = event.at("ph").get<std::string>();
        EXPECT_TRUE(
            arrows[event.at("id").get<std::uint64_t>()].emplace(end, nanoseconds(event.at("ts"))).second);
        continue;
      }
      const std::uint64_t begin = nanoseconds(event.at("ts"));
      const Shown shown{begin, begin + nanoseconds(event.at("dur")), event};
      tracks[track].push_back(shown);
      last = std::max(last, shown.end);
      const std::pair node(track.first, event.at("args").at("node").get<std::uint64_t>());
      ASSERT_TRUE(nodes.contains(node));
      const Expected& expected = nodes.at(node);
      EXPECT_EQ(event.at("name"), expected.name);
      if (event.at("cat") != expected.category) {
        EXPECT_EQ(expected.category, "collective");  // one of its messages
        continue;
      }
      EXPECT_TRUE(whole.emplace(node, shown).second) << event;
    }
    EXPECT_EQ(whole.size(), nodes.size());
    for (const auto& [node, shown] : whole) {
      const Expected& expected = nodes.at(node);
      for (const std::uint64_t before : expected.after)
        EXPECT_GE(shown.begin, whole.at({node.first, before}).end);
      if (expected.category == "computation") {
        EXPECT_EQ(shown.end - shown.begin, expected.nanoseconds);
      }
      if (expected.category != "collective") continue;
      for (const auto& [track, on] : tracks) {
        for (const Shown& part : on) {
          if (track.first != node.first || part.event.at("args").at("node") != node.second) continue;
          EXPECT_GE(part.begin, shown.begin);
          EXPECT_LE(part.end, shown.end);
        }
      }
    }
    for (auto& [track, on] : tracks) {
      EXPECT_TRUE(names.contains(track));
      std::sort(on.begin(), on.end(), [](const Shown& a, const Shown& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
      });
      for (std::size_t i = 1; i < on.size(); ++i) EXPECT_GE(on[i].begin, on[i - 1].end) << names[track];
    }
    for (const auto& [id, ends] : arrows) {
      ASSERT_EQ(ends.size(), 2U);
      EXPECT_LT(ends.at("s"), ends.at("f"));
    }
    EXPECT_EQ(static_cast<double>(last), result.json().at("completion_time_ns"));
  }
}

/// The times of the timeline, cut to microseconds; a trace with them is played as the one without.
TEST_F(SimulateTimeline, FillsTimesIntoTraces) {
  Random random(4);
  random_traces(random);
  const std::string line = "simulate ring:4 --engine updn --json --workload chakra:";
  const auto first = run(line + "t --timeline t.json --filled-traces f");
  ASSERT_EQ(first.code, kYes) << first.err;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> shown;
  const auto document = nlohmann::json::parse(read("t.json"));
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const std::pair node(event.at("pid").get<std::uint32_t>(),
                         event.at("args").at("node").get<std::uint64_t>());
    const std::uint64_t begin = nanoseconds(event.at("ts"));
    const std::uint64_t end = begin + nanoseconds(event.at("dur"));
    auto& whole = shown.emplace(node, std::pair(begin, end)).first->second;
    whole = {std::min(whole.first, begin), std::max(whole.second, end)};
  }
  std::size_t nodes = 0;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    const std::string name = fmt::format("f.{}.et", rank);
    chakra::read_nodes(read(name), name, [&](chakra::Node& node) {
      const auto& [begin, end] = shown.at({rank, node.id});
      ++nodes;
      EXPECT_EQ(node.microseconds, end / 1000 - begin / 1000) << rank << " " << node.id;
    });
  }
  EXPECT_EQ(nodes, shown.size());
  const auto again = run(line + "f");
  EXPECT_EQ(again.json().at("messages"), first.json().at("messages"));
  EXPECT_EQ(again.json().at("completion_time"), first.json().at("completion_time"));
}

TEST_F(SimulateTimeline, NamesOperationsOfGoalByTheirLabels) {
  write("g.goal",
        "num_ranks 2\nrank 0 {\nstep: calc 1000 cpu 3\nsend 10b to 1\n}\nrank 1 {\nrecv 10b from 0\n}\n");
  ASSERT_EQ(run("simulate ring:3 --engine updn --workload goal:mapping=random,g.goal --timeline g.json").code,
            kYes);
  const auto document = nlohmann::json::parse(read("g.json"));
  std::vector<std::string> shown;
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") == "X") {
      shown.push_back(fmt::format("{} {} line {}", event.at("pid").get<int>(),
                                  event.at("name").get<std::string>(),
                                  event.at("args").at("node").get<int>()));
    }
    if (event.at("ph") == "M" && event.at("name") == "thread_name")
      shown.push_back(event.at("args").at("name"));
  }
  EXPECT_THAT(shown, ::testing::ElementsAre("processor 3", "0 step line 3", "sends", "0 send to 1 line 4",
                                            "receives", "1 receive from 0 line 7"));
}

/// A send that begins when another has begun is taken up in the same cycle, and goes after it.
TEST_F(SimulateTimeline, ShowsSendsInTheOrderInWhichTheyLeave) {
  write("g.goal",
        "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: send 1b to 1\na irequires b\n}\n"
        "rank 1 {\nrecv 1b from 0\nrecv 1b from 0\n}\n");
  const auto result = run("simulate ring:3 --engine updn --workload goal:g.goal --timeline g.json --json");
  ASSERT_EQ(result.code, kYes) << result.err;
  std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>> sends;
  const auto document = nlohmann::json::parse(read("g.json"));
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") != "X" || event.at("cat") != "send") continue;
    const std::uint64_t begin = nanoseconds(event.at("ts"));
    sends.push_back({event.at("name"), {begin, begin + nanoseconds(event.at("dur"))}});
  }
  ASSERT_EQ(sends.size(), 2U);
  EXPECT_EQ(sends[0].first, "b");
  EXPECT_EQ(sends[1].first, "a");
  EXPECT_LE(sends[0].second.second, sends[1].second.first);
  EXPECT_LE(sends[1].second.second, result.json().at("completion_time_ns"));
}

/// Slices of a thread, on top of each other or apart.
void expect_nested(std::vector<std::pair<std::uint64_t, std::uint64_t>> slices) {
  std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, b.second) < std::pair(b.first, a.second);
  });
  std::vector<std::uint64_t> ends;  // of those that are open
  for (const auto& [begin, end] : slices) {
    while (!ends.empty() && ends.back() <= begin) ends.pop_back();
    if (!ends.empty()) EXPECT_LE(end, ends.back());
    ends.push_back(end);
  }
}

/// What the format of trace events asks for (Google, "Trace Event Format"): the fields of each kind of event,
/// names that metadata gives, slices of a thread that do not cross, and arrows whose ends lie in slices.
void expect_trace_events(const std::string& text) {
  using Thread = std::pair<std::uint64_t, std::uint64_t>;
  const auto document = nlohmann::json::parse(text);
  EXPECT_EQ(document.at("displayTimeUnit"), "ns");
  std::map<std::uint64_t, std::string> processes;
  std::map<Thread, std::string> threads;
  std::map<Thread, std::vector<std::pair<std::uint64_t, std::uint64_t>>> slices;
  for (const nlohmann::json& event : document.at("traceEvents")) {
    for (const char* id : {"pid", "tid"}) ASSERT_TRUE(event.at(id).is_number_unsigned()) << event;
    ASSERT_FALSE(event.at("name").get<std::string>().empty());
    const Thread thread(event.at("pid").get<std::uint64_t>(), event.at("tid").get<std::uint64_t>());
    const auto kind = event.at("ph").get<std::string>();
    if (kind == "M") {
      const auto name = event.at("args").at("name").get<std::string>();
      if (event.at("name") == "process_name") {
        EXPECT_TRUE(processes.emplace(thread.first, name).second) << event;
      } else {
        ASSERT_EQ(event.at("name"), "thread_name");
        EXPECT_TRUE(threads.emplace(thread, name).second) << event;
      }
      continue;
    }
    ASSERT_TRUE(event.at("ts").is_number()) << event;
    ASSERT_TRUE(event.at("cat").is_string());
    if (kind != "X") continue;
    ASSERT_TRUE(event.at("dur").is_number()) << event;
    ASSERT_GE(event.at("dur").get<double>(), 0);
    ASSERT_TRUE(event.at("args").is_object());
    const std::uint64_t begin = nanoseconds(event.at("ts"));
    slices[thread].emplace_back(begin, begin + nanoseconds(event.at("dur")));
  }
  for (const auto& [thread, on] : slices) {
    EXPECT_TRUE(processes.contains(thread.first));
    EXPECT_TRUE(threads.contains(thread));
    expect_nested(on);
  }
  std::map<std::uint64_t, std::map<std::string, std::uint64_t>> arrows;
  for (const nlohmann::json& event : document.at("traceEvents")) {
    const auto kind = event.at("ph").get<std::string>();
    if (kind == "M" || kind == "X") continue;
    ASSERT_TRUE(kind == "s" || kind == "f") << event;
    EXPECT_EQ(event.contains("bp"), kind == "f");
    if (kind == "f") EXPECT_EQ(event.at("bp"), "e");  // in the slice that is there, not in the next one
    const std::uint64_t at = nanoseconds(event.at("ts"));
    EXPECT_TRUE(arrows[event.at("id").get<std::uint64_t>()].emplace(kind, at).second);
    const auto& on = slices.at({event.at("pid").get<std::uint64_t>(), event.at("tid").get<std::uint64_t>()});
    EXPECT_TRUE(std::any_of(on.begin(), on.end(), [&](const auto& slice) {
      return slice.first <= at && at <= slice.second;
    })) << event;
  }
  for (const auto& [id, ends] : arrows) {
    ASSERT_EQ(ends.size(), 2U) << id;
    EXPECT_LE(ends.at("s"), ends.at("f"));
  }
}

/// Traces with collectives, and a program whose NICs and CPUs overlap.
TEST_F(SimulateTimeline, IsWhatTheFormatOfTraceEventsAsksFor) {
  Random random(13);
  for (int round = 0; round < 5; ++round) {
    random_traces(random);
    ASSERT_EQ(run("simulate ring:4 --engine updn --workload chakra:t --timeline t.json").code, kYes);
    expect_trace_events(read("t.json"));
  }
  std::string sends, receives;
  for (int message = 0; message < 12; ++message) {
    sends += fmt::format("send {}b to 1 tag {} nic {} cpu {}\n", 100 + 700 * (message % 5), message,
                         message % 3, message % 2);
    receives += fmt::format("recv 9000b from 0 tag {} cpu {}\n", message, message % 2);
  }
  write("g.goal",
        "num_ranks 2\nrank 0 {\nwork: calc 100 cpu 0\n" + sends + "}\nrank 1 {\n" + receives + "}\n");
  for (const std::string options : {"", "overhead=200,", "overhead=200,at_once=2,"}) {
    ASSERT_EQ(
        run("simulate ring:3 --engine updn --workload goal:" + options + "g.goal --timeline g.json").code,
        kYes);
    const std::string text = read("g.json");
    expect_trace_events(text);
    EXPECT_THAT(text, HasSubstr("\"sends of NIC 2\""));
    EXPECT_EQ(text.find("\"cat\":\"overhead\"") != std::string::npos, !options.empty());
    EXPECT_EQ(text.find("\"cat\":\"collective\""), std::string::npos);
  }
}

TEST_F(SimulateTimeline, OfNothingIsADocumentToo) {
  std::ofstream("t.0.et", std::ios::binary) << TraceBytes().text();
  ASSERT_EQ(run("simulate ring:3 --engine updn --workload chakra:t --timeline g.json").code, kYes);
  EXPECT_TRUE(nlohmann::json::parse(read("g.json")).at("traceEvents").empty());
}

TEST_F(SimulateTimeline, IsRefusedWhereThereIsNothingToShow) {
  const std::string ring = "simulate ring:3 --engine updn ";
  expect_refused(ring + "--load 0.1 --timeline t.json", "--timeline shows one run of a --workload");
  expect_refused(ring + "--workload all-to-all --timeline t.json", "--timeline shows tasks that wait");
  write("g.goal", "num_ranks 1\nrank 0 {\ncalc 1\n}\n");
  expect_refused(ring + "--workload goal:g.goal --filled-traces f",
                 "--filled-traces writes those of workload chakra");
  expect_refused(ring + "--load 0.1 --filled-traces f", "--filled-traces is for one run of a --workload");
  TraceBytes trace;
  trace.compute(1, 5);
  std::ofstream("t.0.et", std::ios::binary) << trace.text();
  const std::string traced = ring + "--workload chakra:t --timeline t.json --filled-traces ";
  expect_refused(traced + "none/f", "none/f.0.et: cannot write: there is no folder none");
  expect_refused(ring + "--workload chakra:t --timeline f.0.et --filled-traces f",
                 "f.0.et: two outputs cannot go to the same file");
  EXPECT_FALSE(std::ifstream("t.json").good());
  EXPECT_THAT(run(ring + "--workload goal:g.goal --seeds 2 --timeline t.json").err,
              HasSubstr("--timeline shows one run"));
}

}  // namespace
}  // namespace unknot::cli::test
