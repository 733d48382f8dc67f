// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/whole_first.hpp"

#include <gtest/gtest.h>
