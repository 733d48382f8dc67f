// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Multi-layer full mesh (h,l,p)-MLFM: l layers of h + 1 local routers, layer by layer, then one global
/// router for each pair of columns, in lexicographic order, cabled to both columns in every layer. l = p = h
/// by default: h^3 + h^2 terminals on 3h(h+1)/2 routers of radix 2h. Local routers of one column have h
/// shortest paths, others one. [Fujitsu 2014; Kathareios et al. 2015, section 2.2.1]
Topology mlfm_topology();

}  // namespace unknot
