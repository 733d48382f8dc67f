// SPDX-License-Identifier: Apache-2.0
// Traces on a network where no two messages meet, against a plain model of nodes and times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chakra_bytes.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/chakra_workload.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kRanks = 4;

/// What the model knows of: an operation of a rank, after others of the same rank.
struct PlainOperation {
  enum class Kind { compute, send, receive } kind = Kind::compute;
  std::uint32_t rank = 0;
  std::uint64_t amount = 0;  ///< nanoseconds or bytes
  int processor = -1;        ///< that it needs alone, -1: none
  std::size_t send = 0;      ///< of a receive
  std::vector<std::size_t> after = {};
};

/// Random traces, and the operations that they mean. Messages go to the next rank alone, around a ring. Each
/// node waits for a delay of its own, so that no two become ready at one instant.
class RandomTraces {
 public:
  explicit RandomTraces(Random& random) : random_(random) {
    const std::uint32_t steps = 3 + random.below(10);
    for (std::uint32_t step = 0; step < steps; ++step) {
      switch (random.below(5)) {
        case 0:
          add_collective();
          break;
        case 1:
        case 2:
          add_message();
          break;
        default:
          add_computation(random.below(kRanks));
      }
    }
  }
  std::vector<unknot::test::TraceBytes> traces = std::vector<unknot::test::TraceBytes>(kRanks);
  std::vector<PlainOperation> operations;

 private:
  std::size_t plain(const PlainOperation& operation) {
    operations.push_back(operation);
    return operations.size() - 1;
  }
  std::uint64_t nanoseconds() { return 1 + random_.below(300'000); }

  /// A read of memory at a byte a nanosecond, after some nodes of the rank; its id and its operation.
  std::pair<std::uint64_t, std::size_t> delay(std::uint32_t rank) {
    const std::uint64_t time = nanoseconds();
    std::vector<std::uint64_t> data;
    std::string control;
    std::vector<std::size_t> after;
    for (const auto& [id, operation] : nodes_[rank]) {
      if (random_.below(5) > 0) continue;
      if (random_.below(2) == 0) {
        data.push_back(id);
      } else {
        control += unknot::test::wire_field(4, id);  // one by one, as old writers do
      }
      after.push_back(operation);
    }
    traces[rank].node(next_id_, 2, data, control + unknot::test::attribute("tensor_size", time));
    return {next_id_++, plain({PlainOperation::Kind::compute, rank, time, -1, 0, after})};
  }
  void add_node(std::uint32_t rank, std::uint64_t id, std::size_t operation) {
    nodes_[rank].emplace_back(id, operation);
  }

  void add_computation(std::uint32_t rank) {
    const auto [before, operation] = delay(rank);
    const std::uint64_t time = nanoseconds();
    const bool host = random_.below(2) == 0;
    traces[rank].node(next_id_, 4, {before},
                      unknot::test::attribute("num_ops", time * 1000) +
                          unknot::test::attribute("is_cpu_op", unknot::test::wire_field(27, host ? 1 : 0)));
    add_node(rank, next_id_++,
             plain({PlainOperation::Kind::compute, rank, time, host ? 0 : 1, 0, {operation}}));
  }

  void add_message() {
    const std::uint32_t from = random_.below(kRanks);
    const std::uint32_t to = (from + 1) % kRanks;
    const std::uint64_t bytes = sizes_[random_.below(static_cast<std::uint32_t>(sizes_.size()))];
    const std::uint64_t tag = next_id_;
    const auto [before, operation] = delay(from);
    traces[from].send(next_id_, to, bytes, tag, {before});
    const std::size_t send = plain({PlainOperation::Kind::send, from, bytes, -1, 0, {operation}});
    add_node(from, next_id_++, send);
    const auto [posted, posted_operation] = delay(to);
    traces[to].receive(next_id_, from, bytes, tag, {posted});
    add_node(to, next_id_++, plain({PlainOperation::Kind::receive, to, bytes, -1, send, {posted_operation}}));
  }

  /// Of all ranks around the ring.
  void add_collective() {
    const std::uint64_t share = sizes_[random_.below(static_cast<std::uint32_t>(sizes_.size()))];
    const std::uint32_t which = random_.below(3);
    const std::uint64_t type = which == 0 ? 0 : which == 1 ? 2 : 7;  // all-reduce, all-gather, reduce-scatter
    const std::uint32_t rounds = (type == 0 ? 2 : 1) * (kRanks - 1);
    std::vector<std::size_t> has(kRanks), last(kRanks);
    std::vector<std::vector<std::size_t>> parts(kRanks);
    std::vector<std::uint64_t> ids(kRanks);
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      const auto [before, operation] = delay(rank);
      ids[rank] = next_id_++;
      traces[rank].collective(ids[rank], type, type == 2 ? share : share * kRanks, {before},
                              random_.below(2) == 0 ? "" : unknot::test::attribute("comm_priority", 1));
      has[rank] = operation;
    }
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::vector<std::size_t> got(kRanks);
      for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
        const std::uint32_t to = (rank + 1) % kRanks;
        const std::size_t send = plain({PlainOperation::Kind::send, rank, share, -1, 0, {has[rank]}});
        got[to] = plain({PlainOperation::Kind::receive, to, share, -1, send, {has[to]}});
        parts[rank].push_back(send);
      }
      has = got;
    }
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      parts[rank].push_back(has[rank]);
      add_node(rank, ids[rank], plain({PlainOperation::Kind::compute, rank, 0, -1, 0, parts[rank]}));
    }
  }

  Random& random_;
  std::vector<std::uint64_t> sizes_{64, 100, 256, 1000, 2000};
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> nodes_{kRanks};
  std::uint64_t next_id_ = 100;
};

