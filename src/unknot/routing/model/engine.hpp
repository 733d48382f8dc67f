// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The engine cannot do what was asked on this network (too few lanes, disconnected, no coordinates): an
/// answer, not an error of the input. what() is one sentence; the command line exits 1.
class RoutingFailure : public std::runtime_error {
 public:
  explicit RoutingFailure(const std::string& message, std::uint32_t lanes_needed = 0)
      : std::runtime_error(message), lanes_needed_(lanes_needed) {}
  /// Lanes that would have been enough; 0 where lanes are not the reason.
  [[nodiscard]] std::uint32_t lanes_needed() const { return lanes_needed_; }

 private:
  std::uint32_t lanes_needed_;
};

/// Largest lane budget: InfiniBand has sixteen lanes, and keeps the last for management.
inline constexpr std::uint32_t kMaxLanes = LaneMap::kDrop;

/// What every engine is told besides its own parameters.
struct EngineRequest {
  std::uint32_t virtual_lanes = 8;  ///< lane budget; InfiniBand hardware has 1, 2, 4, 8 or 15
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: all of the machine
  Parameters parameters;      ///< of the engine's row
  Guidance guidance = {};     ///< what the administrator says, as far as Engine::heeds
};

/// What an engine promises of every table it returns; the tests hold it to that.
struct EnginePromise {
  bool deadlock_free = false;
  bool minimal = false;  ///< every path is a shortest path
};

struct Engine {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  EnginePromise promise;
  /// Empty when the network suits the engine; else one sentence that says what is missing. Null: it takes any
  /// (refusal()).
  std::function<std::string(const Network&)> unsuitable = {};
  std::function<Routing(const Network&, const EngineRequest&, Progress&)> run;
  Heeds heeds = {};  ///< the guidance that it makes use of
  /// Source routes, a route for each pair of terminals; else forwarding tables, by destination.
  bool gives_routes = false;
  /// The engine itself leaves pairs without a route where there is none: it is given networks in parts as
  /// they are.
  bool routes_parts = false;
};

}  // namespace unknot
