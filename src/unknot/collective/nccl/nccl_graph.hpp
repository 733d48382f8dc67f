// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/topology/machines/machine.hpp"

// Graphs of NCCL: the XML that it writes where NCCL_GRAPH_DUMP_FILE is set and takes in place of its own
// search from NCCL_GRAPH_FILE. Each box reads one: in which order a channel goes through its GPUs, and by
// which cards it comes and goes. What leads from box to box, and the trees among boxes, NCCL makes of them
// itself. Learnt from src/graph/search.cc and xml.cc as of June 2026.
namespace unknot::nccl {

/// What a graph is for, by `id`.
enum class GraphId : std::uint32_t { ring = 0, tree = 1, collnet_chain = 2, nvls = 3, collnet_direct = 4 };
/// `pattern`: a tree's data comes and goes by the first GPU (`tree`), or children are on the second one.
enum class Pattern : std::uint32_t {
  balanced_tree = 1,
  split_tree = 2,
  tree = 3,
  ring = 4,
  nvls = 5,
  collnet_direct = 6
};

struct GraphGpu {
  std::uint64_t dev = 0;              ///< in the box
  std::optional<std::uint32_t> rank;  ///< in the job; counts in place of dev where it is given
};

struct GraphChannel {
  std::vector<std::uint64_t> nets;  ///< cards: the one data comes in by, and the one it leaves by; or none
  std::vector<GraphGpu> gpus;       ///< in order
  std::uint32_t line = 0;           ///< of the file; 0: from no file
};

struct Graph {
  GraphId id = GraphId::ring;
  Pattern pattern = Pattern::ring;
  bool cross_nic = false;  ///< data may leave by another card than it came by
  double speed_intra = 0;  ///< GB/s of each channel within the box
  double speed_inter = 0;  ///< and between boxes
  double latency_inter = 0;
  std::string type_intra = "NVL", type_inter = "PIX";  ///< the worst links: kLinkTypes
  bool same_channels = true;
  std::vector<GraphChannel> channels;
  std::uint32_t line = 0;
};

constexpr std::uint32_t kMostGraphChannels = 64;
constexpr std::uint32_t kMostGraphGpus = 640;

/// Reads XML. InputError with file and line for what is no XML, another version than 1, attributes that are
/// missing or hold what they cannot, a `nchannels` that is not the number of channels, and more channels or
/// GPUs than NCCL has room for; attributes and elements that NCCL does not know are refused as well. O(text).
std::vector<Graph> parse_graphs(std::string_view text, const std::string& file);
/// True where XML is of graphs.
bool is_graphs(std::string_view text);
std::string graphs_text(const std::vector<Graph>& graphs);

/// What links GPUs of a box have, for those who make graphs and those who check them.
struct BoxLinks {
  std::uint32_t gpus = 0;
  std::vector<std::uint64_t> direct;  ///< [from * gpus + to] megabits a second, by links of their own
  std::vector<std::uint64_t> to_switch, from_switch;  ///< by GPU
  struct Card {
    std::vector<std::uint32_t> gpus;  ///< nearest
    std::uint64_t megabits = 0;
  };
  std::vector<Card> cards;

  [[nodiscard]] std::uint64_t link(std::uint32_t from, std::uint32_t to) const {
    return direct[from * gpus + to];
  }
  /// By a link of their own, or the switch.
  [[nodiscard]] bool joined(std::uint32_t from, std::uint32_t to) const {
    return link(from, to) > 0 || (to_switch[from] > 0 && from_switch[to] > 0);
  }
};
/// Links that are neither between GPUs nor to a switch (its part is named so), PCI and processors, only say
/// which cards are near. O(box).
BoxLinks links_of(const BoxPlan& box);

/// Rings through all GPUs of a box, and trees, which go the same ways: a ring's data comes in by a card next
/// to its first GPU and leaves by the same one, each card in turn, so that it stays on its rail. Where a
/// switch joins the GPUs, a multiple of the number of cards, at speeds of at most 48 GB/s, the most that
/// NCCL tries itself between boxes; with links between GPUs as many rings as a search finds that share no
/// link. InputError for boxes of fewer than two GPUs, and those whose NVLinks do not make a ring.
std::vector<Graph> make_graphs(const BoxPlan& box);

/// What the graphs of a box take.
struct GraphVerdict {
  std::uint32_t line = 0;
  std::string fault;   ///< empty: none
  double busiest = 0;  ///< share of the capacity of the busiest link, card or switch port that is in use
  std::string busiest_name;
};
/// Lays every channel over the links of a box. The first fault: GPUs that are left out or come twice, cards
/// that are not there, GPUs that are not joined, and links, switch ports or cards that are to carry more than
/// they can, with what they would carry. A ring sends at its speed over every link, and by the GPU next to
/// the card where the last one is not; a tree, whose data goes up and comes down, at half of it in each
/// direction, as NCCL counts. Graphs do not run at the same time and are counted apart; of those that are
/// neither rings nor trees GPUs and cards alone are looked at. `dev` i is GPU i. O(channels * GPUs).
GraphVerdict check_graphs(const BoxPlan& box, const std::vector<Graph>& graphs);

}  // namespace unknot::nccl
