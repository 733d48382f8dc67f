// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workload.hpp"

#include <algorithm>
#include <limits>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

struct Counts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

class Counter {
 public:
  explicit Counter(std::uint32_t terminals) : received_(terminals) {}

  void add(Counts& sent, std::uint32_t destination, std::uint64_t bytes) {
    if (bytes > std::numeric_limits<std::uint64_t>::max() - totals_.bytes)
      throw InputError("a workload of 2^64 bytes or more");
    ++totals_.messages;
    totals_.bytes += bytes;
    ++sent.messages;
    sent.bytes += bytes;
    ++received_[destination].messages;
    received_[destination].bytes += bytes;
  }
  void sender(const Counts& sent) {
    totals_.most_messages_sent = std::max(totals_.most_messages_sent, sent.messages);
    totals_.most_bytes_sent = std::max(totals_.most_bytes_sent, sent.bytes);
  }
  WorkloadTotals finish() {
    for (const Counts& counts : received_) {
      totals_.most_messages_received = std::max(totals_.most_messages_received, counts.messages);
      totals_.most_bytes_received = std::max(totals_.most_bytes_received, counts.bytes);
    }
    return totals_;
  }

 private:
  WorkloadTotals totals_;
  std::vector<Counts> received_;  // by terminal
};

}  // namespace

WorkloadTotals workload_totals(const Workload& workload, std::uint32_t terminals) {
  return workload.totals ? *workload.totals : counted_totals(workload, terminals);
}

WorkloadTotals counted_totals(const Workload& workload, std::uint32_t terminals) {
  Counter counter(terminals);
  if (workload.tasks) {
    std::vector<Counts> sent(terminals);
    for (const TaskGraph::Task& task : workload.tasks->tasks) {
      if (task.kind == TaskGraph::Kind::send) counter.add(sent[task.terminal.value], task.peer, task.amount);
    }
    for (const Counts& counts : sent) counter.sender(counts);
    return counter.finish();
  }
  for (std::uint32_t t = 0; t < terminals; ++t) {
    Counts sent;
    const std::uint32_t count = workload.count(TerminalId(t));
    for (std::uint32_t k = 0; k < count; ++k) {
      const Message message = workload.message(TerminalId(t), k);
      counter.add(sent, message.destination.value, message.bytes);
    }
    counter.sender(sent);
  }
  return counter.finish();
}

}  // namespace unknot
