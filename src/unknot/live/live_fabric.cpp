// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_fabric.hpp"

#include <ctime>
#include <stdexcept>
#include <utility>

#include "unknot/formats/live/difference_text.hpp"
#include "unknot/formats/live/part_names.hpp"
#include "unknot/routing/live/live_clos.hpp"
#include "unknot/verify/live/live_proof.hpp"

namespace unknot {
namespace {

LiveOptions clos_options(const LiveFabricOptions& options) {
  return {options.exact ? Upkeep::exact : Upkeep::sticky, options.threads, options.roots};
}

/// Processor time of this thread.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

struct LiveFabric::Parts {
  Parts(Network whole, const Faults& dead, const LiveFabricOptions& options, Progress& progress,
        const ForwardingTable* in_force)
      : network(std::move(whole)),
        names(network),
        words(network),
        tables(network, dead, clos_options(options), progress, in_force),
        proof(network, dead, tables.table()) {}

  /// Entries that the tables have and the proof does not.
  [[nodiscard]] std::vector<EntryChange> not_in_force() const {
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

  Network network;
  PartNames names;
  DifferenceText words;
  LiveClos tables;
  LiveProof proof;
  bool behind = false;                // tables could not be made: what is in force is older
  std::vector<EntryChange> all = {};  // where it was behind
};

LiveFabric::LiveFabric(Network network, const Faults& dead, const LiveFabricOptions& options,
                       Progress& progress, const ForwardingTable* in_force)
    : parts_(std::make_unique<Parts>(std::move(network), dead, options, progress, in_force)) {
  step_.verdict = parts_->proof.verdict();
}

LiveFabric::~LiveFabric() = default;

template <class Route>
const LiveStep& LiveFabric::take(const LiveChange& change, const Route& route) {
  Parts& parts = *parts_;
  // The proof holds what is in force: it follows the parts even where there are no tables for them.
  const LiveUpdate* update = nullptr;
  const double begin = thread_seconds();
  try {
    update = &route();
  } catch (const std::out_of_range&) {
    throw;
  } catch (...) {
    parts.behind = true;
    step_ = {};
    step_.verdict = parts.proof.apply(change, {});
    throw;
  }
  step_.entries = update->entries;
  if (parts.behind) {
    parts.all = parts.not_in_force();
    step_.entries = parts.all;
    parts.behind = false;
  }
  step_.anew = update->anew;
  const double routed = thread_seconds();
  step_.route_seconds = routed - begin;
  step_.verdict = parts.proof.apply(change, step_.entries);
  step_.proof_seconds = thread_seconds() - routed;
  return step_;
}

const LiveStep& LiveFabric::apply(const LiveChange& change, Progress& progress) {
  return take(change, [&]() -> const LiveUpdate& { return parts_->tables.apply(change, progress); });
}

const LiveStep& LiveFabric::apply_events(std::string_view text, const std::string& file, Progress& progress) {
  return apply(parts_->names.events(text, file), progress);
}

const LiveStep& LiveFabric::apply_cable_list(std::string_view text, const std::string& file,
                                             Progress& progress) {
  return apply(parts_->names.cable_list(live(), text, file), progress);
}

const LiveStep& LiveFabric::make_anew(Progress& progress) {
  return take({}, [&]() -> const LiveUpdate& { return parts_->tables.make_anew(progress); });
}

const Network& LiveFabric::network() const {
  return parts_->network;
}

const LiveNetwork& LiveFabric::live() const {
  return parts_->proof.network();
}

const LiveVerdict& LiveFabric::verdict() const {
  return parts_->proof.verdict();
}

std::uint32_t LiveFabric::entry(RouterId router, TerminalId destination) const {
  return parts_->proof.entry(router, destination);
}

std::uint16_t LiveFabric::port(RouterId router, TerminalId destination, std::uint32_t entry) const {
  const IdRange<ChannelId> out = network().out(router);
  if (entry < out.size()) return network().source_port(out[entry]);
  return entry == ForwardingTable::kHere ? network().terminal_port(destination) : std::uint16_t{0};
}

std::span<const std::uint32_t> LiveFabric::order() const {
  return parts_->proof.order();
}

std::string LiveFabric::difference() const {
  return parts_->words.text(step_.entries);
}

std::string LiveFabric::cable_list() const {
  return PartNames::cable_list_of(live());
}

RouterId LiveFabric::find_router(std::uint64_t guid) const {
  return parts_->names.router(guid);
}

ChannelId LiveFabric::find_channel(std::uint64_t guid, std::uint32_t port) const {
  return parts_->names.channel(guid, port);
}

}  // namespace unknot
