// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/planning/channel_capacities.hpp"
#include "unknot/cli/planning/communication_input.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/place/core_order.hpp"
#include "unknot/place/host_shape.hpp"
#include "unknot/place/placement_measure.hpp"
#include "unknot/place/rank_files.hpp"
#include "unknot/place/search.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/temporary_file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/traffic/flow_file.hpp"

namespace unknot::cli {
namespace {

struct PlaceOptions {
  std::string fabric;
  RoutingSource source;
  CommunicationInput exchange;
  std::string hosts;
  std::uint32_t per_host = 0;  ///< 0: the cores where they are given, or one
  std::string cores;
  std::string capacity = "cables";
  std::string given;
  std::uint32_t starts = 4;
  double effort = 1;
  std::string output;
  std::string format = "openmpi-rankfile";
  std::string flows;
};

/// A placement, and what the load room says of it.
struct Measured {
  std::string name;
  place::PlacementMeasure measure;
  place::CoreMeasure cores;
};

/// Cores of the ranks of the placement found. Empty where no shape of the hosts is given.
struct Bound {
  place::HostShape shape;
  std::vector<std::uint32_t> core_of_rank;

  [[nodiscard]] bool known() const { return shape.count() > 0; }
};

struct Findings {
  place::Placed placed;
  std::vector<Measured> rows;  ///< in order, the one given where there is one, the one found
  std::vector<Flow> flows;     ///< of the one found
  Bound bound;
  double seconds = 0;
};

void place_check_options(const PlaceOptions& options, const Common& common) {
  if (options.source.by_engine() == options.source.from_tables())
    throw InputError("place: give --engine or --tables, one of them");
  check_engine(options.source);
  check_communication(options.exchange, "place");
  const place::RankFileFormat& format = place::find_rank_file_format(options.format);
  if (!options.cores.empty() && !options.output.empty() && !format.holds_cores) {
    throw InputError(
        fmt::format("place: format {} holds hosts and no cores; leave --cores out", format.name));
  }
  check_outputs({options.output, options.flows});
  if (common.json && (options.output == "-" || options.flows == "-"))
    throw InputError("place: --json and a file '-' cannot both have standard output");
}

place::Placement read_given(const PlaceOptions& options, const Network& network, const place::Places& places,
                            std::uint32_t ranks) {
  const std::vector<std::string> hosts = place::read_rank_file(read_file(options.given), options.given);
  if (hosts.size() != ranks) {
    throw InputError(fmt::format("{} has {} ranks, and {} of {} exchange something", options.given,
                                 hosts.size(), options.exchange.text(), ranks));
  }
  return in_file(options.given, [&] { return place::placement_on(network, places, hosts); });
}

Findings run(const PlaceOptions& options, const Common& common, const Network& network,
             const Routing& routing, const place::Places& places, const place::HostShape& shape,
             const CommunicationMatrix& sent, Progress& progress) {
  Findings found;
  found.bound.shape = shape;
  place::SearchOptions search;
  search.starts = options.starts;
  search.routes = static_cast<std::uint64_t>(static_cast<double>(search.routes) * options.effort);
  search.seed = common.seed;
  search.threads = common.threads;
  search.widths = link_widths(network, options.capacity);
  if (!options.given.empty()) search.given = read_given(options, network, places, sent.ranks);
  const Stopwatch time;
  found.placed = find_placement(network, routing, places, sent, search, progress);
  if (found.bound.known()) {
    found.bound.core_of_rank =
        place::order_cores(places, found.placed.placement, shape, sent, common.seed, common.threads);
  }
  found.seconds = time.seconds();
  const auto add = [&](const char* name, const place::Placement& placement,
                       const std::vector<std::uint32_t>& core_of_rank) {
    std::vector<Flow> flows = place::placed_flows(places, placement, sent);
    found.rows.push_back({name, place::measure_placement(network, routing, search.widths, flows), {}});
    if (found.bound.known())
      found.rows.back().cores = place::measure_cores(places, placement, shape, core_of_rank, sent);
    return flows;
  };
  const place::Placement in_order = place::in_order(sent.ranks);
  add("in order", in_order, place::cores_in_order(places, in_order));
  if (search.given) add("given", *search.given, place::cores_in_order(places, *search.given));
  found.flows = add("placed", found.placed.placement, found.bound.core_of_rank);
  return found;
}

std::vector<std::string> hosts_of(const Network& network, const place::Places& places,
                                  const place::Placement& placement) {
  std::vector<std::string> hosts;
  for (const std::uint32_t at : placement) hosts.push_back(place::host_name(network, places.terminal_of(at)));
  return hosts;
}

std::vector<place::CoreSlot> slots_of(const Bound& bound) {
  std::vector<place::CoreSlot> slots;
  for (const std::uint32_t core : bound.core_of_rank) {
    const place::HostShape::Core& at = bound.shape.cores[core];
    slots.push_back({at.socket, at.number});
  }
  return slots;
}

void place_write_outputs(const PlaceOptions& options, const Common& common, const Network& network,
                         const place::Places& places, const Findings& found) {
  FileGroup files;  // both appear, or none
  if (!options.output.empty()) {
    write_file(options.output,
               place::find_rank_file_format(options.format)
                   .write(hosts_of(network, places, found.placed.placement), slots_of(found.bound)));
  }
  if (!options.flows.empty()) {
    write_file(options.flows, flows_text(found.flows, fmt::format("{}, {}, placed", options.fabric,
                                                                  options.exchange.text())));
  }
  files.commit();
  const auto wrote = [&](const char* what, const std::string& path) {
    if (!path.empty() && path != "-") note(common, fmt::format("wrote {} to {}", what, path));
  };
  wrote("the hosts of ranks", options.output);
  wrote("the flows", options.flows);
}

/// How much less the busiest part carries than with the ranks in order: 1.5 for two thirds of it, infinite
/// where nothing is left to carry.
double gain(const Findings& found) {
  const double placed = found.rows.back().measure.busiest();
  const double in_order = found.rows.front().measure.busiest();
  if (placed == 0 && in_order == 0) return 1;
  return placed == 0 ? std::numeric_limits<double>::infinity() : in_order / placed;
}

std::string gain_text(const Findings& found) {
  const double times = gain(found);
  return std::isfinite(times) ? fmt::format("{:.2f} times less than in order", times)
                              : std::string("carries nothing any more: ranks that exchange share hosts");
}

Json place_json_report(const PlaceOptions& options, const Network& network, const place::Places& places,
                       const CommunicationMatrix& sent, const Findings& found) {
  Json document;
  add_fabric(document, options.fabric, network);
  document[options.source.by_engine() ? "engine" : "tables"] =
      options.source.by_engine() ? options.source.engine : options.source.input.tables;
  document["exchange"] = options.exchange.text();
  document["ranks"] = sent.ranks;
  document["hosts"] = places.hosts.size();
  document["per_host"] = places.per_host;
  Json rows = Json::array();
  for (const Measured& row : found.rows) {
    const place::PlacementMeasure& m = row.measure;
    rows.push_back({{"placement", row.name},
                    {"busiest_channel", m.busiest_channel},
                    {"channel", m.channel.valid() ? Json(network.channel_name(m.channel)) : Json()},
                    {"mean_channel", m.mean_channel},
                    {"busiest_cable", m.busiest_cable},
                    {"hop_bytes", m.hop_bytes},
                    {"bytes_between_hosts", m.between_hosts}});
    if (!found.bound.known()) continue;
    rows.back()["bytes_between_sockets"] = row.cores.sockets;
    rows.back()["bytes_between_caches"] = row.cores.caches;
    rows.back()["most_between_sockets"] = row.cores.most_sockets;
  }
  document["placements"] = std::move(rows);
  const double times = gain(found);
  document["gain"] = std::isfinite(times) ? Json(times) : Json();
  const place::PlacementBound& bound = found.placed.bound;
  document["capacity"] = options.capacity;
  document["lower_bound"] = bound.load();
  document["lower_bound_cables"] = bound.cables;
  document["lower_bound_channels"] = bound.channels;
  document["lower_bound_cuts"] = bound.cuts.load;
  document["lower_bound_parts"] = bound.cuts.parts;
  Json attempts = Json::array();
  for (const place::Attempt& attempt : found.placed.attempts) {
    attempts.push_back(
        {{"start", attempt.start}, {"before", attempt.before.busiest}, {"after", attempt.after.busiest}});
  }
  document["attempts"] = std::move(attempts);
  document["best_attempt"] = found.placed.best;
  document["seconds"] = found.seconds;
  document["host_of_rank"] = hosts_of(network, places, found.placed.placement);
  for (const place::CoreSlot& slot : slots_of(found.bound)) {
    document["socket_of_rank"].push_back(slot.socket);
    document["core_of_rank"].push_back(slot.core);
  }
  return document;
}

std::string bytes_text(double bytes) {
  return grouped(static_cast<std::uint64_t>(std::round(bytes)));
}

std::string bound_text(const Findings& found) {
  constexpr double kAlike = 1 - 1e-9;  // what cut_bound() leaves out for rounding, and a little more
  const place::PlacementBound& bound = found.placed.bound;
  std::string where = "spread over all channels";
  if (bound.load() == bound.cables) {
    where = "on the cable of a host";
  } else if (bound.load() == bound.cuts.load) {
    where = fmt::format("across a cut in {} parts", bound.cuts.parts);
  }
  return fmt::format(
      "{} bytes, {}{}", bytes_text(bound.load()), where,
      found.rows.back().measure.busiest() * kAlike * kAlike <= bound.load() ? ": reached" : "");
}

std::string place_text_report(const PlaceOptions& options, const Network& network,
                              const place::Places& places, const CommunicationMatrix& sent,
                              const Findings& found) {
  std::string text = fabric_line(options.fabric, network) + "\n";
  text += key_values(
      {{"ranks", fmt::format("{}, {}", grouped(sent.ranks), options.exchange.text())},
       {"hosts", fmt::format("{}, {} {} each", grouped(places.hosts.size()), places.per_host,
                             places.per_host == 1 ? "place" : "places")},
       {"routing", options.source.by_engine() ? options.source.engine : options.source.input.tables},
       {"busiest part", gain_text(found)},
       {"lower bound", bound_text(found)},
       {"placed in", duration(found.seconds)}});
  TextTable table({{"bytes", Align::left},
                   {"busiest channel"},
                   {"mean channel"},
                   {"busiest cable"},
                   {"bytes x hops"},
                   {"busiest", Align::left}});
  for (const Measured& row : found.rows) {
    const place::PlacementMeasure& m = row.measure;
    table.add({row.name, bytes_text(m.busiest_channel), bytes_text(m.mean_channel),
               bytes_text(m.busiest_cable), bytes_text(m.hop_bytes),
               m.channel.valid() ? network.channel_name(m.channel) : "-"});
  }
  text += "\n" + table.text();
  if (found.bound.known()) {
    TextTable cores(
        {{"bytes on hosts", Align::left}, {"between sockets"}, {"of one host"}, {"between caches"}});
    for (const Measured& row : found.rows) {
      cores.add(
          {row.name, grouped(row.cores.sockets), grouped(row.cores.most_sockets), grouped(row.cores.caches)});
    }
    text += "\n" + cores.text();
  }
  TextTable searches({{"search from", Align::left}, {"busiest at first"}, {"at the end"}, {"", Align::left}});
  for (std::size_t i = 0; i < found.placed.attempts.size(); ++i) {
    const place::Attempt& attempt = found.placed.attempts[i];
    searches.add({attempt.start, bytes_text(attempt.before.busiest), bytes_text(attempt.after.busiest),
                  i == found.placed.best ? "taken" : ""});
  }
  return text + "\n" + searches.text();
}

/// Cores of every host; none where they are not given.
place::HostShape host_shape(const PlaceOptions& options) {
  if (options.cores.empty()) return {};
  place::HostShape shape = place::is_host_shape(options.cores)
                               ? place::parse_host_shape(options.cores)
                               : place::read_host_shape(read_file(options.cores), options.cores);
  if (options.per_host > shape.count()) {
    throw InputError(fmt::format("place: --per-host {} is more than the {} cores of a host", options.per_host,
                                 shape.count()));
  }
  return shape;
}

Answer place_command(const PlaceOptions& options, const Common& common) {
  place_check_options(options, common);
  const place::HostShape shape = host_shape(options);
  const Network network = load_fabric(options.fabric);
  const std::uint32_t per_host = options.per_host > 0 ? options.per_host : std::max(1U, shape.count());
  const place::Places places = place::find_places(network, options.hosts, per_host);
  const CommunicationMatrix sent = read_communication(options.exchange, network, places.count(), common);
  Findings found;
  {
    ProgressBar bar(common);
    const Routing routing = routing_from(network, options.source, common, bar);
    found = run(options, common, network, routing, places, shape, sent, bar);
  }
  place_write_outputs(options, common, network, places, found);
  if (common.json) {
    return {kYes, place_json_report(options, network, places, sent, found), {}};
  }
  if (options.output != "-" && options.flows != "-") {
    return {kYes, {}, place_text_report(options, network, places, sent, found)};
  }
  return {kYes};
}

Action declare_place(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<PlaceOptions>();
  add_fabric_argument(app, options->fabric);
  add_table_source(app, options->source);
  add_addresses(app, options->source);
  add_communication_options(app, options->exchange);
  app.add_option("--hosts", options->hosts,
                 "Hosts to place ranks on, by name or host list as in SLURM_JOB_NODELIST; a number is a "
                 "router's, with all of its hosts (default: all)")
      ->type_name("LIST");
  app.add_option("--per-host", options->per_host,
                 "Ranks that a host takes at most (default: one for each of its --cores, or one)")
      ->check(whole_number(1, 65'536))
      ->type_name("N");
  app.add_option("--cores", options->cores,
                 "Cores of every host, as sockets x cores or sockets x caches x cores (2x4x8), or a file of "
                 "lstopo --of xml: ranks of a host get cores, too")
      ->type_name("SHAPE");
  app.add_option(
         "--capacity", options->capacity,
         "What links carry counts by cables (all alike), by rates or as the fabric states it; loads are "
         "bytes over that, 1 being the widest cable of a host")
      ->check(CLI::IsMember({"cables", "rates", "stated"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--from", options->given,
                 "A placement to begin from and to compare with, in any format that is written")
      ->type_name("FILE");
  app.add_option("--starts", options->starts, "Placements that the search begins from")
      ->check(whole_number(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--effort", options->effort, "How long to search: 0 not at all, 10 ten times as long")
      ->check(number_between(0.0, 1e6))
      ->type_name("X")
      ->capture_default_str();
  std::string formats;
  for (const place::RankFileFormat& row : place::rank_file_formats())
    formats += (formats.empty() ? "" : ", ") + row.name;
  app.add_option("--output,-o", options->output, "Write the host of each rank to FILE, - for standard output")
      ->type_name("FILE");
  app.add_option("--format", options->format, fmt::format("Format of that file: {}", formats))
      ->capture_default_str();
  app.add_option("--flows", options->flows,
                 "Write the flows between terminals, for --pattern file:FILE of other commands")
      ->type_name("FILE");
  return [options, &common] { return place_command(*options, common); };
}

}  // namespace

Command place_row() {
  return {
      .name = "place",
      .summary = "Places ranks on hosts so that the busiest channel carries as little as can be found",
      .details =
          R"(Loads are those of the tables in force: bytes of all pairs of ranks whose route takes a channel, terminals' cables
included. Scotch's mapping and the ranks in order are where the search begins; what is found is measured again by
the code that measures any flows, and is never worse than the ranks in order. See docs/placement.md.

--json: placements [{placement, busiest_channel, mean_channel, busiest_cable, hop_bytes}], gain, lower_bound,
attempts [{start, before, after}], host_of_rank. Exit code 0: done.)",
      .examples = {"unknot place torus:4x4 --engine dfsssp --stencil 4x4:periodic --effort 0.01 -o ranks",
                   "unknot place torus:4x4 --engine dfsssp --stencil 4x4:periodic --effort 0 --from ranks "
                   "--flows flows",
                   "unknot bound torus:4x4 --engine dfsssp --pattern file:flows"},
      .declare = declare_place};
}

}  // namespace unknot::cli
