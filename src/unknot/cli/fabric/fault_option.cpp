// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/fault_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

void add_fault_option(CLI::App& app, std::string& faults) {
  std::string text = "What has failed, as key=value,...:";
  for (const Parameter& parameter : fault_parameters()) text += "\n" + parameter_text(parameter);
  app.add_option("--fail", faults, text)->type_name("SPEC");
}

Faults read_faults(const Network& network, std::string faults, const Common& common) {
  return parse_faults(network, with_seed(std::move(faults), common));
}

std::string with_seed(std::string faults, const Common& common) {
  const auto has = [&](const char* key) { return faults.find(key) != std::string::npos; };
  if ((has("-count=") || has("-rate=")) && !has("seed=")) faults += fmt::format(",seed={}", common.seed);
  return faults;
}

Network without_failed(const Network& network, const std::string& faults, const Common& common) {
  Network rest = with_faults(network, read_faults(network, faults, common));
  const std::string parts = describe_disconnection(rest);
  if (!parts.empty()) throw InputError("--fail breaks the fabric apart: " + parts);
  return rest;
}

Network load_fabric(const std::string& fabric, const std::string& faults, const Common& common) {
  Network network = load_fabric(fabric);
  if (faults.empty()) return network;
  Network rest = without_failed(network, faults, common);
  require_terminals(rest, fmt::format("{} --fail {}", fabric, faults));
  return rest;
}

std::string disconnection_sentence(const Network& network) {
  const DisconnectedPairs pairs = disconnected_pairs(network);
  if (pairs.count == 0) return "";
  return fmt::format("{}: {} pairs have no path, for example {} to {}", describe_disconnection(network),
                     grouped(pairs.count), network.terminal_name(pairs.source),
                     network.terminal_name(pairs.destination));
}

void add_faults(Json& document, const std::string& faults, const Network& network) {
  document["fail"] = faults;
  add_disconnection(document, network);
}

void add_disconnection(Json& document, const Network& network) {
  document["disconnected_pairs"] = disconnected_pairs(network).count;
  if (const std::string text = disconnection_sentence(network); !text.empty()) {
    document["disconnection"] = text;
  }
}

}  // namespace unknot::cli
