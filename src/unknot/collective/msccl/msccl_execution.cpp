// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/msccl/msccl_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace unknot::msccl {
namespace {

constexpr std::size_t kQueue = 2;  // messages that a connection holds

/// All thread blocks at work, each as long as it can.
class Machine {
 public:
  Machine(const Program& program, const Layout& layout, Execution& execution)
      : layout_(layout), execution_(execution) {
    execution_.memory.resize(program.gpus.size());
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> ids;
    const auto connection = [&](std::uint32_t from, std::uint32_t to, std::uint32_t channel) {
      return ids.emplace(std::tuple(from, to, channel), static_cast<std::uint32_t>(ids.size())).first->second;
    };
    for (std::uint32_t rank = 0; rank < program.gpus.size(); ++rank) {
      first_.push_back(static_cast<std::uint32_t>(workers_.size()));
      for (std::uint32_t b = 0; b < program.gpus[rank].blocks.size(); ++b) {
        const ThreadBlock& block = program.gpus[rank].blocks[b];
        Worker worker{&block, rank, b};
        if (block.send_to) worker.out = connection(rank, *block.send_to, block.channel);
        if (block.receive_from) worker.in = connection(*block.receive_from, rank, block.channel);
        workers_.push_back(worker);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(workers_.size()));
    connections_.resize(ids.size());
    for (std::uint32_t w = 0; w < workers_.size(); ++w) {
      if (workers_[w].out != Event::kNone) connections_[workers_[w].out].sender = w;
      if (workers_[w].in != Event::kNone) connections_[workers_[w].in].receiver = w;
    }
  }

  std::optional<Fault> run() {
    for (std::uint32_t w = 0; w < workers_.size(); ++w) wake(w);
    while (!ready_.empty() && !fault_) {
      const std::uint32_t w = ready_.front();
      ready_.pop_front();
      workers_[w].queued = false;
      while (!fault_ && can_go_on(workers_[w])) go_on(workers_[w]);
    }
    if (!fault_) find_deadlock();
    return fault_;
  }

 private:
  struct Worker {
    const ThreadBlock* block;
    std::uint32_t rank, id;
    std::uint32_t in = Event::kNone, out = Event::kNone;  // connections
    std::uint32_t next = 0;                               // step
    std::uint32_t announced = 0;                          // steps known to be done
    bool queued = false;
  };
  struct Message {
    std::vector<Value> chunks;
    std::uint32_t event;
  };
  struct Connection {
    std::deque<Message> queue;
    std::uint32_t sender = Event::kNone, receiver = Event::kNone;
  };

  void wake(std::uint32_t w) {
    if (w == Event::kNone || workers_[w].queued) return;
    workers_[w].queued = true;
    ready_.push_back(w);
  }

  [[nodiscard]] bool waits_for_step(const Worker& worker, const Step& step) const {
    return step.after && workers_[first_[worker.rank] + step.after->block].announced <= step.after->step;
  }
  [[nodiscard]] bool waits_for_message(const Worker& worker, const Step& step) const {
    return receives(step.action) && connections_[worker.in].queue.empty();
  }
  [[nodiscard]] bool waits_for_room(const Worker& worker, const Step& step) const {
    return sends(step.action) && connections_[worker.out].queue.size() >= kQueue;
  }
  [[nodiscard]] bool can_go_on(const Worker& worker) const {
    if (worker.next == worker.block->steps.size()) return false;
    const Step& step = worker.block->steps[worker.next];
    return !waits_for_step(worker, step) && !waits_for_message(worker, step) && !waits_for_room(worker, step);
  }

  Value read(const Worker& worker, const Step& step, const Place& place, std::uint32_t chunk) {
    const std::uint32_t offset = place.offset + chunk;
    Value value = execution_.at(layout_, worker.rank, layout_.location(worker.rank, place.buffer, offset));
    if (value.terms.empty() && !fault_) {
      constexpr std::array<const char*, 3> kNames = {"input", "output", "scratch buffer"};
      fault_ =
          Fault{step.line, fmt::format("reads chunk {} of the {} of GPU {}, which holds nothing yet", offset,
                                       kNames[static_cast<std::size_t>(place.buffer)], worker.rank)};
    }
    return value;
  }

  static Value combined(const Value& a, const Value& b) {
    Value sum;
    std::set_union(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                   std::back_inserter(sum.terms));
    sum.spoilt = a.spoilt || b.spoilt || sum.terms.size() < a.terms.size() + b.terms.size();
    return sum;
  }

  void go_on(Worker& worker) {
    const Step& step = worker.block->steps[worker.next];
    const auto event = static_cast<std::uint32_t>(execution_.events.size());
    execution_.events.push_back({worker.rank, worker.id, worker.next});
    std::vector<Value> chunks;
    if (receives(step.action)) {
      Connection& in = connections_[worker.in];
      execution_.events[event].sent_by = in.queue.front().event;
      chunks = std::move(in.queue.front().chunks);
      in.queue.pop_front();
      wake(in.sender);
    }
    if (reads_source(step.action)) {
      chunks.resize(step.count);
      for (std::uint32_t c = 0; c < step.count; ++c) {
        Value source = read(worker, step, step.source, c);
        if (step.action == Action::reduce) {
          chunks[c] = combined(source, read(worker, step, step.destination, c));
        } else {
          chunks[c] = reduces(step.action) ? combined(chunks[c], source) : std::move(source);
        }
      }
    }
    if (stores(step.action)) {
      for (std::uint32_t c = 0; c < step.count; ++c) {
        const std::uint32_t to =
            layout_.location(worker.rank, step.destination.buffer, step.destination.offset + c);
        execution_.memory[worker.rank][to] = chunks[c];
      }
    }
    if (sends(step.action)) {
      Connection& out = connections_[worker.out];
      out.queue.push_back({std::move(chunks), event});
      wake(out.receiver);
    }
    ++worker.next;
    if (!step.announced || step.action == Action::nothing) return;
    worker.announced = worker.next;
    for (std::uint32_t w = first_[worker.rank]; w < first_[worker.rank + 1]; ++w) wake(w);
  }

  void find_deadlock() {
    for (const Worker& worker : workers_) {
      if (worker.next == worker.block->steps.size()) continue;
      const Step& step = worker.block->steps[worker.next];
      std::string why;
      if (waits_for_step(worker, step)) {
        why = fmt::format("step {} of thread block {}", step.after->step, step.after->block);
      } else if (waits_for_message(worker, step)) {
        why = fmt::format("a message of GPU {}", *worker.block->receive_from);
      } else {
        why = fmt::format("GPU {} to receive", *worker.block->send_to);
      }
      fault_ = Fault{step.line, fmt::format("deadlock: step {} of thread block {} of GPU {} waits for {}, "
                                            "which waits for it in turn",
                                            worker.next, worker.id, worker.rank, why)};
      return;
    }
  }

  const Layout& layout_;
  Execution& execution_;
  std::vector<Worker> workers_;
  std::vector<std::uint32_t> first_;  // by rank, of its workers
  std::vector<Connection> connections_;
  std::deque<std::uint32_t> ready_;
  std::optional<Fault> fault_;
};

}  // namespace

std::optional<Fault> execute(const Program& program, const Layout& layout, Execution& execution) {
  return Machine(program, layout, execution).run();
}

}  // namespace unknot::msccl
