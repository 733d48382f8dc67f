// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/collective/combine/combining_catalogue.hpp"

namespace unknot {

/// Ways to carry out a collective of several groups (joined_groups()) that each group has by itself: every
/// group's schedule is made alone, and of the k-th steps as many are made one as find paths together, halves
/// of the groups after each other where they do not. make() also throws InputError where groups of unlike
/// sizes divide messages into unlike pieces. Of a problem of one group none.
std::vector<CombiningChoice> grouped_choices(const CombinedProblem& problem);

}  // namespace unknot
