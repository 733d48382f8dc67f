// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/translated/translated_forest.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Parts that a share is divided into at most where links are used to the full, and where they need not be.
constexpr std::uint64_t kMostWhole = 4096;
constexpr std::uint64_t kMostParts = 64;
constexpr std::uint32_t kBits = 64;
constexpr std::uint32_t kUnranked = 0xFFFFFFFFU;

/// Sums of elements of the group, by number, as Translations::orbit() counts them.
class Elements {
 public:
  explicit Elements(const Translations& translations) : sizes_(translations.sizes) {
    for (const std::uint32_t size : sizes_) count_ *= size;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t sum(std::uint32_t a, std::uint32_t b) const { return combine(a, b, false); }
  [[nodiscard]] std::uint32_t difference(std::uint32_t a, std::uint32_t b) const {
    return combine(a, b, true);
  }

 private:
  [[nodiscard]] std::uint32_t combine(std::uint32_t a, std::uint32_t b, bool minus) const {
    std::uint32_t result = 0, stride = 1;
    for (const std::uint32_t size : sizes_) {
      std::uint32_t digit = a % size + (minus ? size - b % size : b % size);
      if (digit >= size) digit -= size;
      result += digit * stride;
      stride *= size;
      a /= size;
      b /= size;
    }
    return result;
  }
  const std::vector<std::uint32_t>& sizes_;
  std::uint32_t count_ = 1;
};

/// A way from each member to another: directly, or through a switch between, which divides what a link to it
/// carries among all others beside it.
struct Link {
  std::uint32_t step = 0;  ///< the element that leads from one end to the other
  Fraction capacity;
  NodeId between;  ///< of the link from the first member; invalid: none
};

class TranslatedTrees {
 public:
  TranslatedTrees(const BandwidthProblem& problem, const Translations& translations)
      : graph_(*problem.graph), translations_(translations), elements_(translations) {
    const NodeId root = problem.members.front();
    members_ = translations.orbit(root);
    hosts_ = members_;
    // A terminal sends and gets all by its own router, where its links begin.
    if (graph_.is_leaf(root) && graph_.out(root).size() == 1)
      hosts_ = translations.orbit(graph_.head(*graph_.out(root).begin()));
    element_.assign(graph_.node_count(), kUnranked);
    for (std::uint32_t e = 0; e < hosts_.size(); ++e) element_[hosts_[e].value] = e;
  }

  std::optional<Forest> run(const Fraction& time, Progress& progress) {
    if (!find_links() || !find_ranks()) return std::nullopt;
    find_choices(progress);
    for (const std::uint64_t parts : numbers_of_parts(time)) {
      if (assign(time, parts, progress)) return collect(parts);
    }
    return std::nullopt;
  }

 private:
  /// False where a switch leads to a switch, or serves its neighbours differently.
  bool find_links() {
    const NodeId root = hosts_.front();
    if (element_[root.value] != 0) return false;  // several terminals share a router
    for (const ArcId a : graph_.out(root)) {
      const NodeId next = graph_.head(a);
      if (element_[next.value] != kUnranked) {
        links_.push_back({element_[next.value], Fraction(graph_.capacity(a), 1), NodeId()});
        continue;
      }
      if (graph_.is_leaf(next)) continue;
      std::uint64_t others = 0;
      for (const ArcId out : graph_.out(next)) {
        const ArcId back = graph_.find(graph_.head(out), next);
        if (element_[graph_.head(out).value] == kUnranked || graph_.capacity(out) != graph_.capacity(a) ||
            !back.valid() || graph_.capacity(back) != graph_.capacity(a)) {
          return false;
        }
        others += graph_.head(out) == root ? 0 : 1;
      }
      for (const ArcId out : graph_.out(next)) {
        const NodeId to = graph_.head(out);
        if (to != root) links_.push_back({element_[to.value], Fraction(graph_.capacity(a), others), next});
      }
    }
    return !links_.empty();
  }

