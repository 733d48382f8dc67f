// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/live.h"
#include "unknot/live/live_fabric.hpp"
#include "unknot/live/live_lane_fabric.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

struct unknot_live {
  std::unique_ptr<unknot::LiveFabricBase> fabric;
  unknot::Progress quiet = {};
  unknot::LiveChange next = {};
  std::vector<unknot_live_entry> changes = {};
  std::vector<unknot_live_level_change> level_changes = {};
  std::string error = {};
};

namespace {

using namespace unknot;

LiveFabricOptions options_of(const unknot_live_options* given) {
  LiveFabricOptions options;
  if (given == nullptr) return options;
  options.exact = given->exact != 0;
  options.threads = given->threads == 0 ? 1 : given->threads;
  if (given->roots != nullptr) options.roots.assign(given->roots, given->roots + given->root_count);
  return options;
}

LiveLaneOptions options_of(const unknot_live_lane_options* given) {
  LiveLaneOptions options;
  if (given == nullptr) return options;
  if (given->engine != nullptr) options.engine = given->engine;
  if (given->lanes != 0) options.lanes = given->lanes;
  if (given->threads != 0) options.threads = given->threads;
  if (given->seed != 0) options.seed = given->seed;
  return options;
}

std::unique_ptr<LiveFabricBase> hold(Network network, const LiveFabricOptions& options, Progress& progress) {
  return std::make_unique<LiveFabric>(std::move(network), Faults{}, options, progress);
}

std::unique_ptr<LiveFabricBase> hold(Network network, const LiveLaneOptions& options, Progress& progress) {
  return std::make_unique<LiveLaneFabric>(std::move(network), Faults{}, options, progress);
}

/// Runs `work`, of which no exception may leave this file; what it failed with is what the function returns.
template <class Work>
int guarded(std::string& error, const Work& work) {
  try {
    error.clear();
    work();
    return UNKNOT_LIVE_DONE;
  } catch (const std::bad_alloc&) {
    return UNKNOT_LIVE_NO_MEMORY;
  } catch (const RoutingFailure& failure) {
    error = failure.what();
    return UNKNOT_LIVE_NO_TABLES;
  } catch (const std::exception& failure) {
    error = failure.what();
    return UNKNOT_LIVE_BAD_INPUT;
  }
}

void copy_text(const std::string& text, char* to, std::size_t room) {
  if (to == nullptr || room == 0) return;
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

template <class MakeNetwork, class Options>
unknot_live* open_with(const MakeNetwork& make, const Options* options, char* error, std::size_t room) {
  std::string why;
  unknot_live* made = nullptr;
  const int code = guarded(why, [&] {
    auto live = std::make_unique<unknot_live>();
    live->fabric = hold(make(), options_of(options), live->quiet);
    made = live.release();
  });
  copy_text(code == UNKNOT_LIVE_NO_MEMORY ? "there is not enough memory" : why, error, room);
  return made;
}

Network network_of(const std::uint64_t* guids, std::uint32_t count, const unknot_live_link* links,
                   std::size_t link_count, const unknot_live_host* hosts, std::uint32_t host_count) {
  NetworkBuilder builder;
  builder.add_routers(count);
  builder.labels().router_guid.assign(guids, guids + count);
  for (std::size_t i = 0; i < link_count; ++i) {
    const unknot_live_link& link = links[i];
    if (link.router_a >= count || link.router_b >= count)
      throw InputError("link " + std::to_string(i) + ": there is no such switch");
    if (link.port_a == 0 || link.port_b == 0)
      throw InputError("link " + std::to_string(i) + ": ports count from 1");
    builder.add_cable(RouterId(link.router_a), link.port_a, RouterId(link.router_b), link.port_b);
  }
  bool all_named = true;
  for (std::uint32_t i = 0; i < host_count; ++i) {
    all_named = all_named && hosts[i].guid != 0;
    if (hosts[i].port == 0) throw InputError("host " + std::to_string(i) + ": ports count from 1");
    if (hosts[i].router >= count || (i > 0 && hosts[i].router < hosts[i - 1].router)) {
      throw InputError(
          "host " + std::to_string(i) +
          (hosts[i].router >= count ? ": there is no such switch" : ": hosts must come by ascending switch"));
    }
    builder.add_terminal(RouterId(hosts[i].router), hosts[i].port);
  }
  for (std::uint32_t i = 0; all_named && i < host_count; ++i)
    builder.labels().terminal_port_guid.push_back(hosts[i].guid);
  return std::move(builder).build().described_as("a fabric from arrays");
}

void list_changes(unknot_live& live) {
  const LiveFabricBase& fabric = *live.fabric;
  live.changes.clear();
  live.level_changes.clear();
  live.changes.reserve(fabric.last().entries.size());
  for (const EntryChange& change : fabric.last().entries) {
    live.changes.push_back({change.router.value, change.destination.value,
                            fabric.port(change.router, change.destination, change.before),
                            fabric.port(change.router, change.destination, change.after)});
  }
  live.level_changes.reserve(fabric.last().levels.size());
  for (const LevelChange& change : fabric.last().levels) {
    live.level_changes.push_back(
        {fabric.router_of_row(change.row).value, change.destination.value, change.before, change.after});
  }
}

bool known(const unknot_live* live, uint32_t router, uint32_t host) {
  return router < unknot_live_router_count(live) && host < unknot_live_host_count(live);
}

/// Of all hosts, what value_of(host) is at the switch.
template <class Value, class ValueOf>
int fill_row(unknot_live* live, uint32_t router, Value* row, const ValueOf& value_of) {
  return guarded(live->error, [&] {
    if (router >= unknot_live_router_count(live)) throw InputError("there is no such switch");
    for (uint32_t host = 0; host < unknot_live_host_count(live); ++host) row[host] = value_of(host);
  });
}

/// An event, and what it has changed, in this file's words.
template <class Apply>
int take(unknot_live* live, const Apply& apply) {
  const int code = guarded(live->error, apply);
  if (code == UNKNOT_LIVE_BAD_INPUT) return code;
  std::string ignored;
  const int listed = guarded(ignored, [&] { list_changes(*live); });
  return code == UNKNOT_LIVE_DONE ? listed : code;
}

}  // namespace

extern "C" {

unknot_live* unknot_live_open(const char* fabric, const unknot_live_options* options, char* error,
                              size_t error_size) {
  return open_with([&] { return read_fabric(fabric); }, options, error, error_size);
}

unknot_live* unknot_live_create(const uint64_t* router_guids, uint32_t router_count,
                                const unknot_live_link* links, size_t link_count,
                                const unknot_live_host* hosts, uint32_t host_count,
                                const unknot_live_options* options, char* error, size_t error_size) {
  return open_with(
      [&] { return network_of(router_guids, router_count, links, link_count, hosts, host_count); }, options,
      error, error_size);
}

unknot_live* unknot_live_open_lanes(const char* fabric, const unknot_live_lane_options* options, char* error,
                                    size_t error_size) {
  return open_with([&] { return read_fabric(fabric); }, options, error, error_size);
}

unknot_live* unknot_live_create_lanes(const uint64_t* router_guids, uint32_t router_count,
                                      const unknot_live_link* links, size_t link_count,
                                      const unknot_live_host* hosts, uint32_t host_count,
                                      const unknot_live_lane_options* options, char* error,
                                      size_t error_size) {
  return open_with(
      [&] { return network_of(router_guids, router_count, links, link_count, hosts, host_count); }, options,
      error, error_size);
}

void unknot_live_close(unknot_live* live) {
  delete live;
}

int unknot_live_cable(unknot_live* live, uint64_t router_guid, uint16_t port, int alive) {
  return guarded(live->error, [&] {
    const ChannelId c = live->fabric->find_channel(router_guid, port);
    if (!c.valid()) throw InputError("no cable to another switch is at that port");
    for (const ChannelId half : {c, live->fabric->network().reverse(c)}) {
      if (half.valid()) (alive != 0 ? live->next.back_channels : live->next.dead_channels).push_back(half);
    }
  });
}

int unknot_live_switch(unknot_live* live, uint64_t router_guid, int alive) {
  return guarded(live->error, [&] {
    const RouterId r = live->fabric->find_router(router_guid);
    if (!r.valid()) throw InputError("there is no switch of that GUID");
    (alive != 0 ? live->next.back_routers : live->next.dead_routers).push_back(r);
  });
}

int unknot_live_apply(unknot_live* live) {
  const int code = take(live, [&] { live->fabric->apply(live->next, live->quiet); });
  live->next = {};
  return code;
}

int unknot_live_events(unknot_live* live, const char* text, size_t length) {
  return take(live, [&] { live->fabric->apply_events({text, length}, "events", live->quiet); });
}

int unknot_live_cable_list(unknot_live* live, const char* text, size_t length) {
  return take(live, [&] { live->fabric->apply_cable_list({text, length}, "cable list", live->quiet); });
}

int unknot_live_make_anew(unknot_live* live) {
  return take(live, [&] { live->fabric->make_anew(live->quiet); });
}

const char* unknot_live_error(const unknot_live* live) {
  return live->error.c_str();
}

unknot_live_proof unknot_live_verdict(const unknot_live* live) {
  const LiveVerdict& verdict = live->fabric->verdict();
  return {verdict.proven() ? 1 : 0,  verdict.deadlock_free ? 1 : 0, verdict.pairs,
          verdict.delivered_pairs(), verdict.lost_pairs(),          verdict.disconnected_pairs,
          verdict.looping_pairs,     verdict.dependencies};
}

size_t unknot_live_change_count(const unknot_live* live) {
  return live->changes.size();
}

const unknot_live_entry* unknot_live_changes(const unknot_live* live) {
  return live->changes.data();
}

size_t unknot_live_level_change_count(const unknot_live* live) {
  return live->level_changes.size();
}

const unknot_live_level_change* unknot_live_level_changes(const unknot_live* live) {
  return live->level_changes.data();
}

int unknot_live_write_changes(unknot_live* live, const char* path) {
  return guarded(live->error, [&] { write_file(path, live->fabric->difference()); });
}

uint32_t unknot_live_router_count(const unknot_live* live) {
  return live->fabric->network().router_count();
}

uint32_t unknot_live_host_count(const unknot_live* live) {
  return live->fabric->network().terminal_count();
}

uint64_t unknot_live_router_guid(const unknot_live* live, uint32_t router) {
  return router < unknot_live_router_count(live) ? live->fabric->network().router_guid(RouterId(router)) : 0;
}

uint64_t unknot_live_host_guid(const unknot_live* live, uint32_t host) {
  return host < unknot_live_host_count(live) ? live->fabric->network().terminal_port_guid(TerminalId(host))
                                             : 0;
}

int unknot_live_router_alive(const unknot_live* live, uint32_t router) {
  return router < unknot_live_router_count(live) && live->fabric->live().alive(RouterId(router)) ? 1 : 0;
}

uint16_t unknot_live_port(const unknot_live* live, uint32_t router, uint32_t host) {
  if (!known(live, router, host)) return 0;
  const LiveFabricBase& fabric = *live->fabric;
  return fabric.port(RouterId(router), TerminalId(host), fabric.entry(RouterId(router), TerminalId(host)));
}

int unknot_live_row(unknot_live* live, uint32_t router, uint16_t* ports) {
  return fill_row(live, router, ports, [&](uint32_t host) { return unknot_live_port(live, router, host); });
}

uint32_t unknot_live_lanes(const unknot_live* live) {
  return live->fabric->lanes();
}

uint8_t unknot_live_level(const unknot_live* live, uint32_t router, uint32_t host) {
  return known(live, router, host) ? live->fabric->level(RouterId(router), TerminalId(host))
                                   : std::uint8_t{0};
}

int unknot_live_level_row(unknot_live* live, uint32_t router, uint8_t* levels) {
  return fill_row(live, router, levels, [&](uint32_t host) { return unknot_live_level(live, router, host); });
}

}  // extern "C"
