// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/verify/live/live_verdict.hpp"

namespace unknot {

/// What an event has led to.
struct LiveStep {
  /// What is to be installed, by router and destination; positions among all channels of the router in the
  /// whole network. Good until the next event.
  std::span<const EntryChange> entries = {};
  /// The same of service levels; LiveFabricBase::router_of_row() has whose. None on one lane.
  std::span<const LevelChange> levels = {};
  LiveVerdict verdict = {};  ///< of the tables with these changes, on the fabric as it is now
  bool anew = false;         ///< all tables were made anew: what the event changes could not be told apart
  /// Processor time of the thread that called.
  double route_seconds = 0, proof_seconds = 0;
};

/// What all fabrics that are held with their tables and their proof have in common: their parts by GUID and
/// port, events as lines, differences as files. LiveFabric has tables on one lane, LiveLaneFabric on several.
///
/// Everything goes by the numbers of the whole network, which has all parts that may ever be there. Not to be
/// used by two threads at once.
class LiveFabricBase {
 public:
  virtual ~LiveFabricBase();
  LiveFabricBase(const LiveFabricBase&) = delete;
  LiveFabricBase& operator=(const LiveFabricBase&) = delete;

  /// An event, however many parts it is about. Throws std::out_of_range for ids that the network does not
  /// have, and InputError where half a cable is named and the tables do not take that: then nothing has
  /// changed; and RoutingFailure: then the parts have changed and no entry, verdict() is of what is in force,
  /// and the next event that can be routed makes good for both.
  virtual const LiveStep& apply(const LiveChange& change, Progress& progress) = 0;
  /// Lines as PartNames::events() takes them, and as InputError refuses them: then nothing has changed.
  const LiveStep& apply_events(std::string_view text, const std::string& file, Progress& progress);
  /// All cables that are there now, as PartNames::cable_list() takes them.
  const LiveStep& apply_cable_list(std::string_view text, const std::string& file, Progress& progress);
  /// All tables as they are made from nothing, which takes back what events have drifted.
  virtual const LiveStep& make_anew(Progress& progress) = 0;

  [[nodiscard]] const Network& network() const;
  [[nodiscard]] virtual const LiveNetwork& live() const = 0;
  [[nodiscard]] const LiveStep& last() const { return step_; }
  [[nodiscard]] const LiveVerdict& verdict() const { return step_.verdict; }
  /// In force, as ForwardingTable::get().
  [[nodiscard]] virtual std::uint32_t entry(RouterId router, TerminalId destination) const = 0;
  /// The port of that entry: of the terminal where it is attached to the router; 0: no route.
  [[nodiscard]] std::uint16_t port(RouterId router, TerminalId destination, std::uint32_t entry) const;
  /// Lanes that tables may use. A packet travels on the lane of its level's number, from end to end.
  [[nodiscard]] virtual std::uint32_t lanes() const { return 1; }
  /// In force: the level on which the router's terminals send to the destination. Without meaning where there
  /// is no route, and for routers without terminals.
  [[nodiscard]] virtual std::uint8_t level(RouterId /*source*/, TerminalId /*destination*/) const {
    return 0;
  }
  /// The router whose terminals a LevelChange is about.
  [[nodiscard]] RouterId router_of_row(std::uint32_t row) const;
  /// What the last event has changed, as a file of one transition step (`unknot reroute --check-transition`,
  /// docs/faults.md).
  [[nodiscard]] std::string difference() const;
  /// Cables and switches that live, as apply_cable_list() takes them.
  [[nodiscard]] std::string cable_list() const;
  /// Switch of that GUID, and what leaves it by that port; invalid where there is none.
  [[nodiscard]] RouterId find_router(std::uint64_t guid) const;
  [[nodiscard]] ChannelId find_channel(std::uint64_t guid, std::uint32_t port) const;

 protected:
  /// InputError where a GUID is there twice. O(devices log devices).
  explicit LiveFabricBase(Network network);

  /// An event: `route()` returns what differs, `prove(step, routed)` the verdict with it. The proof holds
  /// what is in force, and follows the parts even where there are no tables for them.
  template <class Route, class Prove>
  const LiveStep& take(const Route& route, const Prove& prove) {
    LiveStep next;
    const double begin = thread_seconds();
    try {
      next = route();
    } catch (const std::out_of_range&) {
      throw;
    } catch (...) {
      step_ = {};
      step_.verdict = prove(step_, false);
      throw;
    }
    const double routed = thread_seconds();
    next.route_seconds = routed - begin;
    next.verdict = prove(next, true);
    next.proof_seconds = thread_seconds() - routed;
    step_ = next;
    return step_;
  }
  /// Processor time of this thread.
  static double thread_seconds();

  LiveStep step_;

 private:
  struct Whole;
  std::unique_ptr<const Whole> whole_;
};

}  // namespace unknot
