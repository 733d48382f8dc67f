// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_fabric.hpp"

#include <utility>

#include "unknot/routing/live/live_clos.hpp"
#include "unknot/verify/live/live_proof.hpp"

namespace unknot {
namespace {

LiveOptions clos_options(const LiveFabricOptions& options) {
  return {options.exact ? Upkeep::exact : Upkeep::sticky, options.threads, options.roots};
}

}  // namespace

struct LiveFabric::Parts {
  Parts(const Network& network, const Faults& dead, const LiveFabricOptions& options, Progress& progress,
        const ForwardingTable* in_force)
      : tables(network, dead, clos_options(options), progress, in_force),
        proof(network, dead, tables.table()) {}

  /// Entries that the tables have and the proof does not.
  [[nodiscard]] std::vector<EntryChange> not_in_force() const {
    const Network& network = tables.network().network();
    std::vector<EntryChange> entries;
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        const std::uint32_t held = proof.entry(r, t);
        const std::uint32_t wanted = tables.table().get(r, t);
        if (held != wanted) entries.push_back({r, t, held, wanted});
      }
    }
    return entries;
  }

  LiveClos tables;
  LiveProof proof;
  bool behind = false;                // tables could not be made: what is in force is older
  std::vector<EntryChange> all = {};  // where it was behind
};

LiveFabric::LiveFabric(Network network, const Faults& dead, const LiveFabricOptions& options,
                       Progress& progress, const ForwardingTable* in_force)
    : LiveFabricBase(std::move(network)),
      parts_(std::make_unique<Parts>(this->network(), dead, options, progress, in_force)) {
  step_.verdict = parts_->proof.verdict();
}

LiveFabric::~LiveFabric() = default;

template <class Route>
const LiveStep& LiveFabric::follow(const LiveChange& change, const Route& route) {
  Parts& parts = *parts_;
  const auto differing = [&] {
    const LiveUpdate& update = route();
    LiveStep step;
    step.entries = update.entries;
    step.anew = update.anew;
    if (parts.behind) {
      parts.all = parts.not_in_force();
      step.entries = parts.all;
    }
    return step;
  };
  return take(differing, [&](const LiveStep& step, bool routed) {
    parts.behind = !routed;
    return parts.proof.apply(change, step.entries);
  });
}

const LiveStep& LiveFabric::apply(const LiveChange& change, Progress& progress) {
  return follow(change, [&]() -> const LiveUpdate& { return parts_->tables.apply(change, progress); });
}

const LiveStep& LiveFabric::make_anew(Progress& progress) {
  return follow({}, [&]() -> const LiveUpdate& { return parts_->tables.make_anew(progress); });
}

const LiveNetwork& LiveFabric::live() const {
  return parts_->proof.network();
}

std::uint32_t LiveFabric::entry(RouterId router, TerminalId destination) const {
  return parts_->proof.entry(router, destination);
}

std::span<const std::uint32_t> LiveFabric::order() const {
  return parts_->proof.order();
}

}  // namespace unknot
