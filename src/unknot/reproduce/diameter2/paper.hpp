// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the experiments on the diameter-two paper share.
namespace unknot::diameter2_paper {

inline constexpr const char* kPaper =
    "Kathareios, Minkenberg, Prisacari, Rodriguez, Hoefler: Cost-Effective Diameter-Two Topologies: Analysis "
    "and "
    "Evaluation, SC 2015";

}  // namespace unknot::diameter2_paper
