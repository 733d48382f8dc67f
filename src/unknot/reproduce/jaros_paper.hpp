// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the experiments on the thesis about collective communications share.
namespace unknot::jaros_paper {

inline constexpr const char* kThesis =
    "Jaros: Evolutionary Design of Collective Communications on Wormhole Networks, doctoral thesis, Brno "
    "University of Technology, 2010";

}  // namespace unknot::jaros_paper
