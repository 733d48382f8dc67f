// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "unknot/bounds/path_split.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
/// Shortest length beside the longest: keeps all lengths positive.
constexpr double kShortest = 1e-12;
/// Paths longer than the shortest by no more than this part count as shortest.
constexpr double kTie = 1e-9;
/// So many sweeps that leave more than this of the gap have exhausted a potential.
constexpr int kPatience = 20;
constexpr double kStuck = 0.98;
/// Moves of one pair in a sweep.
constexpr int kMostMoves = 8;

class Potential {
 public:
  Potential(const Network& network, const PathLists& lists)
      : lists_(lists),
        channels_(network.channel_count()),
        load_(channels_, 0),
        length_(channels_, 1),
        change_(channels_, 0),
        marked_(channels_, false) {
    split_.rate.assign(lists.path_count(), 0);
    split_.length.assign(channels_, 1);
  }

  PathSplit run(double gap, double enough, std::uint32_t most_rounds, Progress& progress) {
    start();
    least_load_ = max_load();
    best_bound_ = kFar;
    if (least_load_ == 0) return std::move(split_);
    best_rate_ = split_.rate;
    const double scale = std::log(channels_ + 1.0);
    const double most_sharp = 4 * scale / gap;
    double sharp = std::min(most_sharp, scale);
    progress.begin("splitting traffic", most_rounds);
    double now = measured_gap(sharp);
    double before = now;
    int patience = kPatience;
    while (now > gap && least_load_ > enough && split_.rounds < most_rounds) {
      set_lengths(sharp / max_load());
      for (std::size_t i = 0; i < lists_.pairs().size(); ++i) {
        if (i % 1024 == 0 && progress.interrupted()) throw Interrupted();
        for (int moves = 0; moves < kMostMoves && move(i); ++moves) {
        }
      }
      add_up();
      ++split_.rounds;
      now = measured_gap(sharp);
      // sharper only once this potential, whose least is ln(channels) / sharp from the largest load, is
      // exhausted
      if (now < kStuck * before) {
        before = now;
        patience = kPatience;
      } else {
        --patience;
      }
      if (now < scale / (4 * sharp) || patience == 0) {
        sharp = std::min(most_sharp, sharp * 1.5);
        patience = kPatience;
      }
      progress.update(split_.rounds);
    }
    split_.rate = std::move(best_rate_);
    return std::move(split_);
  }

