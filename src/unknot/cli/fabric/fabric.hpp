// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Declares the FABRIC argument that every command on a network has.
void add_fabric_argument(CLI::App& app, std::string& fabric);

/// Network of a spec or a file. Throws InputError, naming the parts, where terminals cannot all reach each
/// other: routes, loads and distances have no meaning then, nor where there are no terminals at all.
Network load_fabric(const std::string& fabric);
/// The same for commands that look at routers and cables alone: there may be no terminals.
Network load_routers(const std::string& fabric);
/// The InputError of load_fabric() where there are no terminals.
void require_terminals(const Network& network, const std::string& fabric);

/// Adds fabric, routers, terminals and channels to a document.
void add_fabric(Json& document, const std::string& fabric, const Network& network);
/// "torus:4x4: 16 routers, 16 terminals, 64 channels\n".
std::string fabric_line(const std::string& fabric, const Network& network);

}  // namespace unknot::cli
