// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/support/error.hpp"

namespace unknot::slurm {
namespace {

constexpr std::uint32_t kMostNodes = 65'536;

/// Mean over two different nodes of a sub-cube.
double distance_within(const Torus& torus, const Extents& cube) {
  const double nodes = static_cast<double>(cube[0]) * cube[1] * cube[2];
  double sum = 0;  // over ordered pairs, of each dimension
  for (std::uint32_t d = 0; d < 3; ++d) {
    const bool ring = torus.ring[d] && cube[d] == torus.dims[d];
    double of_line = 0;
    for (std::uint32_t apart = 1; apart < cube[d]; ++apart) {
      const double pairs = ring ? cube[d] : 2.0 * (cube[d] - apart);
      of_line += pairs * (ring ? std::min(apart, cube[d] - apart) : apart);
    }
    sum += of_line * (nodes / cube[d]) * (nodes / cube[d]);
  }
  return nodes == 1 ? 0 : sum / (nodes * (nodes - 1));
}

/// Which dimensions of a grid make which of a torus. Cables do not tell a ring of four from two dimensions of
/// two: where there are more than three, these are joined again.
class JoinedDimensions {
 public:
  explicit JoinedDimensions(const Coordinates& where) : where_(where) {
    std::optional<std::size_t> alone;  // of those with an extent of two: not joined yet
    for (std::uint32_t d = 0; d < where.dimensions; ++d) {
      const bool two = where.dimensions > 3 && where.extent[d] == 2;
      if (two && alone) {
        parts_[*alone].second = d;
        alone.reset();
        continue;
      }
      if (two) alone = parts_.size();
      parts_.emplace_back(d, where.dimensions);
    }
  }

  [[nodiscard]] std::size_t count() const { return parts_.size(); }
  [[nodiscard]] std::uint32_t extent(std::size_t d) const {
    const auto [first, second] = parts_[d];
    return second < where_.dimensions ? 4 : where_.extent[first];
  }
  /// Around the four places of two dimensions of two: each differs from the next in one of them.
  [[nodiscard]] std::uint32_t coordinate(RouterId r, std::size_t d) const {
    const auto [first, second] = parts_[d];
    const std::uint32_t* const at = where_.value.data() + std::size_t{r.value} * where_.dimensions;
    return second < where_.dimensions ? (at[second] * 2) + (at[first] ^ at[second]) : at[first];
  }

 private:
  const Coordinates& where_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_;  // by dimension of the torus; none: dimensions
};

/// A torus of these extents without nodes and cables.
Torus empty_torus(const JoinedDimensions& joined) {
  if (joined.count() > 3)
    throw InputError(fmt::format("the torus has {} dimensions, and topology/torus3d 3", joined.count()));
  Torus torus;
  std::uint64_t places = 1;
  for (std::size_t d = 0; d < joined.count(); ++d) {
    torus.dims[d] = joined.extent(d);
    places *= torus.dims[d];
    if (places > kMostNodes)
      throw InputError(fmt::format("a torus of more than the {} nodes of a list", kMostNodes));
  }
  torus.node.resize(torus.places());
  return torus;
}

/// The routers at their places; with what each channel leads along.
class TorusPlaces {
 public:
  TorusPlaces(const Network& network, const JoinedDimensions& joined, Torus& torus)
      : network_(network), torus_(torus) {
    std::vector<RouterId> at(torus.places());
    place_.reserve(network.router_count());
    for (const RouterId r : network.routers()) {
      if (network.terminals_at(r).size() > 1) {
        throw InputError(fmt::format("{} has {} terminals: a place of topology/torus3d has one node",
                                     network.router_name(r), network.terminals_at(r).size()));
      }
      Extents where{};
      for (std::size_t d = 0; d < joined.count(); ++d) where[d] = joined.coordinate(r, d);
      place_.push_back(torus.place(where));
      if (at[place_.back()].valid()) {
        throw InputError(fmt::format("{} and {} are at one place of the torus",
                                     network.router_name(at[place_.back()]), network.router_name(r)));
      }
      at[place_.back()] = r;
      if (!network.terminals_at(r).empty())
        torus.node[place_.back()] = TerminalId(network.terminals_at(r).first());
    }
  }

  void count_cables() {
    for (std::uint32_t d = 0; d < 3; ++d) {
      torus_.forth[d].assign(torus_.places(), 0);
      torus_.back[d].assign(torus_.places(), 0);
    }
    for (const ChannelId c : network_.channels()) {
      const std::uint32_t from = place_[network_.source(c).value], to = place_[network_.target(c).value];
      const std::uint32_t d = dimension_of(c);
      const std::uint32_t a = torus_.at(from)[d], b = torus_.at(to)[d];
      const bool around = std::max(a, b) - std::min(a, b) > 1;
      if (around) torus_.ring[d] = true;
      ++((a < b) != around ? torus_.forth[d][from] : torus_.back[d][to]);
    }
  }

