// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/floor_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Takes things of some units one after another into racks.
class RackFiller {
 public:
  explicit RackFiller(double rack_units) : rack_units_(rack_units) {}

  /// Rack of the next thing.
  std::uint32_t put(double units) {
    if (used_ + units > rack_units_ + 1e-9) {
      ++rack_;
      used_ = 0;
    }
    used_ += units;
    return rack_;
  }
  [[nodiscard]] std::uint32_t racks() const { return rack_ + 1; }

 private:
  double rack_units_;
  double used_ = 0;
  std::uint32_t rack_ = 0;
};

struct Racks {
  std::vector<std::uint32_t> of_router, of_terminal;
  std::uint32_t count = 0;
};

Racks fill_racks(const Network& network, const FloorPlan& floor) {
  Racks racks;
  racks.of_terminal.resize(network.terminal_count());
  racks.of_router.reserve(network.router_count());
  RackFiller filler(floor.rack_units);
  for (const RouterId r : network.routers()) {
    racks.of_router.push_back(filler.put(floor.router_units));
    for (const TerminalId t : network.terminals_at(r))
      racks.of_terminal[t.value] = filler.put(floor.terminal_units);
  }
  racks.count = filler.racks();
  return racks;
}

/// Lays cables between racks and adds them up.
class CableCounter {
 public:
  CableCounter(const PriceModel& model, std::uint32_t racks, Bill& bill)
      : model_(model), bill_(bill), per_row_(model.floor.racks_per_row) {
    if (per_row_ == 0) per_row_ = static_cast<std::uint32_t>(std::ceil(std::sqrt(racks)));
    bill_.cables.assign(model.cables.size(), 0);
  }

  void lay(std::uint32_t a, std::uint32_t b) {
    const double metres = length(a, b);
    std::size_t best = model_.cables.size();
    for (std::size_t k = 0; k < model_.cables.size(); ++k) {
      const CableKind& kind = model_.cables[k];
      if (kind.reach != 0 && metres > kind.reach) continue;
      if (best == model_.cables.size() || price(k, metres) < price(best, metres)) best = k;
    }
    if (best == model_.cables.size())
      throw InputError(fmt::format("cost model: no kind of cable reaches {:.4g} m", metres));
    ++bill_.cables[best];
    bill_.metres += metres;
    bill_.cables_price += price(best, metres);
    bill_.power += model_.cables[best].power;
  }

 private:
  [[nodiscard]] double length(std::uint32_t a, std::uint32_t b) const {
    const FloorPlan& floor = model_.floor;
    if (a == b) return floor.inside;
    const auto apart = [](std::uint32_t x, std::uint32_t y) { return x < y ? y - x : x - y; };
    return floor.slack + floor.rack_width * apart(a % per_row_, b % per_row_) +
           floor.row_pitch * apart(a / per_row_, b / per_row_);
  }
  [[nodiscard]] double price(std::size_t kind, double metres) const {
    return model_.cables[kind].price + model_.cables[kind].price_per_metre * metres;
  }

  const PriceModel& model_;
  Bill& bill_;
  std::uint32_t per_row_;
};

}  // namespace

Bill price_network(const Network& network, const PriceModel& model, std::uint32_t ports,
                   const SwitchModel* switches) {
  Bill bill;
  const Racks racks = fill_racks(network, model.floor);
  bill.racks = racks.count;
  const double routers = network.router_count();
  // a line that begins below 0 gives nothing away
  bill.routers_price =
      routers * (switches != nullptr
                     ? switches->price
                     : std::max(0.0, model.router_price + model.router_price_per_port * ports));
  bill.power = routers * (switches != nullptr ? switches->power
                                              : model.router_power + model.router_power_per_port * ports);
  CableCounter counter(model, racks.count, bill);
  for (const ChannelId c : network.channels()) {
    // a one-way channel is a cable too
    if (network.reverse(c).valid() && network.reverse(c) < c) continue;
    counter.lay(racks.of_router[network.source(c).value], racks.of_router[network.target(c).value]);
  }
  for (const TerminalId t : network.terminals())
    counter.lay(racks.of_router[network.router_of(t).value], racks.of_terminal[t.value]);
  return bill;
}

}  // namespace unknot
