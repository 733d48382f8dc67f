// SPDX-License-Identifier: Apache-2.0
#include "multicast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <set>
#include <utility>

#include "line_reader.hpp"
#include "multicast_file.hpp"

namespace unknot::opensm {

namespace {

class TreeMaker {
 public:
  TreeMaker(const unknot_fabric& fabric, const std::string& path)
      : fabric_(fabric), file_(read_multicast_file(path)) {}

  MulticastTrees run() {
    trees_.path = file_.path;
    index_switches();
    match_switches();
    mask_.resize(fabric_.switches.size());
    position_.resize(fabric_.switches.size(), kNone);
    for (const auto& [lid, group] : file_.groups) {
      check_ports(lid, group);
      for (const MulticastFile::Row& row : group.rows) set_mask(row);
      check_directions(lid, group);
      trees_.trees.push_back({lid, group.level, grow(lid, group)});
      for (const MulticastFile::Row& row : group.rows) clear(switch_of_row(row));
    }
    return std::move(trees_);
  }

 private:
  void index_switches() {
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      trees_.guid_of_switch.push_back(fabric_.switches[s].guid);
      trees_.switch_of_guid.emplace(fabric_.switches[s].guid, s);
    }
  }

  void match_switches() {
    std::uint64_t unknown = 0;
    std::uint64_t first = 0;
    for (const std::uint64_t guid : file_.switches) {
      const auto found = trees_.switch_of_guid.find(guid);
      switch_of_.push_back(found == trees_.switch_of_guid.end() ? kNone : found->second);
      if (switch_of_.back() == kNone && unknown++ == 0) first = guid;
    }
    if (unknown > 0) {
      throw Misfit(fmt::format("switch 0x{:016x} of {} is not in the fabric{}", first, file_.path,
                               and_more(unknown - 1)));
    }
  }

  [[nodiscard]] std::uint32_t switch_of_row(const MulticastFile::Row& row) const {
    return switch_of_[row.at];
  }

  void check_ports(std::uint16_t lid, const MulticastFile::Group& group) const {
    for (const MulticastFile::Row& row : group.rows) {
      const unknot_fabric::Switch& sw = fabric_.switches[switch_of_row(row)];
      if (row.ports.back() < sw.ports.size()) continue;  // they are sorted
      throw Misfit(fmt::format("{} sends group 0x{:04X} to port {} of {}, but the switch has {} ports",
                               file_.path, lid, row.ports.back(), name_of(sw), sw.ports.size() - 1));
    }
  }

  void set_mask(const MulticastFile::Row& row) {
    for (const std::uint8_t port : row.ports) mask_[switch_of_row(row)].set(port);
  }

  void clear(std::uint32_t s) {
    mask_[s].reset();
    position_[s] = kNone;
  }

  /// The other end of a cable between switches that works in both directions; null where the port has none.
  [[nodiscard]] const unknot_fabric::Link* cable(std::uint32_t s, std::uint8_t port) const {
    const unknot_fabric::Link& link = fabric_.switches[s].ports[port];
    if (port == 0 || link.kind != Peer::node) return nullptr;
    const unknot_fabric::Link& back = fabric_.switches[link.index].ports[link.port];
    return back.kind == Peer::node && back.index == s && back.port == port ? &link : nullptr;
  }

  void check_directions(std::uint16_t lid, const MulticastFile::Group& group) const {
    for (const MulticastFile::Row& row : group.rows) {
      const std::uint32_t s = switch_of_row(row);
      for (const std::uint8_t port : row.ports) {
        const unknot_fabric::Link* link = cable(s, port);
        if (link == nullptr || mask_[link->index].test(link->port)) continue;
        throw Misfit(fmt::format(
            "{} copies group 0x{:04X} from {} port {} to {}, but not back by port {}: was a cable moved?",
            file_.path, lid, name_of(fabric_.switches[s]), port, name_of(fabric_.switches[link->index]),
            link->port));
      }
    }
  }

  std::vector<MulticastTree::Node> grow(std::uint16_t lid, const MulticastFile::Group& group) {
    std::vector<MulticastTree::Node> nodes{{switch_of_row(group.rows.front()), 0, 0, 0}};
    position_[nodes[0].at] = 0;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      const MulticastTree::Node node = nodes[n];
      for (unsigned port = 1; port < fabric_.switches[node.at].ports.size(); ++port) {
        if (!mask_[node.at].test(port) || port == node.port) continue;
        const unknot_fabric::Link* link = cable(node.at, static_cast<std::uint8_t>(port));
        if (link == nullptr) continue;
        if (position_[link->index] != kNone) {
          throw Misfit(fmt::format(
              "{} copies group 0x{:04X} round in a circle, through port {} of {} and port {} of {}: some "
              "would come twice",
              file_.path, lid, port, name_of(fabric_.switches[node.at]), link->port,
              name_of(fabric_.switches[link->index])));
        }
        position_[link->index] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({link->index, n, link->port, static_cast<std::uint8_t>(port)});
      }
    }
    if (nodes.size() < group.rows.size()) throw_apart(lid, group);
    return nodes;
  }

