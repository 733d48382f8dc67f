// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/noc_relation.hpp"

namespace unknot {
namespace {

bool forward(const NocChannel& c, int n) {
  return (c.dst + n - c.src) % n == 1;
}
bool backward(const NocChannel& c, int n) {
  return (c.src + n - c.dst) % n == 1;
}

/// Of UnidirectionalTorus1DDatelineRouting: lanes descend, and lane 0 is only for those who need not pass the
/// dateline any more.
bool ring_dateline(const NocChannel& src, const NocChannel& next, const NocFlow& flow, int n) {
  if (src.src == -1) return next.vc != 0;
  if (src.vc == 0) return next.vc == 0;
  if (next.src == n - 1) return next.vc < src.vc;
  return next.vc <= src.vc && (next.vc != 0 || flow.egress > next.src);
}

bool both_ways_dateline(const NocChannel& src, const NocChannel& next, const NocFlow& flow, int n) {
  if (src.src == -1) return next.vc != 0;
  if (src.vc == 0) return next.vc == 0;
  if (forward(next, n)) {
    if (next.src == n - 1) return next.vc < src.vc;
    return next.vc <= src.vc && (next.vc != 0 || flow.egress > next.src);
  }
  if (!backward(next, n)) return false;
  if (next.src == 0) return next.vc < src.vc;
  return next.vc <= src.vc && (next.vc != 0 || flow.egress < next.src);
}

bool shortest_way_round(const NocChannel& next, const NocFlow& flow, int n) {
  const int clockwise = (flow.egress + n - next.src) % n;
  const int other = (next.src + n - flow.egress) % n;
  return clockwise == other || (clockwise < other ? forward(next, n) : backward(next, n));
}

bool keeps_direction(const NocChannel& src, const NocChannel& next, int n) {
  if (src.src == -1) return true;
  return (next.src + n - src.src) % n == 1 ? forward(next, n) : backward(next, n);
}

bool is_ancestor(int src, int dst, int degree) {
  while (dst > src) dst = (dst - 1) / degree;
  return dst == src;
}

bool tree_way(const NocChannel& next, const NocFlow& flow, int degree) {
  if (is_ancestor(next.src, flow.egress, degree))
    return is_ancestor(next.dst, flow.egress, degree) && next.dst >= next.src;
  return is_ancestor(next.dst, next.src, degree);
}

/// The digits that later stages do not change are those of the egress.
bool butterfly_way(const NocChannel& next, const NocFlow& flow, const NocTopology& t) {
  if (flow.egress / t.height <= next.src / t.height) return false;
  int kept = 1;
  for (int stage = 0; stage < next.dst / t.height; ++stage) kept *= t.a;
  return (next.dst % t.height) % kept == (flow.egress % t.height) % kept;
}

}  // namespace

NocRelation line_relation(std::string_view name, const NocRelation::Topology& topology) {
  NocRelation made;
  const int n = topology->nodes;
  if (name == "AllLegalRouting") {
    made.rel = [](const NocChannel&, const NocChannel&, const NocFlow&) { return true; };
  } else if (name == "UnidirectionalLineRouting") {
    made.rel = [](const NocChannel&, const NocChannel& next, const NocFlow& flow) {
      return next.dst <= flow.egress;
    };
  } else if (name == "BidirectionalLineRouting") {
    made.rel = [](const NocChannel&, const NocChannel& next, const NocFlow& flow) {
      return next.src < next.dst ? flow.egress >= next.dst : flow.egress <= next.dst;
    };
  } else if (name == "UnidirectionalTorus1DDatelineRouting") {
    made.rel = [n](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return ring_dateline(src, next, flow, n);
    };
    made.is_escape = [](const NocChannel& c, int) { return c.vc < 2; };
  } else if (name == "BidirectionalTorus1DDatelineRouting") {
    made.rel = [n](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return both_ways_dateline(src, next, flow, n);
    };
  } else if (name == "BidirectionalTorus1DShortestRouting") {
    made.rel = [n](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return shortest_way_round(next, flow, n) && both_ways_dateline(src, next, flow, n);
    };
  } else if (name == "BidirectionalTorus1DRandomRouting") {
    made.rel = [n](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return keeps_direction(src, next, n) && both_ways_dateline(src, next, flow, n);
    };
  } else if (name == "ButterflyRouting" && topology->kind == NocTopology::Kind::butterfly) {
    made.rel = [topology](const NocChannel&, const NocChannel& next, const NocFlow& flow) {
      return butterfly_way(next, flow, *topology);
    };
  } else if (name == "BidirectionalTreeRouting" && topology->kind == NocTopology::Kind::tree) {
    made.rel = [degree = topology->b](const NocChannel&, const NocChannel& next, const NocFlow& flow) {
      return tree_way(next, flow, degree);
    };
  }
  return made;
}

}  // namespace unknot
