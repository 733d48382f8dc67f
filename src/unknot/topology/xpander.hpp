// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Xpander: a random lift of the complete graph of degree + 1 meta-nodes. Each is `lift` routers, and a
/// random perfect matching joins the routers of any two. Router i of meta-node m is number m lift + i. A draw
/// that is not connected is repeated. [Valadarsky, Shahaf, Dinitz, Schapira 2016]
Topology xpander_topology();

}  // namespace unknot
