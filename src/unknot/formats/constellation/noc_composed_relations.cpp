// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "unknot/formats/constellation/noc_relation.hpp"

namespace unknot {

NocChannel NocChannel::on_lane(int lane, int lanes) const {
  if (lane < 0 || lane >= lanes) {
    throw InputError(
        fmt::format("expected virtual channels for all parts of the relation: of the {} of the channel from "
                    "{} to {} it sees "
                    "number {} of {}",
                    n_vc, src, dst, lane, lanes));
  }
  return {src, dst, lane, lanes};
}

NocRelation escape_relation(NocRelation escape, NocRelation normal, int escape_lanes) {
  NocRelation made;
  made.by_ingress = escape.by_ingress || normal.by_ingress;
  const int n = escape_lanes;
  made.rel = [n, escape = std::move(escape.rel), normal = std::move(normal.rel)](
                 const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
    if (next.vc < n) return escape(src, next.on_lane(next.vc, n), flow);
    const NocChannel other = next.on_lane(next.vc - n, next.n_vc - n);
    if (src.src == -1) return normal(src, other, flow);
    // Who is on an escape channel stays on them.
    return src.vc >= n && normal(src.on_lane(src.vc - n, src.n_vc - n), other, flow);
  };
  made.is_escape = [n](const NocChannel& c, int) { return c.vc < n; };
  return made;
}

NocRelation terminal_relation(NocRelation base, const NocRelation::Topology& topology) {
  NocRelation made;
  made.by_ingress = base.by_ingress;
  const int n = topology->base->nodes;
  made.rel = [n, base = std::move(base.rel)](const NocChannel& src, const NocChannel& next,
                                             const NocFlow& flow) {
    if ((src.src == -1 && next.dst >= n) || next.dst == flow.egress) return true;
    if (next.src < n || next.dst < n || next.src % n == flow.egress % n) return false;
    // One that comes from a terminal comes in, for the base. So does one from outside.
    const NocChannel from =
        src.src < n ? NocChannel{-1, src.dst % n, 0, 1} : src.between(src.src % n, src.dst % n);
    return base(from, next.between(next.src % n, next.dst % n), {flow.ingress, flow.egress % n, flow.vnet});
  };
  made.is_escape = [n, escape = std::move(base.is_escape)](const NocChannel& c, int v) {
    return c.src < n || c.dst < n || escape(c.between(c.src % n, c.dst % n), v);
  };
  return made;
}

namespace {

/// A hierarchical topology, and the relations of its parts.
struct Hierarchy {
  NocRelation::Topology topology;
  NocRelation base;
  std::vector<NocRelation> children;

  /// A channel as the child sees it; one from the base comes in.
  [[nodiscard]] NocChannel within(const NocChannel& c, std::size_t child) const {
    const int offset = topology->offsets[child];
    return c.between(topology->is_base(c.src) ? -1 : c.src - offset, c.dst - offset);
  }
  [[nodiscard]] bool in_base(const NocChannel& src, const NocChannel& next, const NocFlow& flow,
                             int to) const {
    return base.rel(src.between(topology->is_base(src.src) ? src.src : -1, src.dst), next,
                    {flow.ingress, to, flow.vnet});
  }
  [[nodiscard]] bool in_child(std::size_t child, const NocChannel& src, const NocChannel& next,
                              const NocFlow& flow, int to) const {
    return children[child].rel(within(src, child), within(next, child), {flow.ingress, to, flow.vnet});
  }

  [[nodiscard]] bool allows(const NocChannel& src, const NocChannel& next, const NocFlow& flow) const {
    const NocTopology& t = *topology;
    const bool to_base = t.is_base(flow.egress);
    if (t.is_base(src.dst)) {
      if (t.is_base(next.dst)) {
        if (to_base) return in_base(src, next, flow, flow.egress);
        const int gate = t.children[t.child_of(flow.egress)].src;
        return gate != src.dst && in_base(src, next, flow, gate);
      }
      return !to_base && t.child_of(next.dst) == t.child_of(flow.egress);
    }
    const std::size_t here = t.child_of(src.dst);
    const bool at_home = !to_base && t.child_of(flow.egress) == here;
    if (t.is_base(next.dst)) return !at_home;
    if (at_home) return in_child(here, src, next, flow, flow.egress - t.offsets[here]);
    const int gate = t.children[here].dst;
    return src.dst - t.offsets[here] != gate && in_child(here, src, next, flow, gate);
  }

  [[nodiscard]] bool is_escape(const NocChannel& c, int vnet) const {
    const bool from_base = topology->is_base(c.src);
    if (from_base != topology->is_base(c.dst)) return true;
    if (from_base) return base.is_escape(c, vnet);
    const std::size_t child = topology->child_of(c.dst);
    return children[child].is_escape(within(c, child), vnet);
  }
};

}  // namespace

NocRelation hierarchical_relation(NocRelation base, std::vector<NocRelation> children,
                                  const NocRelation::Topology& topology) {
  NocRelation made;
  made.by_ingress = base.by_ingress;
  for (const NocRelation& one : children) made.by_ingress = made.by_ingress || one.by_ingress;
  const auto all =
      std::make_shared<const Hierarchy>(Hierarchy{topology, std::move(base), std::move(children)});
  made.rel = [all](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
    return all->allows(src, next, flow);
  };
  made.is_escape = [all](const NocChannel& c, int vnet) { return all->is_escape(c, vnet); };
  return made;
}

NocRelation nonblocking_relation(NocRelation base, int subnets, int dedicated) {
  NocRelation made;
  made.by_ingress = base.by_ingress;
  const int own = subnets * dedicated;
  const auto lower = [own, dedicated](const NocChannel& c) {
    const int lane = c.vc < own ? c.vc % dedicated : dedicated + c.vc - own;
    return c.on_lane(lane, c.src == -1 ? 1 : c.n_vc - own + dedicated);
  };
  made.rel = [own, dedicated, lower, rel = std::move(base.rel)](const NocChannel& src, const NocChannel& next,
                                                                const NocFlow& flow) {
    if (next.vc < own && next.vc / dedicated != flow.vnet) return false;
    return rel(lower(src), lower(next), {flow.ingress, flow.egress, 0});
  };
  made.is_escape = [lower, escape = std::move(base.is_escape)](const NocChannel& c, int) {
    return escape(lower(c), 0);
  };
  return made;
}

NocRelation blocking_relation(NocRelation base, int dedicated) {
  NocRelation made;
  made.by_ingress = base.by_ingress;
  made.rel = [dedicated, rel = std::move(base.rel)](const NocChannel& src, const NocChannel& next,
                                                    const NocFlow& flow) {
    const int below = flow.vnet * dedicated;
    if (next.vc < below || (src.src != -1 && src.vc < below)) return false;
    const NocFlow alone{flow.ingress, flow.egress, 0};
    const NocChannel to = next.on_lane(next.vc - below, next.n_vc - below);
    return rel(src.src == -1 ? src : src.on_lane(src.vc - below, src.n_vc - below), to, alone);
  };
  made.is_escape = [dedicated, escape = std::move(base.is_escape)](const NocChannel& c, int vnet) {
    const int below = vnet * dedicated;
    return c.vc >= below && escape(c.on_lane(c.vc - below, c.n_vc - below), 0);
  };
  return made;
}

}  // namespace unknot
