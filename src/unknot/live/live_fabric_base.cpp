// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_fabric_base.hpp"

#include <utility>

#include "unknot/formats/live/difference_text.hpp"
#include "unknot/formats/live/part_names.hpp"
#include "unknot/support/thread_clock.hpp"

namespace unknot {

struct LiveFabricBase::Whole {
  explicit Whole(Network given) : network(std::move(given)), names(network), words(network) {}

  Network network;
  PartNames names;
  DifferenceText words;
};

LiveFabricBase::LiveFabricBase(Network network) : whole_(std::make_unique<const Whole>(std::move(network))) {}

LiveFabricBase::~LiveFabricBase() = default;

double LiveFabricBase::thread_seconds() {
  return unknot::thread_seconds();
}

const LiveStep& LiveFabricBase::apply_events(std::string_view text, const std::string& file,
                                             Progress& progress) {
  return apply(whole_->names.events(text, file), progress);
}

const LiveStep& LiveFabricBase::apply_cable_list(std::string_view text, const std::string& file,
                                                 Progress& progress) {
  return apply(whole_->names.cable_list(live(), text, file), progress);
}

const Network& LiveFabricBase::network() const {
  return whole_->network;
}

std::uint16_t LiveFabricBase::port(RouterId router, TerminalId destination, std::uint32_t entry) const {
  const IdRange<ChannelId> out = network().out(router);
  if (entry < out.size()) return network().source_port(out[entry]);
  return entry == ForwardingTable::kHere ? network().terminal_port(destination) : std::uint16_t{0};
}

RouterId LiveFabricBase::router_of_row(std::uint32_t row) const {
  return whole_->words.router_of_row(row);
}

std::string LiveFabricBase::difference() const {
  return whole_->words.text(step_.entries, step_.levels);
}

std::string LiveFabricBase::cable_list() const {
  return PartNames::cable_list_of(live());
}

RouterId LiveFabricBase::find_router(std::uint64_t guid) const {
  return whole_->names.router(guid);
}

ChannelId LiveFabricBase::find_channel(std::uint64_t guid, std::uint32_t port) const {
  return whole_->names.channel(guid, port);
}

}  // namespace unknot
