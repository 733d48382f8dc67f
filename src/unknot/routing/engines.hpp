// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/routing/catalogue.hpp"

namespace unknot {

/// Rows of the catalogue, one for each engine's file.
Engine unknot_engine();
Engine minhop_engine();
Engine updn_engine();
Engine dnup_engine();
Engine dor_engine();
Engine ftree_engine();
Engine lash_engine();
Engine sssp_engine();
Engine dfsssp_engine();
Engine dfsssp_online_engine();
Engine nue_engine();
Engine exact_engine();
Engine angara_bfs_engine();
Engine angara_genetic_engine();
Engine angara_sssp_engine();
Engine angara_opt_engine();

}  // namespace unknot