 private:
  /// The one in which its ends differ, between neighbours. InputError for other channels.
  [[nodiscard]] std::uint32_t dimension_of(ChannelId c) const {
    const Extents a = torus_.at(place_[network_.source(c).value]),
                  b = torus_.at(place_[network_.target(c).value]);
    std::uint32_t found = 3;
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (a[d] == b[d]) continue;
      if (found != 3) throw InputError(no_torus(c, "along no single dimension"));
      found = d;
      const std::uint32_t apart = std::max(a[d], b[d]) - std::min(a[d], b[d]);
      if (apart == 1 || apart + 1 == torus_.dims[d]) continue;
      throw InputError(
          fmt::format("{} joins routers {} apart: its rows are full meshes, and those of a torus rings",
                      network_.channel_name(c), apart));
    }
    if (found == 3) throw InputError(no_torus(c, "nowhere"));
    return found;
  }
  [[nodiscard]] std::string no_torus(ChannelId c, const char* leads) const {
    return fmt::format("the fabric is no torus or mesh: {} leads {}", network_.channel_name(c), leads);
  }

  const Network& network_;
  Torus& torus_;
  std::vector<std::uint32_t> place_;  // by router
};

/// A sub-cube by the planes across its dimensions.
class CubePlanes {
 public:
  CubePlanes(const Torus& torus, const Extents& cube) : torus_(torus), cube_(cube) {}

  /// False where a node is missing.
  bool look(const Extents& anchor) {
    for (std::uint32_t d = 0; d < 3; ++d) after_[d].assign(cube_[d], {});
    for (std::uint32_t z = 0; z < cube_[2]; ++z) {
      for (std::uint32_t y = 0; y < cube_[1]; ++y) {
        for (std::uint32_t x = 0; x < cube_[0]; ++x) {
          const std::uint32_t place =
              torus_.place({(anchor[0] + x) % torus_.dims[0], (anchor[1] + y) % torus_.dims[1],
                            (anchor[2] + z) % torus_.dims[2]});
          if (!torus_.node[place].valid()) return false;
          const Extents at{x, y, z};
          for (std::uint32_t d = 0; d < 3; ++d) {
            if (at[d] + 1 == cube_[d] && !around(d)) continue;
            after_[d][at[d]].forth += torus_.forth[d][place];
            after_[d][at[d]].back += torus_.back[d][place];
          }
        }
      }
    }
    return true;
  }

  /// Of an all-to-all, messages that pass each channel of the narrowest cut: one or two between planes part
  /// the nodes. Cuts far from the middle are looked at where cables are missing (`uneven`), for rings of up
  /// to kMostUneven; all are bounds.
  [[nodiscard]] double load_across(std::uint32_t d, bool uneven) const {
    const double nodes = static_cast<double>(cube_[0]) * cube_[1] * cube_[2], plane = nodes / cube_[d];
    const std::uint32_t extent = cube_[d];
    double most = 0;
    const auto cut = [&](std::uint32_t planes, std::uint32_t out, std::uint32_t in) {
      const double near = plane * planes;
      most = std::max(most, near * (nodes - near) / std::min(out, in));  // 0: nobody can send to all
    };
    if (!around(d)) {
      for (std::uint32_t i = 1; i < extent; ++i)
        if (uneven || i == extent / 2) cut(i, after_[d][i - 1].forth, after_[d][i - 1].back);
      return most;
    }
    const bool all = uneven && extent <= kMostUneven;
    for (std::uint32_t first = 0; first < extent; ++first) {
      for (std::uint32_t planes = all ? 1 : extent / 2; planes <= extent / 2; ++planes) {
        const Channels &before = after_[d][first], &behind = after_[d][(first + planes) % extent];
        cut(planes, behind.forth + before.back, before.forth + behind.back);
      }
    }
    return most;
  }

 private:
  static constexpr std::uint32_t kMostUneven = 256;
  struct Channels {
    std::uint32_t forth = 0, back = 0;
  };
  [[nodiscard]] bool around(std::uint32_t d) const { return cube_[d] == torus_.dims[d] && torus_.ring[d]; }