  [[noreturn]] void throw_apart(std::uint16_t lid, const MulticastFile::Group& group) const {
    const MulticastFile::Row* left = nullptr;
    std::string dead;
    for (const MulticastFile::Row& row : group.rows) {
      const std::uint32_t s = switch_of_row(row);
      if (position_[s] == kNone && left == nullptr) left = &row;
      for (const std::uint8_t port : row.ports) {
        if (port == 0 || !dead.empty() || fabric_.switches[s].ports[port].kind != Peer::none) continue;
        dead = fmt::format(" (port {} of {} is not connected)", port, name_of(fabric_.switches[s]));
      }
    }
    throw Misfit(
        fmt::format("the tree of group 0x{:04X} in {} falls apart: none of its cables joins {} to {}{}", lid,
                    file_.path, name_of(fabric_.switches[switch_of_row(group.rows.front())]),
                    name_of(fabric_.switches[switch_of_row(*left)]), dead));
  }

  const unknot_fabric& fabric_;
  MulticastFile file_;
  MulticastTrees trees_;
  std::vector<std::uint32_t> switch_of_;  // by switch of the file
  std::vector<std::bitset<256>> mask_;    // of the group at hand, by switch
  std::vector<std::uint32_t> position_;   // of the group at hand: among the nodes of its tree, by switch
};

}  // namespace

const MulticastTree& MulticastTrees::tree_of(std::uint16_t lid) const {
  const auto find = [&](std::uint16_t wanted) {
    const auto found = std::lower_bound(trees.begin(), trees.end(), wanted,
                                        [](const MulticastTree& t, std::uint16_t l) { return t.lid < l; });
    return found != trees.end() && found->lid == wanted ? &*found : nullptr;
  };
  const MulticastTree* own = find(lid);
  if (own == nullptr) own = find(kFirstMulticastLid);
  return own != nullptr ? *own : trees.front();
}

unsigned MulticastTrees::highest_level() const {
  unsigned highest = 0;
  for (const MulticastTree& tree : trees) highest = std::max<unsigned>(highest, tree.level);
  return highest;
}

bool MulticastTrees::is_proven(std::uint16_t lid, unsigned level) const {
  return proven && (tree_of(lid).level == level || (levels >> level & 1U) != 0);
}

std::vector<unknot_tree_port> MulticastTrees::prune(std::uint16_t lid,
                                                    std::span<unknot_member> members) const {
  const MulticastTree& tree = tree_of(lid);
  std::vector<std::uint32_t> position(guid_of_switch.size(), kNone);
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) position[tree.nodes[n].at] = n;
  std::vector<std::uint32_t> below(tree.nodes.size(), 0);  // members at the node and under it
  std::set<std::pair<std::uint64_t, std::uint8_t>> hosts;
  for (unknot_member& member : members) {
    const auto found = switch_of_guid.find(member.switch_guid);
    const std::uint32_t n = found == switch_of_guid.end() ? kNone : position[found->second];
    member.outside = n == kNone ? 1 : 0;
    if (n != kNone && hosts.emplace(member.switch_guid, member.port).second) ++below[n];
  }
  std::vector<unknot_tree_port> ports;
  if (hosts.size() < 2) return ports;
  for (const auto& [guid, port] : hosts) ports.push_back({guid, 0, port, 0});
  // A cable stays where members are on both sides of it: what remains when leaves without any are cut again
  // and again.
  for (std::size_t n = tree.nodes.size() - 1; n > 0; --n) {
    const MulticastTree::Node& node = tree.nodes[n];
    below[node.parent] += below[n];
    if (below[n] == 0 || below[n] == hosts.size()) continue;
    const std::uint64_t here = guid_of_switch[node.at];
    const std::uint64_t parent = guid_of_switch[tree.nodes[node.parent].at];
    ports.push_back({here, parent, node.port, node.parents_port});
    ports.push_back({parent, here, node.parents_port, node.port});
  }
  return ports;
}

MulticastTrees make_multicast_trees(const unknot_fabric& fabric, const std::string& path) {
  return TreeMaker(fabric, path).run();
}

}  // namespace unknot::opensm
