// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulated_routing.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/simulate/plan/two_orders.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/tables/further_addresses.hpp"

namespace unknot::cli {
namespace {

using simulate::AdaptiveChoice;
using simulate::RoutePlan;
using simulate::Ugal;

constexpr const char* kTwoOrders = "o1turn";

const std::vector<Parameter>& ugal_parameters() {
  static const std::vector<Parameter> rows = {
      {.name = "indirect",
       .help = "indirect paths that are looked at for each packet (n_I)",
       .fallback = "4",
       .min = 1,
       .max = 1000},
      {.name = "penalty",
       .kind = ParameterKind::real,
       .help = "of indirect paths (c, or c_SF)",
       .fallback = "2",
       .min = 0,
       .max = 1e6},
      {.name = "by_length",
       .kind = ParameterKind::flag,
       .help = "the lengths of both paths count, too (Slim Fly)",
       .fallback = "0"},
      {.name = "threshold",
       .kind = ParameterKind::real,
       .help = "share of the buffer up to which packets go minimally (T)",
       .fallback = "0",
       .min = 0,
       .max = 1},
      {.name = "global",
       .kind = ParameterKind::flag,
       .help = "the fullest queue along the whole path counts, at whatever router (UGAL-G)",
       .fallback = "0"},
      {.name = "progressive",
       .help = "routers after the first at which a packet that goes minimally is weighed again (1: PAR)",
       .fallback = "0",
       .min = 0,
       .max = 8}};
  return rows;
}

const std::vector<Parameter>& order_parameters() {
  static const std::vector<Parameter> rows = {
      {.name = "adaptive",
       .kind = ParameterKind::flag,
       .help = "of both orders the one with the least behind its first output, of equals by chance",
       .fallback = "0"}};
  return rows;
}

bool two_orders_asked(const std::string& paths) {
  return split_spec(paths).name == kTwoOrders;
}

AdaptiveChoice parse_paths(const std::string& spec) {
  AdaptiveChoice choice;
  const auto [name, values] = split_spec(spec);
  if (name == "ugal") {
    const Parameters parameters = parse_parameters("paths ugal", ugal_parameters(), values);
    choice.kind = RoutePlan::Kind::ugal;
    choice.ugal.indirect = parameters.number32("indirect");
    choice.ugal.penalty = parameters.real("penalty");
    choice.ugal.by_length = parameters.flag("by_length");
    choice.ugal.threshold = parameters.real("threshold");
    choice.ugal.global = parameters.flag("global");
    choice.ugal.progressive = parameters.number32("progressive");
    return choice;
  }
  if (name == kTwoOrders) {
    (void)parse_parameters("paths o1turn", order_parameters(), values);
    return choice;
  }
  if (name == "minimal" || name == "romm") {
    choice.kind = RoutePlan::Kind::minimal;
    choice.within = name == "romm";
  } else if (name == "valiant") {
    choice.kind = RoutePlan::Kind::valiant;
  } else {
    throw InputError(
        fmt::format("there are no paths '{}'; {}", name,
                    near_or_all_names(name, {"minimal", "romm", "valiant", "ugal", kTwoOrders})));
  }
  if (name.size() != spec.size())
    throw InputError(fmt::format("paths {} take no parameters, not '{}'", name, values));
  return choice;
}

std::string scheme_of(const SimulatedRouting& options) {
  return options.lane_scheme.empty() ? AdaptiveChoice().lane_scheme : options.lane_scheme;
}

void require_intermediates(const Network& network, const AdaptiveChoice& choice) {
  if (choice.kind == RoutePlan::Kind::minimal) return;
  std::uint32_t with_terminals = 0;
  for (const RouterId r : network.routers()) with_terminals += network.terminals_at(r).empty() ? 0 : 1;
  if (with_terminals < 3) {
    throw InputError(
        fmt::format("{}: paths by way of an intermediate router need three routers with terminals, and there "
                    "are {}",
                    network.description(), with_terminals));
  }
}

PlannedRouting plan_on_scheme(const Network& network, const SimulatedRouting& options, const Common& common,
                              Progress& progress) {
  AdaptiveChoice choice = parse_paths(options.paths);
  choice.lane_scheme = scheme_of(options);
  require_intermediates(network, choice);
  PlannedRouting routing;
  routing.words =
      fmt::format("paths {}, lanes by {}", options.paths,
                  choice.lane_scheme == "any" ? "chance, any that is free" : "scheme " + choice.lane_scheme);
  routing.plan = simulate::plan_paths(network, choice, common.threads);
  if (!options.no_proof) routing.proof = simulate::prove_lanes(network, choice, common.threads, progress);
  return routing;
}

const std::vector<std::pair<std::string, simulate::AddressChoice>>& address_choices() {
  using simulate::AddressChoice;
  static const std::vector<std::pair<std::string, AddressChoice>> choices = {
      {"random", AddressChoice::random},
      {"turn", AddressChoice::turn},
      {"flow", AddressChoice::flow},
      {"least", AddressChoice::least}};
  return choices;
}

simulate::AddressChoice address_choice(const std::string& wanted) {
  for (const auto& [name, choice] : address_choices()) {
    if (name == wanted) return choice;
  }
  return address_choices().front().second;  // the option takes no other word
}

/// The plan of tables with several addresses of a terminal, all of them in use.
PlannedRouting plan_addresses(const Network& network, const Routing& made, const SimulatedRouting& options,
                              const std::string& words, bool any_lane, const Common& common,
                              Progress& progress) {
  if (made.further.empty())
    throw InputError("simulate: --address is about several addresses of a host, and these tables have one");
  PlannedRouting routing;
  const OnEveryAddress all = on_every_address(network, made);
  const std::size_t addresses = made.further.size() + 1;
  routing.words = fmt::format("{}, {} addresses of a host taken by {}", words, addresses, options.address);
  if (!options.no_proof)
    routing.proof = simulate::prove_lanes(all.network, all.routing, any_lane, common.threads, progress);
  routing.plan = simulate::plan_routing(all.network, all.routing, any_lane);
  routing.plan.hosts = std::make_shared<const Network>(network);
  routing.plan.address = address_choice(options.address);
  return routing;
}

PlannedRouting plan_two_orders(const Network& network, const SimulatedRouting& options, const Common& common,
                               Progress& progress) {
  const bool adaptive =
      parse_parameters("paths o1turn", order_parameters(), split_spec(options.paths).parameters)
          .flag("adaptive");
  PlannedRouting routing =
      plan_addresses(network, simulate::two_orders(network), options,
                     fmt::format("paths {}, a lane for each order", options.paths), false, common, progress);
  if (adaptive) routing.plan.address = simulate::AddressChoice::queues;
  return routing;
}

PlannedRouting plan_tables(const Network& network, const SimulatedRouting& options,
                           const simulate::Settings& settings, const Common& common, Progress& progress) {
  const bool any_lane = options.lane_scheme == "any";
  Routing made;
  PlannedRouting routing;
  if (options.source.by_engine()) {
    RoutingSource source = options.source;
    if (options.lanes_given->count() == 0 && settings.vcs > 0 && !any_lane)
      source.virtual_lanes = std::min<std::uint32_t>(settings.vcs, kMaxLanes);
    made = route_by_engine(network, source, common, progress);
    routing.words = "engine " + source.engine;
  } else {
    made = read_routing(network, options.source.input);
    if (const std::uint32_t lanes = lanes_in_use(network, made); !any_lane && lanes > made.data_lanes) {
      throw InputError(fmt::format("{}: paths travel on lanes up to {}, and only {} are there for data",
                                   options.source.input.tables, lanes - 1, made.data_lanes));
    }
    routing.words = "tables " + options.source.input.tables;
    if (options.management) routing.words += ", with what routers send and are sent";
    if (const MissingMembers missing = read_multicast(network, network, made, options.multicast);
        missing.count > 0)
      throw InputError("simulate: " + missing.named.front());
  }
  if (any_lane) routing.words += ", any lane that is free";
  if (options.source.lmc > 0 || options.address_given->count() > 0) {
    return plan_addresses(network, made, options, routing.words, any_lane, common, progress);
  }
  if (made.multicast) {
    for (const MulticastGroup& group : made.multicast->groups)
      made.virtual_lanes = std::max(made.virtual_lanes, group.level() + 1U);
  }
  routing.plan = simulate::plan_routing(network, made, any_lane);
  if (made.multicast) {
    routing.plan.multicast =
        simulate::plan_groups(network, routing.plan.ports, *made.multicast, options.multicast_share);
    routing.words += fmt::format(", {} multicast group{}", made.multicast->groups.size(),
                                 made.multicast->groups.size() == 1 ? "" : "s");
  }
  if (!options.no_proof)
    routing.proof = simulate::prove_lanes(network, made, any_lane, common.threads, progress);
  return routing;
}

PlannedRouting plan_adaptive_files(const Network& stated, const SimulatedRouting& options,
                                   const Common& common, Progress& progress) {
  // Each LID of a host has entries of its own.
  const std::uint32_t lmc = stated.labels().lmc;
  const Network network = lmc > 0 ? addressed_network(stated, lmc) : stated;
  const AdaptiveRouting made = read_adaptive(network, options.adaptive);
  PlannedRouting routing;
  routing.words = fmt::format("adaptive {}{}", fmt::join(options.adaptive, ","),
                              options.committed ? ", a packet that waits keeps to its port" : "");
  if (!options.no_proof)
    routing.proof = simulate::prove_lanes(network, made, options.committed, common.threads, progress);
  routing.plan = simulate::plan_adaptive(network, made, options.committed);
  if (lmc > 0) {
    routing.words += fmt::format(", {} addresses of a host taken by {}", 1U << lmc, options.address);
    routing.plan.hosts = std::make_shared<const Network>(stated);
    routing.plan.address = address_choice(options.address);
  }
  return routing;
}

}  // namespace

void add_simulated_routing(CLI::App& app, SimulatedRouting& options) {
  add_routing_source(app, options.source);
  CLI::Option* lanes = app.get_option("--vls");
  lanes->description(
      "Virtual lanes for the engine to use (default: the vcs of the settings, 8 where they are 0)");
  lanes->default_str("");
  options.lanes_given = lanes;
  app.add_option(
         "--paths", options.paths,
         "Instead of tables: any shortest path (minimal), by way of a random router on one (romm), by way of "
         "a random router (valiant), one of two dimension orders by chance (o1turn, or by the "
         "local queues: o1turn:adaptive=1), or minimal or valiant by the local queues (ugal, or "
         "ugal:indirect=4,penalty=2,by_length=0,threshold=0,global=0,progressive=0)")
      ->type_name("minimal|romm|valiant|ugal|o1turn");
  CLI::Option* adaptive =
      app.add_option(
             "--adaptive", options.adaptive,
             "Instead of tables: an adaptive routing, its files joined by commas, as verify takes it. "
             "Of the ports that a packet may take it takes the one with least behind it")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->type_name("FILE,...");
  app.add_flag("--committed", options.committed,
               "A packet that waits keeps to the port that it has chosen, else it may still take another")
      ->needs(adaptive);
  app.add_option("--lane-scheme", options.lane_scheme,
                 fmt::format("Lane of each hop with --paths, as NAME or NAME:key=value; one of {} (default "
                             "hop). any, for tables as well: whichever lane is free",
                             row_names("lane-schemes")))
      ->type_name("NAME");
  add_lmc(app, options.source);
  std::vector<std::string> choices;
  for (const auto& [name, choice] : address_choices()) choices.push_back(name);
  options.address = choices.front();
  options.address_given =
      app.add_option(
             "--address", options.address,
             "With --lmc, or --tables to several LIDs of a host: which of them a packet goes to: any "
             "(random), one after the other (turn), the same for a pair (flow), or that with the fewest "
             "of the sender's packets on the way (least). Tables alone: the lowest")
          ->check(CLI::IsMember(choices))
          ->type_name("NAME");
  app.add_flag("--no-proof", options.no_proof, "Do not prove the lanes deadlock-free first");
  app.add_flag("--management", options.management,
               "With --tables that have rows to switches: routers send and receive as terminals do");
  add_multicast_input(app, options.multicast);
  options.share_given =
      app.add_option("--multicast-share", options.multicast_share,
                     "With --multicast: part of the packets of a terminal that go to groups")
          ->check(number_between(0, 1))
          ->type_name("X")
          ->capture_default_str();
}

void check_paths(const std::string& spec) {
  (void)parse_paths(spec);
}

void check_lane_scheme(const std::string& scheme) {
  if (scheme != "any") (void)find_lane_scheme(split_spec(scheme).name);
}

void check_simulated_groups(const SimulatedRouting& options) {
  require_multicast(options.multicast, "simulate");
  if (options.share_given->count() > 0 && !options.multicast.wanted())
    throw InputError("simulate: --multicast-share is about --multicast, which is missing");
}

void check_simulated_routing(const SimulatedRouting& options) {
  const int asked = (options.paths.empty() ? 0 : 1) + (options.source.by_engine() ? 1 : 0) +
                    (options.source.from_tables() ? 1 : 0) + (options.adaptive.empty() ? 0 : 1);
  if (asked != 1) throw InputError("simulate: give --engine, --tables, --adaptive or --paths, one of them");
  if (!options.adaptive.empty() && !options.lane_scheme.empty())
    throw InputError("simulate: an adaptive routing brings its own lanes; it goes without --lane-scheme");
  check_engine(options.source);
  if (options.address_given->count() > 0 && options.source.lmc == 0 && !options.source.from_tables() &&
      options.adaptive.empty())
    throw InputError("simulate: --address is for --lmc, or --tables to several LIDs of a host");
  if (options.address_given->count() > 0 && (options.management || options.multicast.wanted()))
    throw InputError("simulate: --address goes without --management and --multicast");
  if (!options.source.from_tables() && (options.management || options.multicast.wanted()))
    throw InputError("simulate: --management and --multicast are for --tables");
  if (options.paths.empty()) {
    if (!options.lane_scheme.empty() && options.lane_scheme != "any") {
      throw InputError(
          fmt::format("simulate: tables bring their own lanes; with them --lane-scheme is any, not '{}'",
                      options.lane_scheme));
    }
    return;
  }
  check_paths(options.paths);
  if (two_orders_asked(options.paths) && !options.lane_scheme.empty())
    throw InputError("simulate: --paths o1turn has a lane for each order; it goes without --lane-scheme");
  check_lane_scheme(scheme_of(options));
}

PlannedRouting plan_simulated_routing(const Network& network, const SimulatedRouting& options,
                                      const simulate::Settings& settings, const Common& common,
                                      Progress& progress) {
  if (!options.adaptive.empty()) return plan_adaptive_files(network, options, common, progress);
  if (two_orders_asked(options.paths)) return plan_two_orders(network, options, common, progress);
  return options.paths.empty() ? plan_tables(network, options, settings, common, progress)
                               : plan_on_scheme(network, options, common, progress);
}

void add_simulated_routing(Json& document, const SimulatedRouting& options, const PlannedRouting& routing) {
  if (!options.adaptive.empty()) {
    document["adaptive"] = options.adaptive;
    document["committed"] = options.committed;
  } else if (!options.paths.empty()) {
    document["paths"] = options.paths;
    if (!two_orders_asked(options.paths)) document["lane_scheme"] = scheme_of(options);
    if (routing.plan.kind == RoutePlan::Kind::ugal) {
      const Ugal& ugal = routing.plan.ugal;
      document["ugal"] = {{"indirect", ugal.indirect},
                          {"penalty", ugal.penalty},
                          {"by_length", ugal.by_length},
                          {"threshold", ugal.threshold}};
      if (ugal.global) document["ugal"]["global"] = true;
      if (ugal.progressive > 0) document["ugal"]["progressive"] = ugal.progressive;
    }
  } else {
    if (options.source.by_engine()) {
      document["engine"] = options.source.engine;
    } else {
      document["tables"] = options.source.input.tables;
    }
    document["lane_scheme"] = options.lane_scheme.empty() ? "tables" : options.lane_scheme;
  }
  if (routing.plan.hosts) {
    document["addresses"] = routing.plan.network.terminal_count() / routing.plan.hosts->terminal_count();
    document["address"] =
        routing.plan.address == simulate::AddressChoice::queues ? "queues" : options.address;
  }
  if (options.management) document["management"] = true;
  if (options.multicast.wanted()) {
    document["multicast"] = {{"tables", options.multicast.tables},
                             {"groups", routing.plan.multicast.groups.size()},
                             {"share", options.multicast_share}};
  }
  document["virtual_lanes"] = routing.plan.lanes_needed;
  document["proven_deadlock_free"] = routing.proof ? Json(routing.proof->deadlock_free) : Json();
  document["proof"] = routing.proof ? Json(routing.proof->statement) : Json();
  if (routing.proof && !routing.proof->witness.empty()) document["proof_witness"] = routing.proof->witness;
  if (routing.proof) document["unroutable_pairs"] = routing.proof->unroutable_pairs;
}

}  // namespace unknot::cli
