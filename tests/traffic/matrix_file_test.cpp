// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/matrix_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "refusal.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

CommunicationMatrix parse(const std::string& text) {
  return parse_matrix(text, "matrix", 4);
}

std::string matrix_file_refusal(const std::string& text) {
  return refusal([&] { (void)parse(text); });
}

TEST(MatrixFile, ReadsBlanksCommasExponentsAndComments) {
  const CommunicationMatrix matrix = parse("# ranks\n\n0, 10 ,0\r\n1.5e1\t0.000e+00 2 # two\n 0,0,0 \n");
  EXPECT_EQ(matrix.ranks, 3U);
  EXPECT_THAT(matrix.first, ElementsAre(0, 1, 3, 3));
  using Entry = CommunicationMatrix::Entry;
  EXPECT_THAT(matrix.entries, ElementsAre(Entry{1, 10}, Entry{0, 15}, Entry{2, 2}));
}

TEST(MatrixFile, RefusesEverythingElseWithOneSentence) {
  EXPECT_THAT(matrix_file_refusal(""), StartsWith("matrix: no matrix"));
  EXPECT_THAT(matrix_file_refusal("0\n"), HasSubstr("nothing but zeros"));
  EXPECT_THAT(matrix_file_refusal("0 0\n0 0\n"), HasSubstr("nothing but zeros"));
  EXPECT_THAT(matrix_file_refusal("0 1\n"), StartsWith("matrix: expected 2 lines of numbers"));
  EXPECT_THAT(matrix_file_refusal("0 1\n1 0\n0 0\n"), StartsWith("matrix:3: expected 2 lines"));
  EXPECT_THAT(matrix_file_refusal("0 1\n1\n"), StartsWith("matrix:2: expected 2 numbers"));
  EXPECT_THAT(matrix_file_refusal("0 1\n1 0 0\n"), StartsWith("matrix:2: expected 2 numbers"));
  EXPECT_THAT(matrix_file_refusal("0 0 0 0 1\n"),
              StartsWith("matrix:1: more ranks than the network's 4 terminals"));
  EXPECT_THAT(matrix_file_refusal("0 1\n1 2\n"), StartsWith("matrix:2: rank 1 sends to itself"));
  EXPECT_THAT(matrix_file_refusal("0 1,\n1 0\n"), HasSubstr("behind the last comma"));
  EXPECT_THAT(matrix_file_refusal("0,,1\n1 0\n"), HasSubstr("not ''"));
  for (const char* bytes :
       {"-1", "1.5", "nan", "inf", "x", "1e300", "281474976710657", "1e", "0x10", "1e999"})
    EXPECT_THAT(matrix_file_refusal("0 " + std::string(bytes) + "\n0 0\n"),
                StartsWith("matrix:1: expected a whole number of bytes"))
        << bytes;
  EXPECT_THAT(matrix_file_refusal(std::string("0 1\n\0", 5)), StartsWith("matrix"));
}

TEST(MatrixFile, RefusesMoreBytesThanCanBeCounted) {
  std::string text;
  for (int row = 0; row < 300; ++row) {
    for (int column = 0; column < 300; ++column) text += row == column ? "0 " : "281474976710656 ";
    text += '\n';
  }
  try {
    (void)parse_matrix(text, "matrix", 300);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith("matrix:220: the messages up to here have 2^64 bytes or more"));
  }
}

TEST(MatrixFile, DamagedTextsAreReadOrRefusedNeverWorse) {
  testing::for_damaged_texts("0 1 2\n3,0, 4 # end\n5.0e0 6 0\n", "0 1\n.#,-e9", [](const std::string& text) {
    try {
      const CommunicationMatrix matrix = parse(text);
      EXPECT_EQ(parse_matrix(matrix_text(matrix), "again", matrix.ranks), matrix) << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("matrix")) << text;
    }
  });
}

TEST(MatrixFile, WhatIsWrittenComesBack) {
  Random random(3);
  for (std::uint32_t ranks = 2; ranks < 20; ++ranks) {
    CommunicationMatrix matrix;
    matrix.ranks = ranks;
    for (std::uint32_t row = 0; row < ranks; ++row) {
      for (std::uint32_t column = 0; column < ranks; ++column) {
        if (row != column && (row == 0 || random.below(2) == 0))
          matrix.entries.push_back({column, 1 + (random.next64() >> 16U)});
      }
      matrix.first.push_back(matrix.entries.size());
    }
    EXPECT_EQ(parse_matrix(matrix_text(matrix), "again", ranks), matrix);
  }
}

}  // namespace
}  // namespace unknot
