// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/link_turns.hpp"

#include <gtest/gtest.h>