 private:
  [[nodiscard]] double max_load() const {
    return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end());
  }

  void start() {
    for (std::size_t i = 0; i < lists_.pairs().size(); ++i) {
      const std::size_t first = lists_.first_path(i);
      const std::size_t last = lists_.first_path(i + 1);
      std::size_t fewest = std::numeric_limits<std::size_t>::max();
      std::size_t count = 0;
      for (std::size_t p = first; p < last; ++p) {
        const std::size_t hops = lists_.path(p).size();
        if (hops < fewest) count = 0;
        fewest = std::min(fewest, hops);
        count += hops == fewest ? 1 : 0;
      }
      for (std::size_t p = first; p < last; ++p) {
        if (lists_.path(p).size() == fewest)
          split_.rate[p] = lists_.pairs()[i].rate / static_cast<double>(count);
      }
    }
    add_up();
  }

  /// Anew, so that rounding does not pile up.
  void add_up() {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t p = 0; p < lists_.path_count(); ++p) {
      if (split_.rate[p] == 0) continue;
      for (const ChannelId c : lists_.path(p)) load_[c.value] += split_.rate[p];
    }
  }

  void set_lengths(double steepness) {
    steepness_ = steepness;
    zero_ = max_load();
    for (std::uint32_t c = 0; c < channels_; ++c) set_length(c);
  }
  void set_length(std::uint32_t c) {
    length_[c] = std::max(kShortest, std::exp(steepness_ * (load_[c] - zero_)));
  }

  [[nodiscard]] double path_length(std::size_t p) const {
    double length = 0;
    for (const ChannelId c : lists_.path(p)) length += length_[c.value];
    return length;
  }

  /// upper / lower - 1 of the best rates and the best lengths so far.
  double measured_gap(double sharp) {
    const double most = max_load();
    if (most < least_load_) {
      least_load_ = most;
      best_rate_ = split_.rate;
    }
    for (const double factor : {1.0, 0.5}) {
      set_lengths(sharp * factor / most);
      double total = 0;
      for (const double one : length_) total += one;
      double taken = 0;
      for (std::size_t i = 0; i < lists_.pairs().size(); ++i) {
        double shortest = kFar;
        for (std::size_t p = lists_.first_path(i); p < lists_.first_path(i + 1); ++p)
          shortest = std::min(shortest, path_length(p));
        taken += lists_.pairs()[i].rate * shortest;
      }
      if (total / taken < best_bound_) {
        best_bound_ = total / taken;
        split_.length = length_;
      }
    }
    return best_bound_ * least_load_ - 1;
  }

  /// Traffic of a pair from the longest of the paths it takes to the shortest, as far as lowers the potential
  /// most; false where there is nothing to be gained.
  bool move(std::size_t pair) {
    std::size_t shortest = 0;
    std::size_t longest = 0;
    double least = kFar;
    double most = -1;
    for (std::size_t p = lists_.first_path(pair); p < lists_.first_path(pair + 1); ++p) {
      const double length = path_length(p);
      if (length < least) {
        least = length;
        shortest = p;
      }
      if (split_.rate[p] > 0 && length > most) {
        most = length;
        longest = p;
      }
    }
    if (most <= least * (1 + kTie)) return false;
    touched_.clear();
    note_change(shortest, 1);
    note_change(longest, -1);
    const double amount = best_amount(split_.rate[longest]);
    for (const std::uint32_t c : touched_) {
      load_[c] += amount * change_[c];
      set_length(c);
      change_[c] = 0;
      marked_[c] = false;
    }
    split_.rate[shortest] += amount;
    split_.rate[longest] = amount == split_.rate[longest] ? 0 : split_.rate[longest] - amount;
    return amount > 0;
  }

  /// Paths have channels in common, and may take one twice: each stands once in touched_.
  void note_change(std::size_t path, double sign) {
    for (const ChannelId c : lists_.path(path)) {
      if (!marked_[c.value]) touched_.push_back(c.value);
      marked_[c.value] = true;
      change_[c.value] += sign;
    }
  }

  /// Where the derivative of the potential along the change is 0, in [0, all]: it ascends, so bisection finds
  /// it.
  [[nodiscard]] double best_amount(double all) const {
    const auto slope = [&](double amount) {
      double sum = 0;
      for (const std::uint32_t c : touched_) {
        if (change_[c] != 0) sum += change_[c] * length_[c] * std::exp(steepness_ * amount * change_[c]);
      }
      return sum;
    };
    if (slope(0) >= 0) return 0;
    if (slope(all) <= 0) return all;
    double low = 0;
    double high = all;
    for (int i = 0; i < 12; ++i) {
      const double middle = (low + high) / 2;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return low;
  }

  const PathLists& lists_;
  std::uint32_t channels_;
  std::vector<double> load_, length_;  // by channel
  std::vector<double> change_;         // by channel, of a unit moved; 0 between moves
  std::vector<bool> marked_;           // by channel: it stands in touched_
  std::vector<std::uint32_t> touched_;
  double steepness_ = 1;  // length is exp(steepness * (load - zero))
  double zero_ = 0;
  double least_load_ = 0;  // smallest largest load of rates so far, that of best_rate_
  double best_bound_ = 0;  // smallest bound of lengths so far, that of the split's
  std::vector<double> best_rate_;
  PathSplit split_;
};

}  // namespace

PathSplit split_by_potential(const Network& network, const PathLists& lists, double gap, double enough,
                             std::uint32_t most_rounds, Progress& progress) {
  return Potential(network, lists).run(gap, enough, most_rounds, progress);
}

}  // namespace unknot
