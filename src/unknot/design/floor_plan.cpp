// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/floor_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/design/racks.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Lays cables between racks and adds them up.
class CableCounter {
 public:
  CableCounter(const PriceModel& model, Bill& bill) : model_(model), bill_(bill) {
    bill_.cables.assign(model.cables.size(), 0);
  }

  void lay(double metres) {
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
  [[nodiscard]] double price(std::size_t kind, double metres) const {
    return model_.cables[kind].price + model_.cables[kind].price_per_metre * metres;
  }

  const PriceModel& model_;
  Bill& bill_;
};

}  // namespace

Bill price_network(const Network& network, const PriceModel& model, std::uint32_t ports,
                   const SwitchModel* switches) {
  Bill bill;
  const Racks racks(network, model.floor);
  bill.racks = racks.count();
  const double routers = network.router_count();
  // a line that begins below 0 gives nothing away
  bill.routers_price =
      routers * (switches != nullptr
                     ? switches->price
                     : std::max(0.0, model.router_price + model.router_price_per_port * ports));
  bill.power = routers * (switches != nullptr ? switches->power
                                              : model.router_power + model.router_power_per_port * ports);
  CableCounter counter(model, bill);
  for (const ChannelId c : network.channels()) {
    // a one-way channel is a cable too
    if (network.reverse(c).valid() && network.reverse(c) < c) continue;
    counter.lay(racks.metres(racks.of(network.source(c)), racks.of(network.target(c))));
  }
  for (const TerminalId t : network.terminals())
    counter.lay(racks.metres(racks.of(network.router_of(t)), racks.of(t)));
  return bill;
}

}  // namespace unknot
