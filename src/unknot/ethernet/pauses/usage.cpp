// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/usage.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::ethernet {
namespace {

enum class Mark : std::uint8_t { fresh, open, done };

/// Follows all packets to one destination, depth first.
class Walk {
 public:
  explicit Walk(const Forwarding& forwarding)
      : forwarding_(forwarding), switches_(static_cast<std::uint32_t>(forwarding.fabric().switches.size())) {}

  template <class Carry>
  void follow(std::uint32_t destination, const Carry& carry) {
    destination_ = destination;
    family_ = forwarding_.family(destination);
    marks_.assign(family_.size() * switches_, Mark::fresh);
    loop_.switches.clear();
    dead_end_.switches.clear();
    for (std::uint32_t s = 0; s < switches_; ++s) {
      if (forwarding_.fabric().switches[s].source && mark(s, destination) == Mark::fresh) from(s, carry);
    }
  }
  /// What has gone wrong; without switches where nothing has.
  LostPath loop_, dead_end_;

 private:
  struct Frame {
    std::uint32_t at = 0, flow = 0;
    Forwarding::Step step;
    std::size_t next = 0;
  };

  Mark& mark(std::uint32_t at, std::uint32_t flow) {
    const std::size_t index =
        flow == destination_ ? 0
                             : static_cast<std::size_t>(
                                   std::lower_bound(family_.begin(), family_.end(), flow) - family_.begin());
    return marks_[index * switches_ + at];
  }

  void open(std::uint32_t at, std::uint32_t flow) {
    mark(at, flow) = Mark::open;
    stack_.push_back({at, flow, forwarding_.step(at, flow), 0});
    if (stack_.back().step.lost() && dead_end_.switches.empty()) dead_end_ = path(kNone);
  }

  [[nodiscard]] LostPath path(std::uint32_t again) const {
    LostPath lost{destination_, {}, again};
    for (const Frame& frame : stack_) lost.switches.push_back(frame.at);
    return lost;
  }

  template <class Carry>
  void from(std::uint32_t source, const Carry& carry) {
    open(source, destination_);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const auto channels = top.step.channels();
      if (top.next == channels.size()) {
        mark(top.at, top.flow) = Mark::done;
        stack_.pop_back();
        continue;
      }
      const std::uint32_t channel = channels[top.next++];
      const std::uint32_t flow = top.step.flow;
      carry(channel, flow);
      const std::uint32_t next = forwarding_.fabric().channels[channel].to;
      const Mark seen = mark(next, flow);
      if (seen == Mark::fresh) {
        open(next, flow);
      } else if (seen == Mark::open && loop_.switches.empty()) {
        const auto first = std::find_if(stack_.begin(), stack_.end(), [&](const Frame& frame) {
          return frame.at == next && frame.flow == flow;
        });
        loop_ = path(static_cast<std::uint32_t>(first - stack_.begin()));
      }
    }
  }

  const Forwarding& forwarding_;
  std::uint32_t switches_;
  std::uint32_t destination_ = 0;
  std::span<const std::uint32_t> family_;
  std::vector<Mark> marks_;
  std::vector<Frame> stack_;
};

void take(std::vector<LostPath>& from, std::vector<LostPath>& into) {
  std::move(from.begin(), from.end(), std::back_inserter(into));
}

}  // namespace

Usage::Usage(const Forwarding& forwarding, std::uint32_t threads, Progress& progress)
    : words_((forwarding.flow_count() + 63) / 64), bits_(forwarding.fabric().channels.size() * words_) {
  const std::uint32_t destinations = forwarding.destination_count();
  const std::uint32_t blocks = (destinations + 63) / 64;
  std::vector<std::vector<LostPath>> loops(blocks);
  std::vector<std::vector<LostPath>> dead_ends(blocks);
  std::atomic<std::uint64_t> done{0};
  progress.begin("following packets", destinations);
  parallel_blocks(destinations, 64, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    Walk walk(forwarding);
                    for (std::uint32_t d = begin; d < end; ++d) {
                      walk.follow(d, [&](std::uint32_t channel, std::uint32_t flow) {
                        // Words of tunnels are shared by several blocks, those of destinations alone by none
                        // but at the seam.
                        const std::atomic_ref<std::uint64_t> word(bits_[channel * words_ + flow / 64]);
                        const std::uint64_t bit = std::uint64_t{1} << flow % 64;
                        if ((word.load(std::memory_order_relaxed) & bit) == 0)
                          word.fetch_or(bit, std::memory_order_relaxed);
                      });
                      if (!walk.loop_.switches.empty()) loops[begin / 64].push_back(walk.loop_);
                      if (!walk.dead_end_.switches.empty()) dead_ends[begin / 64].push_back(walk.dead_end_);
                    }
                    done += end - begin;
                    if (progress.interrupted()) throw Interrupted();
                    if (worker == 0) progress.update(done);
                  });
  for (std::uint32_t b = 0; b < blocks; ++b) {
    take(loops[b], loops_);
    take(dead_ends[b], dead_ends_);
  }
}

std::uint32_t Usage::common_flow(std::uint32_t a, std::uint32_t b, std::uint32_t from) const {
  const std::uint64_t* const first = bits_.data() + a * words_;
  const std::uint64_t* const second = bits_.data() + b * words_;
  std::uint64_t mask = ~std::uint64_t{0} << from % 64;
  for (std::size_t w = from / 64; w < words_; ++w) {
    const std::uint64_t both = first[w] & second[w] & mask;
    if (both != 0)
      return static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(both));
    mask = ~std::uint64_t{0};
  }
  return kNone;
}

}  // namespace unknot::ethernet
