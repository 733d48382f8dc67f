// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/combine/cost_model.hpp"
#include "unknot/collective/files/plan_reader.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

struct BandwidthInput {
  std::string goal = "steps";
  std::string capacity;            ///< cables, rates or stated; empty: CapacityUnit::automatic
  bool terminal_capacity = false;  ///< given
  std::string switches;            ///< what nodes that take no part do; empty: as a file says, else pass on
  std::string sizes;               ///< of the shares of groups, "1,4"; empty: as a file says, else 1
  bool bounds = false;             ///< the optimum alone, no trees
  bool translations = false;       ///< trees of one node stand for all
  std::uint64_t bytes = 0;         ///< of a message; 0: no size is known
  std::string cost;                ///< spec of a model
  std::uint64_t chunks = 0;        ///< that the data of a tree is divided into; 0: the best number

  [[nodiscard]] bool is_goal() const { return goal == "bandwidth"; }
  [[nodiscard]] bool is_front() const { return goal == "front"; }
};

void add_bandwidth_options(CLI::App& app, BandwidthInput& input);
/// "pass", or "copy" and "combine" with a comma between. InputError for other words.
SwitchPowers powers_of(const std::string& words);
/// "1,4". InputError for what is no list of whole numbers from 1 to kMostShareSize.
std::vector<std::uint32_t> sizes_of(const std::string& words);

/// The same with capacities as they count for bytes: by --capacity, terminals alone on a router as wide as
/// its links.
CollectiveInput with_capacities(CollectiveInput collective, const BandwidthInput& input);

/// What is asked for with --goal bandwidth.
struct BandwidthRequest {
  std::string collective;  ///< name of a row of combined_collectives()
  CollectiveRequest all;

  /// Each message has a receiver of its own: paths are made of it, of others trees.
  [[nodiscard]] bool is_exchange() const { return all.row->delivery == Delivery::scatter; }
};

/// What `head`, of a file, says holds where the command line says nothing, and errors in it name the file.
BandwidthRequest load_bandwidth_request(const std::string& fabric, const CollectiveInput& collective,
                                        const BandwidthInput& input, const Common& common,
                                        const PlanHead* head = nullptr, const std::string& file = "");

/// The model of --cost; a byte takes as long as a unit of capacity says where that is known and it does not.
CostModel cost_of(const BandwidthInput& input, const NodeGraph& graph);
std::string cost_text(const CostModel& model);
Json cost_json(const CostModel& model);

/// What reports begin with: names of lines and what they say.
using ReportLines = std::vector<std::pair<std::string, std::string>>;
void begin_report(const std::string& fabric, const BandwidthRequest& request, std::size_t nodes,
                  Json& document, ReportLines& lines);

}  // namespace unknot::cli