  const Torus& torus_;
  Extents cube_;
  std::array<std::vector<Channels>, 3> after_;  // by dimension and plane: to the next
};

/// Whether no sub-cube of the placement goes over the end of a line that is no ring.
bool stays_within(const Torus& torus, const CubePlacement& placement) {
  for (std::uint32_t d = 0; d < 3; ++d) {
    if (torus.ring[d]) continue;
    for (const std::uint32_t at : anchors_along(torus, placement, d))
      if (at + placement.dims[d] > torus.dims[d]) return false;
  }
  return true;
}

CubeShape shape_of(const Torus& torus, const CubePlacement& placement, bool whole) {
  CubeShape shape{placement};
  shape.nodes = shape.dims[0] * shape.dims[1] * shape.dims[2];
  std::array<std::vector<std::uint32_t>, 3> along;
  for (std::uint32_t d = 0; d < 3; ++d) {
    along[d] = anchors_along(torus, placement, d);
    shape.anchors *= static_cast<std::uint32_t>(along[d].size());
  }
  shape.mean_distance = distance_within(torus, shape.dims);
  const bool alike = whole && stays_within(torus, placement);
  CubePlanes planes(torus, shape.dims);
  const double others = shape.nodes - 1;
  const auto look = [&](const Extents& anchor) {
    if (!planes.look(anchor)) return;
    ++shape.whole;
    double load = others;  // what every node's own link carries
    for (std::uint32_t d = 0; d < 3; ++d) load = std::max(load, planes.load_across(d, !alike));
    if (load > 0) shape.all_to_all_bound = std::min(shape.all_to_all_bound, others / load);
  };
  shape.whole = 0;
  if (alike) {
    look(shape.seed);
    shape.whole = shape.anchors;
    return shape;
  }
  for (const std::uint32_t x : along[0]) {
    for (const std::uint32_t y : along[1])
      for (const std::uint32_t z : along[2]) look({x, y, z});
  }
  return shape;
}

}  // namespace

std::array<bool, 3> possible_rings(const Extents& dims) {
  return {dims[0] > 2, dims[1] > 2, dims[2] > 2};
}

Torus find_torus(const Network& given) {
  const Network network = with_recognised_grid(given);
  const Coordinates* where = network.coordinates();
  if (where == nullptr) throw InputError("the fabric is no torus or mesh that can be told from its cables");
  const JoinedDimensions joined(*where);
  Torus torus = empty_torus(joined);
  TorusPlaces(network, joined, torus).count_cables();
  return torus;
}

bool is_whole(const Torus& torus) {
  for (const TerminalId t : torus.node)
    if (!t.valid()) return false;
  for (std::uint32_t d = 0; d < 3; ++d) {
    for (std::uint32_t p = 0; p < torus.places(); ++p) {
      const bool last = torus.at(p)[d] + 1 == torus.dims[d];
      const std::uint32_t channels = last && !torus.ring[d] ? 0 : torus.forth[d][0];
      if (torus.forth[d][p] != channels || torus.back[d][p] != channels) return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> anchors_along(const Torus& torus, const CubePlacement& placement,
                                         std::uint32_t d) {
  std::vector<std::uint32_t> anchors{placement.seed[d]};
  const auto next = [&] { return (anchors.back() + placement.spacing[d]) % torus.dims[d]; };
  while (next() != placement.seed[d]) anchors.push_back(next());
  return anchors;
}

CubeShape cube_shape(const Torus& torus, const CubePlacement& placement) {
  return shape_of(torus, placement, is_whole(torus));
}

std::vector<CubeShape> cube_shapes(const Torus& torus) {
  const bool whole = is_whole(torus);
  std::vector<CubeShape> shapes;
  for (std::uint32_t x = 1; x <= torus.dims[0]; ++x) {
    if (torus.dims[0] % x != 0) continue;
    for (std::uint32_t y = 1; y <= torus.dims[1]; ++y) {
      if (torus.dims[1] % y != 0) continue;
      for (std::uint32_t z = 1; z <= torus.dims[2]; ++z)
        if (torus.dims[2] % z == 0) shapes.push_back(shape_of(torus, {.dims = {x, y, z}}, whole));
    }
  }
  std::sort(shapes.begin(), shapes.end(), [](const CubeShape& a, const CubeShape& b) {
    if (a.nodes != b.nodes) return a.nodes < b.nodes;
    if (a.all_to_all_bound != b.all_to_all_bound) return a.all_to_all_bound > b.all_to_all_bound;
    if (a.mean_distance != b.mean_distance) return a.mean_distance < b.mean_distance;
    return a.dims < b.dims;
  });
  return shapes;
}

std::vector<CubeShape> best_shapes(const std::vector<CubeShape>& shapes) {
  std::vector<CubeShape> best;
  for (const CubeShape& shape : shapes)
    if (shape.whole > 0 && (best.empty() || best.back().nodes != shape.nodes)) best.push_back(shape);
  return best;
}

}  // namespace unknot::slurm