  /// Distances from the root, in links. False where not all are reached.
  bool find_ranks() {
    rank_.assign(elements_.count(), kUnranked);
    rank_[0] = 0;
    order_.assign(1, 0);
    std::size_t at = 0;
    while (at < order_.size()) {  // it grows
      const std::uint32_t e = order_[at++];
      for (const Link& link : links_) {
        const std::uint32_t next = elements_.sum(e, link.step);
        if (rank_[next] != kUnranked) continue;
        rank_[next] = rank_[e] + 1;
        order_.push_back(next);
      }
    }
    return order_.size() == elements_.count();
  }

  /// The links that lead to each node from one nearer to the root, a bit for each.
  void find_choices(Progress& progress) {
    words_ = (links_.size() + kBits - 1) / kBits;
    choices_.assign(words_ * elements_.count(), 0);
    progress.begin("links", links_.size());
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (progress.interrupted()) throw Interrupted();
      for (std::uint32_t e = 1; e < elements_.count(); ++e) {
        if (rank_[elements_.difference(e, links_[l].step)] < rank_[e])
          choices_[e * words_ + l / kBits] |= std::uint64_t{1} << l % kBits;
      }
      progress.update(l + 1);
    }
  }

  /// Such that all links are used to the full first, then any, few before many.
  [[nodiscard]] std::vector<std::uint64_t> numbers_of_parts(const Fraction& time) const {
    std::uint64_t whole = 1;
    for (const Link& link : links_) {
      const std::uint64_t under = time.under() * link.capacity.under();
      const std::uint64_t of_link = under / std::gcd(under, time.over() * link.capacity.over());
      whole = of_link > kMostWhole ? of_link : std::lcm(whole, of_link);
      if (whole > kMostWhole) break;
    }
    std::vector<std::uint64_t> numbers;
    if (whole <= kMostWhole) numbers.push_back(whole);
    for (std::uint64_t parts = 1; parts <= kMostParts; parts *= 2) numbers.push_back(parts);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

  /// A link for each part of each node, no more of each than it may carry; false where that is not found.
  bool assign(const Fraction& time, std::uint64_t parts, Progress& progress) {
    room_.clear();
    std::uint64_t all = 0;
    for (const Link& link : links_) {
      room_.push_back(parts * time.over() * link.capacity.over() / (time.under() * link.capacity.under()));
      all += room_.back();
    }
    if (all < parts * (elements_.count() - 1)) return false;
    const std::vector<std::uint64_t> most = room_;
    held_.assign(elements_.count(), {});
    on_.assign(links_.size(), {});
    wanted_.assign(elements_.count(), parts);
    wanted_[0] = 0;
    progress.begin("trees", elements_.count());
    // Who has the least choice first: where most is left of what there was.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_choice;
    by_choice.reserve(elements_.count());
    for (std::uint32_t e = 1; e < elements_.count(); ++e) {
      std::uint32_t count = 0;
      for (std::size_t w = 0; w < words_; ++w)
        count += static_cast<std::uint32_t>(std::popcount(choices_[e * words_ + w]));
      by_choice.emplace_back(count, e);
    }
    std::sort(by_choice.begin(), by_choice.end());
    for (const auto& [count, e] : by_choice) {
      while (wanted_[e] > 0) {
        std::size_t best = links_.size();
        double left = 0;
        for_choices(e, [&](std::size_t l) {
          const double share =
              most[l] == 0 ? 0 : static_cast<double>(room_[l]) / static_cast<double>(most[l]);
          if (share <= left) return;
          left = share;
          best = l;
        });
        if (best == links_.size()) break;
        put(e, best, std::min(room_[best], wanted_[e]));
      }
    }
    std::uint64_t done = 0;
    for (const auto& [count, e] : by_choice) {
      if (progress.interrupted()) throw Interrupted();
      while (wanted_[e] > 0) {
        if (!augment(e)) return false;
      }
      progress.update(++done);
    }
    return true;
  }

  template <class Visit>
  void for_choices(std::uint32_t e, Visit visit) const {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = choices_[e * words_ + w]; bits != 0; bits &= bits - 1)
        visit(w * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }

  std::uint64_t& held(std::uint32_t e, std::size_t link) {
    for (auto& [which, amount] : held_[e]) {
      if (which == link) return amount;
    }
    held_[e].emplace_back(static_cast<std::uint32_t>(link), 0);
    on_[link].push_back(e);
    return held_[e].back().second;
  }

  void put(std::uint32_t e, std::size_t link, std::uint64_t amount) {
    held(e, link) += amount;
    room_[link] -= amount;
    wanted_[e] -= amount;
  }

  /// One part more of a node, others changing links where they must; false where none with room can be
  /// reached.
  bool augment(std::uint32_t start) {
    constexpr std::uint32_t kNoLink = 0xFFFFFFFFU;
    std::vector<std::uint32_t> from(links_.size(), kNoLink), mover(links_.size(), kNoLink), reached;
    const auto reach_all = [&](std::uint32_t e, std::uint32_t by) {
      for_choices(e, [&](std::size_t to) {
        if (mover[to] != kNoLink) return;
        mover[to] = e;
        from[to] = by;
        reached.push_back(static_cast<std::uint32_t>(to));
      });
    };
    reach_all(start, kNoLink);
    std::size_t at = 0;
    while (at < reached.size()) {  // it grows
      const std::uint32_t link = reached[at++];
      if (room_[link] > 0) {
        --room_[link];
        for (std::uint32_t l = link; l != kNoLink; l = from[l]) {
          ++held(mover[l], l);
          if (from[l] != kNoLink) --held(mover[l], from[l]);
        }
        --wanted_[start];
        return true;
      }
      for (const std::uint32_t e : on_[link]) {
        if (held(e, link) > 0) reach_all(e, link);
      }
    }
    return false;
  }

  /// A tree for each stretch of parts in which no node changes links.
  [[nodiscard]] Forest collect(std::uint64_t parts) const {
    Forest forest;
    forest.copies = parts;
    forest.translations = translations_.generators;
    std::vector<std::uint64_t> begins{0, parts};
    for (const auto& pieces : held_) {
      std::uint64_t at = 0;
      for (const auto& [link, amount] : pieces) begins.push_back(at += amount);
    }
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    std::map<std::uint32_t, std::vector<NodeId>> images;  // of each switch, by element
    for (const Link& link : links_) {
      if (link.between.valid() && !images.contains(link.between.value))
        images.emplace(link.between.value, translations_.orbit(link.between));
    }
    std::vector<NodeId> way;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
      Forest::Tree tree{members_.front(), begins[i + 1] - begins[i], {}};
      tree.edges.reserve(elements_.count() - 1);
      for (const std::uint32_t e : order_) {
        if (e == 0) continue;
        const Link& link = links_[link_at(e, begins[i])];
        const std::uint32_t tail = elements_.difference(e, link.step);
        way.assign(1, members_[tail]);
        if (hosts_[tail] != members_[tail]) way.push_back(hosts_[tail]);
        if (link.between.valid()) way.push_back(images.at(link.between.value)[tail]);
        if (hosts_[e] != members_[e]) way.push_back(hosts_[e]);
        way.push_back(members_[e]);
        tree.edges.push_back({members_[tail], members_[e], forest.add_way(way)});
      }
      forest.trees.push_back(std::move(tree));
    }
    return forest;
  }