/// Of a message that is alone: from its begin until it has left, and until it has arrived.
struct MessageTimes {
  std::uint64_t left = 0, arrived = 0;
};

/// A message is one packet, and buffers hold all of it. There are lanes enough for packets of 8 flits to
/// follow each other without a gap.
Settings settings_of_model() {
  Settings settings;
  settings.packet_flits = 255;
  settings.vc_buffer = 2048;
  return settings;
}

WorkloadReport run_traces(const RoutePlan& plan, const std::vector<unknot::test::TraceBytes>& traces) {
  std::vector<std::string> files;
  std::vector<TerminalId> terminals;
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    files.push_back(fmt::format("t.{}.et", rank));
    terminals.emplace_back(rank);
  }
  ChakraOptions options;
  options.tera_ops = options.memory = 1;
  Workload workload;
  workload.name = "traces";
  workload.tasks = std::make_shared<const TaskGraph>(parse_chakra(
      files, [&](std::uint32_t rank) { return traces[rank].text(); }, options, terminals));
  Progress silent;
  return run_workload(plan, settings_of_model(), workload, silent, {.tasks = true});
}

MessageTimes times_alone(const RoutePlan& plan, std::uint64_t bytes) {
  std::vector<unknot::test::TraceBytes> traces(kRanks);
  traces[0].node(1, 2, {}, unknot::test::wire_field(7, 1));
  traces[0].send(2, 1, bytes, 0, {1});
  traces[1].receive(3, 0, bytes);
  const WorkloadReport report = run_traces(plan, traces);
  return {report.tasks[1].done - 1000, report.tasks[2].done - 1000};
}

/// When all is done: whatever is ready first of all that is left takes its turn first.
std::uint64_t plain_end(const std::vector<PlainOperation>& operations,
                        const std::map<std::uint64_t, MessageTimes>& alone) {
  std::vector<std::optional<std::uint64_t>> done(operations.size()), arrival(operations.size());
  std::map<std::pair<std::uint32_t, int>, std::uint64_t> free;  // by rank and processor; 9: its way out
  std::uint64_t last = 0;
  for (std::size_t left = operations.size(); left > 0; --left) {
    std::optional<std::pair<std::uint64_t, std::size_t>> next;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const PlainOperation& operation = operations[i];
      bool known = !done[i] && (operation.kind != PlainOperation::Kind::receive || arrival[operation.send]);
      std::uint64_t ready = 0;
      for (const std::size_t before : operation.after) {
        known = known && done[before];
        ready = std::max(ready, done[before].value_or(0));
      }
      if (known && (!next || ready < next->first)) next = std::pair(ready, i);
    }
    const PlainOperation& operation = operations[next->second];
    std::uint64_t begin = next->first;
    std::uint64_t end = begin + operation.amount;
    if (operation.kind == PlainOperation::Kind::receive) {
      end = std::max(begin, *arrival[operation.send]);
    } else if (operation.kind == PlainOperation::Kind::send || operation.processor >= 0) {
      const bool sends = operation.kind == PlainOperation::Kind::send;
      std::uint64_t& since = free[{operation.rank, sends ? 9 : operation.processor}];
      begin = std::max(begin, since);
      const MessageTimes& message = sends ? alone.at(operation.amount) : MessageTimes();
      end = begin + (sends ? message.left : operation.amount);
      since = end;
      if (sends) arrival[next->second] = begin + message.arrived;
    }
    done[next->second] = end;
    last = std::max({last, end, arrival[next->second].value_or(0)});
  }
  return last;
}

TEST(ChakraModel, RandomTracesEndWhenAPlainModelSays) {
  const Network network = make_network("ring:4");
  Progress silent;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, silent), true);
  std::map<std::uint64_t, MessageTimes> alone;
  for (const std::uint64_t bytes : {64, 100, 256, 1000, 2000}) alone[bytes] = times_alone(plan, bytes);
  EXPECT_EQ(alone[2000].left, 2000U / 8);
  EXPECT_GT(alone[2000].arrived, alone[2000].left);
  Random random(5);
  for (int run = 0; run < 300; ++run) {
    const RandomTraces made(random);
    const WorkloadReport report = run_traces(plan, made.traces);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(static_cast<std::uint64_t>(report.completion_cycles), plain_end(made.operations, alone)) << run;
  }
}

}  // namespace
}  // namespace unknot::simulate
