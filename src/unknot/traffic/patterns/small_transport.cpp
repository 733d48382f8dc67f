// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/small_transport.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
/// Looked at together: the compiler compares them a vector at a time.
constexpr std::uint32_t kBlock = 256;
/// Sources between two looks at whether the user wants to stop.
constexpr std::uint32_t kLook = 64;

template <class Weight>
class Solver {
 public:
  Solver(const WeightMatrix<Weight>& weights, std::span<const std::uint32_t> supply,
         std::span<const std::uint32_t> demand, Progress& progress)
      : weights_(weights),
        progress_(progress),
        sources_(static_cast<std::uint32_t>(supply.size())),
        destinations_(static_cast<std::uint32_t>(demand.size())),
        left_(supply.begin(), supply.end()),
        room_(demand.begin(), demand.end()),
        profit_(sources_),
        price_(destinations_, 0),
        most_(sources_, 0),
        first_(destinations_ + std::size_t{1}, 0),
        served_(destinations_, 0),
        open_(destinations_),
        source_layer_(sources_, kNone),
        layer_(destinations_, kNone),
        at_(sources_, 0),
        item_at_(destinations_, 0) {
    for (std::uint32_t s = 0; s < sources_; ++s) {
      const std::span<const Weight> row = weights_.row(s);
      most_[s] = row.empty() ? Weight{0} : *std::max_element(row.begin(), row.end());
      level_ = std::max<std::uint32_t>(level_, most_[s]);
    }
    for (std::uint32_t d = 0; d < destinations_; ++d) first_[d + 1] = first_[d] + demand[d];
    items_.resize(first_[destinations_]);
    std::fill(profit_.begin(), profit_.end(), static_cast<Weight>(level_));
  }

  SmallTransportPlan run() {
    const std::uint32_t steps = level_;
    progress_.begin("matching", steps);
    std::size_t before = 0;
    while (level_ > 0 && any_left()) {
      progress_.update(steps - level_);
      while (search()) augment();
      // What the last search reached competes for destinations that are full: profits sink and prices rise
      // until something else comes into reach. Mostly by one; where that changed nothing, as far as need be.
      const std::size_t reached = queue_.size() + reached_;
      const std::uint32_t by = reached == before ? slack() : 1;
      before = reached;
      for (std::uint32_t s = 0; s < sources_; ++s) profit_[s] -= source_layer_[s] != kNone ? by : 0;
      for (std::uint32_t d = 0; d < destinations_; ++d) price_[d] += layer_[d] != kNone ? by : 0;
      level_ -= by;
    }
    SmallTransportPlan plan;
    for (std::uint32_t d = 0; d < destinations_; ++d) {
      for (std::uint64_t i = first_[d]; i < first_[d] + served_[d]; ++i)
        plan.sent.push_back({items_[i].source, d, items_[i].units});
    }
    plan.profit.assign(profit_.begin(), profit_.end());
    plan.price.assign(price_.begin(), price_.end());
    return plan;
  }

 private:
  /// Of a destination that is not to be found: no sum of a profit and this is a weight.
  static constexpr Weight kShut = Weight{1} << (8 * sizeof(Weight) - 1);

  struct Item {
    std::uint32_t source, units;
  };

  [[nodiscard]] bool any_left() const {
    return std::any_of(left_.begin(), left_.end(), [](std::uint32_t units) { return units > 0; });
  }

  void look_up() const {
    if (progress_.interrupted()) throw Interrupted();
  }

  /// First destination from `from` on whose weight is profit + open_ and that take() wants; destinations_
  /// where there is none.
  template <class Take>
  [[nodiscard]] std::uint32_t find_tight(std::uint32_t s, std::uint32_t from, const Take& take) const {
    if (profit_[s] > most_[s]) return destinations_;  // prices are not below 0
    const Weight* row = weights_.row(s).data();
    const Weight* open = open_.data();
    const Weight profit = profit_[s];
    for (std::uint32_t d = from; d < destinations_;) {
      const std::uint32_t end = std::min(destinations_, (d / kBlock + 1) * kBlock);
      Weight any = 0;  // as wide as what is compared, so that the compiler takes many at a time
      for (std::uint32_t i = d; i < end; ++i)
        any |= static_cast<Weight>(row[i] == static_cast<Weight>(open[i] + profit));
      if (any == 0) {
        d = end;
        continue;
      }
      for (; d < end; ++d) {
        if (row[d] == static_cast<Weight>(open[d] + profit) && take(d)) return d;
      }
    }
    return destinations_;
  }