  /// Of a node, that of the part with this number.
  [[nodiscard]] std::uint32_t link_at(std::uint32_t e, std::uint64_t part) const {
    std::uint64_t end = 0;
    for (const auto& [link, amount] : held_[e]) {
      if (part < (end += amount)) return link;
    }
    throw std::logic_error("a part without a link");
  }

  const NodeGraph& graph_;
  const Translations& translations_;
  Elements elements_;
  std::vector<NodeId> members_, hosts_;  // by element: where it leads the root, and the root's router
  std::vector<std::uint32_t> element_;   // by node that is a host
  std::vector<Link> links_;
  std::vector<std::uint32_t> rank_, order_;  // by element; elements by rank
  std::size_t words_ = 0;
  std::vector<std::uint64_t> choices_;  // by element and word
  std::vector<std::uint64_t> room_;     // by link: parts that it may carry yet
  std::vector<std::uint64_t> wanted_;   // by element: parts without a link
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> held_;  // by element: links, and parts
  std::vector<std::vector<std::uint32_t>> on_;                              // by link: elements, some no more
};

}  // namespace

std::optional<Forest> translated_forest(const BandwidthProblem& problem, const Translations& translations,
                                        const Fraction& time, Progress& progress) {
  return TranslatedTrees(problem, translations).run(time, progress);
}

}  // namespace unknot
