// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/shell_word.hpp"

#include <gtest/gtest.h>

namespace unknot {
namespace {

TEST(ShellWord, IsQuotedWhereAShellWouldTakeItApart) {
  EXPECT_EQ(shell_word("torus:4x4,p=2"), "torus:4x4,p=2");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_quoted("plain"), "'plain'");
}

}  // namespace
}  // namespace unknot
