// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// Declares --fail.
void add_fault_option(CLI::App& app, std::string& faults);

/// What the text of --fail names; its seed is that of the command where it has none of its own. Throws
/// InputError as parse_faults() does.
Faults read_faults(const Network& network, std::string faults, const Common& common);

/// The text of --fail with that seed, where it names anything random; as it is elsewhere.
std::string with_seed(std::string faults, const Common& common);

/// The network without what the text of --fail names, all of one piece. InputError where it is not.
Network without_failed(const Network& network, const std::string& faults, const Common& common);

/// load_fabric(), then without_failed() where `faults` is not empty.
Network load_fabric(const std::string& fabric, const std::string& faults, const Common& common);

/// "" where every terminal still reaches every other one; else one sentence: the parts, how many pairs are
/// cut off from each other, and one of them.
std::string disconnection_sentence(const Network& network);

/// Adds disconnected_pairs and, where there are such pairs, disconnection.
void add_disconnection(Json& document, const Network& network);
/// The same with fail before it.
void add_faults(Json& document, const std::string& faults, const Network& network);

}  // namespace unknot::cli
