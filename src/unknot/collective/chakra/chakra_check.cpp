// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "unknot/collective/chakra/chakra_trace.hpp"

namespace unknot::chakra {
namespace {

class TraceCheck {
 public:
  explicit TraceCheck(const std::vector<Trace>& traces) : traces_(traces) {}

  std::optional<std::string> run() {
    for (std::uint32_t rank = 0; rank < traces_.size() && !fault_; ++rank) add_rank(rank);
    if (!fault_) match();
    if (!fault_) play();
    return fault_;
  }

 private:
  struct At {
    std::uint32_t rank, node;
  };
  using Message = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // from, to, tag

  void fail(const At& at, const std::string& why) {
    if (!fault_) fault_ = fmt::format("rank {}, node {}: {}", at.rank, traces_[at.rank][at.node].id, why);
  }

  void add_rank(std::uint32_t rank) {
    const Trace& trace = traces_[rank];
    first_.push_back(all_.size());
    std::unordered_map<std::uint64_t, std::uint32_t> number;
    for (std::uint32_t n = 0; n < trace.size(); ++n) {
      if (!number.emplace(trace[n].id, n).second) return fail({rank, n}, "its id comes twice");
    }
    for (std::uint32_t n = 0; n < trace.size(); ++n) {
      const TraceNode& node = trace[n];
      all_.push_back({rank, n});
      waits_.push_back(0);
      for (const std::uint64_t id : node.after) {
        const auto found = number.find(id);
        if (found == number.end())
          return fail({rank, n}, fmt::format("it comes after node {}, which is not there", id));
        links_.emplace_back(first_[rank] + found->second, first_[rank] + n);
      }
      if (node.type == NodeType::compute) continue;
      if (node.peer >= traces_.size() || node.peer == rank)
        return fail({rank, n}, fmt::format("its peer is rank {}", node.peer));
      const bool sends = node.type == NodeType::send;
      const Message message = sends ? Message{rank, node.peer, node.tag} : Message{node.peer, rank, node.tag};
      (sends ? sent_ : received_)[message].push_back(first_[rank] + n);
    }
  }

  /// Messages of a pair with one tag are told apart by nothing: they must have one size.
  void match() {
    for (const auto& [message, sends] : sent_) {
      const auto& [from, to, tag] = message;
      const auto found = received_.find(message);
      const std::size_t receives = found == received_.end() ? 0 : found->second.size();
      if (receives < sends.size()) {
        return fail(all_[sends[receives]],
                    fmt::format("what it sends to rank {} with tag {} is not received", to, tag));
      }
      for (std::size_t i = 0; i < sends.size(); ++i) {
        const TraceNode& a = node(sends[i]);
        const TraceNode& b = node(found->second[i]);
        if (a.bytes != b.bytes || a.bytes != node(sends[0]).bytes) {
          return fail(all_[sends[i]],
                      fmt::format("it sends {} bytes to rank {}, which receives {}", a.bytes, to, b.bytes));
        }
        links_.emplace_back(sends[i], found->second[i]);
      }
    }
    for (const auto& [message, receives] : received_) {
      const auto found = sent_.find(message);
      const std::size_t sends = found == sent_.end() ? 0 : found->second.size();
      if (sends < receives.size()) {
        return fail(all_[receives[sends]], fmt::format("rank {} does not send what it receives with tag {}",
                                                       std::get<0>(message), std::get<2>(message)));
      }
    }
  }

  void play() {
    std::sort(links_.begin(), links_.end());
    for (const auto& [before, after] : links_) ++waits_[after];
    std::vector<std::size_t> ready;
    for (std::size_t n = 0; n < all_.size(); ++n) {
      if (waits_[n] == 0) ready.push_back(n);
    }
    std::size_t done = 0;
    while (!ready.empty()) {
      const std::size_t n = ready.back();
      ready.pop_back();
      ++done;
      for (auto link = std::lower_bound(links_.begin(), links_.end(), std::pair{n, std::size_t{0}});
           link != links_.end() && link->first == n; ++link) {
        if (--waits_[link->second] == 0) ready.push_back(link->second);
      }
    }
    if (done == all_.size()) return;
    const auto stuck =
        std::find_if(waits_.begin(), waits_.end(), [](std::uint64_t left) { return left > 0; });
    fail(all_[static_cast<std::size_t>(stuck - waits_.begin())],
         "it never begins: what it waits for waits for it");
  }

  [[nodiscard]] const TraceNode& node(std::size_t n) const { return traces_[all_[n].rank][all_[n].node]; }

  const std::vector<Trace>& traces_;
  std::optional<std::string> fault_;
  std::vector<std::size_t> first_;                          // by rank, of its nodes
  std::vector<At> all_;                                     // nodes of all ranks
  std::vector<std::uint64_t> waits_;                        // by node: for how many others
  std::vector<std::pair<std::size_t, std::size_t>> links_;  // before, after
  std::map<Message, std::vector<std::size_t>> sent_, received_;
};

}  // namespace

std::optional<std::string> find_fault(const std::vector<Trace>& traces) {
  return TraceCheck(traces).run();
}

}  // namespace unknot::chakra