  /// Layers of sources and destinations by the number of steps from a source with units left, up to the first
  /// layer with room in it; false where there is no room to be reached, and all that is reached has a layer.
  bool search() {
    std::fill(source_layer_.begin(), source_layer_.end(), kNone);
    std::fill(layer_.begin(), layer_.end(), kNone);
    std::copy(price_.begin(), price_.end(), open_.begin());
    queue_.clear();
    for (std::uint32_t s = 0; s < sources_; ++s) {
      if (left_[s] == 0) continue;
      source_layer_[s] = 0;
      queue_.push_back(s);
    }
    bool room = false;
    last_layer_ = kNone;
    reached_ = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (i % kLook == 0) look_up();
      const std::uint32_t s = queue_[i];
      if (source_layer_[s] > last_layer_) break;
      (void)find_tight(s, 0, [&](std::uint32_t d) {
        room = reach(d, source_layer_[s]) || room;
        return false;
      });
    }
    return room;
  }

  /// The search goes on from the sources of which the destination could give units back; whether it has room.
  bool reach(std::uint32_t d, std::uint32_t layer) {
    open_[d] = kShut;
    layer_[d] = layer;
    ++reached_;
    if (room_[d] > 0) last_layer_ = layer;
    for (std::uint64_t k = first_[d]; k < first_[d] + served_[d]; ++k) {
      const std::uint32_t next = items_[k].source;
      if (source_layer_[next] != kNone) continue;
      source_layer_[next] = layer + 1;
      queue_.push_back(next);
    }
    return room_[d] > 0;
  }

  /// How far profits of what the last search reached are above what brings another destination into reach, or
  /// sources with units left to profit 0.
  [[nodiscard]] std::uint32_t slack() const {
    std::uint32_t least = level_;
    std::uint32_t looked = 0;
    for (const std::uint32_t s : queue_) {
      if (profit_[s] >= most_[s] + least) continue;  // prices are not below 0
      if (++looked % kLook == 0) look_up();
      const Weight* row = weights_.row(s).data();
      const Weight* open = open_.data();
      // sums with kShut are beyond any slack
      const auto beyond = static_cast<Weight>(kShut - 1);
      Weight nearest = beyond;
      for (std::uint32_t d = 0; d < destinations_; ++d) {
        const auto gap = static_cast<Weight>(open[d] + profit_[s] - row[d]);
        nearest = std::min(nearest, open[d] == kShut ? beyond : gap);
      }
      least = std::min<std::uint32_t>(least, nearest);
    }
    return least;
  }

  /// A blocking flow over the layers.
  void augment() {
    for (std::uint32_t d = 0; d < destinations_; ++d) {
      // in the last layer, only those with room lead anywhere
      const bool leads = layer_[d] < last_layer_ || (layer_[d] == last_layer_ && room_[d] > 0);
      open_[d] = leads ? price_[d] : kShut;
    }
    std::fill(at_.begin(), at_.end(), 0);
    std::fill(item_at_.begin(), item_at_.end(), 0);
    std::uint32_t looked = 0;
    for (const std::uint32_t root : queue_) {
      if (source_layer_[root] > 0) break;
      if (++looked % kLook == 0) look_up();
      while (left_[root] > 0 && find_path(root)) send_along_path(root);
    }
  }

  /// The next destination that `s` may send to in the layers; at_ stays on it.
  std::uint32_t step(std::uint32_t s) {
    at_[s] = find_tight(s, at_[s], [&](std::uint32_t d) { return layer_[d] == source_layer_[s]; });
    return at_[s];
  }

  /// The next source of which the destination could give units back; kNone where there is none.
  std::uint32_t step_back(std::uint32_t d) {
    for (; item_at_[d] < served_[d]; ++item_at_[d]) {
      const std::uint32_t s = items_[first_[d] + item_at_[d]].source;
      if (source_layer_[s] == layer_[d] + 1 && at_[s] < destinations_) return s;
    }
    return kNone;
  }

  /// Depth first, from a source to a destination with room; path_ holds the destinations.
  bool find_path(std::uint32_t root) {
    path_.clear();
    std::uint32_t s = root;
    while (true) {
      std::uint32_t d = step(s);
      if (d < destinations_) {
        path_.push_back(d);
        if (layer_[d] == last_layer_) {
          if (room_[d] > 0) return true;
          s = kNone;
        } else {
          s = step_back(d);
        }
      } else if (path_.empty()) {
        return false;
      } else {
        s = step_back(path_.back());  // not the same one: it has nowhere to go
      }
      // destinations that lead nowhere are left for good
      while (s == kNone) {
        open_[path_.back()] = kShut;
        path_.pop_back();
        s = path_.empty() ? root : items_[first_[path_.back()] + item_at_[path_.back()]].source;
      }
    }
  }

  void send_along_path(std::uint32_t root) {
    std::uint32_t units = std::min(left_[root], room_[path_.back()]);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i)
      units = std::min(units, items_[first_[path_[i]] + item_at_[path_[i]]].units);
    left_[root] -= units;
    room_[path_.back()] -= units;
    std::uint32_t s = root;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      const std::uint32_t d = path_[i];
      std::uint32_t next = kNone;
      if (i + 1 < path_.size()) {
        const std::uint64_t k = first_[d] + item_at_[d];
        next = items_[k].source;
        items_[k].units -= units;
        if (items_[k].units == 0) items_[k] = items_[first_[d] + --served_[d]];
      }
      add(d, s, units);
      s = next;
    }
  }

  void add(std::uint32_t d, std::uint32_t s, std::uint32_t units) {
    for (std::uint64_t k = first_[d]; k < first_[d] + served_[d]; ++k) {
      if (items_[k].source == s) {
        items_[k].units += units;
        return;
      }
    }
    items_[first_[d] + served_[d]++] = {s, units};
  }

  const WeightMatrix<Weight>& weights_;
  Progress& progress_;
  std::uint32_t sources_, destinations_;
  std::uint32_t level_ = 0;  // profit of all sources with units left; no source has less
  std::vector<std::uint32_t> left_, room_;
  std::vector<Weight> profit_, price_;
  std::vector<Weight> most_;           // by source: its largest weight
  std::vector<std::uint64_t> first_;   // by destination: into items_, room for as many as it may receive
  std::vector<std::uint32_t> served_;  // by destination: how many items are in use
  std::vector<Item> items_;
  // a search
  std::vector<Weight> open_;  // by destination: its price, or kShut
  std::vector<std::uint32_t> source_layer_, layer_;
  std::uint32_t last_layer_ = kNone;
  std::vector<std::uint32_t> queue_;    // sources that are reached
  std::size_t reached_ = 0;             // destinations
  std::vector<std::uint32_t> at_;       // by source: destinations before it lead nowhere
  std::vector<std::uint32_t> item_at_;  // by destination: items before it lead nowhere
  std::vector<std::uint32_t> path_;
};

}  // namespace

template <class Weight>
SmallTransportPlan small_transport(const WeightMatrix<Weight>& weights, std::span<const std::uint32_t> supply,
                                   std::span<const std::uint32_t> demand, Progress& progress) {
  return Solver<Weight>(weights, supply, demand, progress).run();
}

template SmallTransportPlan small_transport(const WeightMatrix<std::uint8_t>&, std::span<const std::uint32_t>,
                                            std::span<const std::uint32_t>, Progress&);
template SmallTransportPlan small_transport(const WeightMatrix<std::uint16_t>&,
                                            std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                            Progress&);

}  // namespace unknot
