// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/live/live_fabric_base.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

struct LiveLaneOptions {
  std::string engine = "unknot";  ///< of the catalogue, as route() takes it: "dfsssp", "unknot:paths=dealt"
  /// Lanes that tables may use, 2 to 15: the engine gets one less, the last one is for what events cut off.
  std::uint32_t lanes = 8;
  std::uint64_t seed = 1;     ///< of the engine
  std::uint32_t threads = 1;  ///< of the engine; 0: all. Events take one.
};

/// LiveFabric for any network, with tables on virtual lanes. Tables of the whole network, by an engine or by
/// anyone, must be deadlock-free; they then follow each event lane by lane (LiveLanes), and a checker that
/// has tables of its own and knows nothing but the entries and levels that it is told proves them
/// (LiveLaneCheck).
///
/// What is proven is that of the tables with all changes in force: each packet on the level that its pair has
/// now. An event gives a pair another level where its new path does not fit the old lane. Hosts that go on
/// with a level that they have asked for earlier take the new entries over a lane where nothing is proven of
/// them, until they ask anew.
///
/// Cables go both ways and die whole; routers have at most 252 channels, paths at most 254 hops, terminals
/// one address. LiveVerdict::looping_pairs is not counted, and `dependencies` are those of paths that arrive.
/// Memory: 4 bytes for each router and terminal, 1 for each two routers, 4 for each turn and lane; it does
/// not grow with the number of events. What makes tables takes its own besides.
class LiveLaneFabric final : public LiveFabricBase {
 public:
  /// Tables by the engine. Throws InputError where the engine is unknown or its tables are of a kind that is
  /// not followed (source routes, lanes that depend on ports), where a cable goes one way or a GUID is there
  /// twice, and for lanes that cannot be; RoutingFailure where the engine fails or its tables can deadlock.
  LiveLaneFabric(Network network, const Faults& dead, const LiveLaneOptions& options, Progress& progress);
  /// Tables by anyone, of the whole network, on fewer than `lanes` lanes; they are kept for make_anew().
  LiveLaneFabric(Network network, Routing routing, const Faults& dead, std::uint32_t lanes);
  ~LiveLaneFabric() override;

  /// Throws RoutingFailure where a path would have more than 254 hops.
  const LiveStep& apply(const LiveChange& change, Progress& progress) override;
  /// All tables as if they had been made now: those of the whole network, from which all that is dead is
  /// taken at once. The engine runs again; if it is interrupted, nothing has changed.
  const LiveStep& make_anew(Progress& progress) override;

  [[nodiscard]] const LiveNetwork& live() const override;
  [[nodiscard]] std::uint32_t entry(RouterId router, TerminalId destination) const override;
  [[nodiscard]] std::uint32_t lanes() const override;
  [[nodiscard]] std::uint8_t level(RouterId source, TerminalId destination) const override;
  /// One sentence where verdict() is not proven().
  [[nodiscard]] const std::string& why() const;
  /// In force, as tables of with_faults() of what lives: for verify(), and for writers of files. O(table).
  [[nodiscard]] Routing routing_now() const;

 private:
  struct Parts;
  void start(const Faults& dead, Progress& progress);
  LiveStep anew(const Routing& routing, const LiveChange& change);
  template <class Route>
  const LiveStep& follow(const LiveChange& change, const Route& route);

  std::unique_ptr<Parts> parts_;
};

}  // namespace unknot
