// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/nas_kernels.hpp"

#include <gmock/gmock.h>

#include <map>
#include <vector>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using Row = std::map<std::uint32_t, std::uint64_t>;

Row row_of(const CommunicationMatrix& matrix, std::uint32_t rank) {
  Row row;
  for (std::uint64_t e = matrix.first[rank]; e < matrix.first[rank + 1]; ++e)
    row[matrix.entries[e].column] = matrix.entries[e].bytes;
  return row;
}

std::uint64_t total(const CommunicationMatrix& matrix) {
  std::uint64_t bytes = 0;
  for (const auto& entry : matrix.entries) bytes += entry.bytes;
  return bytes;
}

// What a rank gets from another it sends back to it, in every kernel, class and number of ranks.
TEST(NasKernels, ExchangeAsMuchInBothDirections) {
  for (const NasKernel& kernel : nas_kernels()) {
    for (const char nas_class : {'S', 'B', 'C'}) {
      for (const std::uint32_t ranks : {2U, 4U, 8U, 32U}) {
        if (kernel.name == "lu" && nas_class == 'S' && ranks > 32) continue;
        const CommunicationMatrix matrix = nas_matrix(kernel.name, nas_class, ranks);
        ASSERT_EQ(matrix.ranks, ranks);
        EXPECT_GT(total(matrix), 0U);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          for (const auto& [to, bytes] : row_of(matrix, rank))
            EXPECT_EQ(row_of(matrix, to)[rank], bytes) << kernel.name << " " << nas_class << " " << ranks;
        }
      }
    }
  }
}

TEST(NasKernels, SendAllToAllWhatTheGridAndTheKeysHold) {
  EXPECT_EQ(row_of(nas_matrix("ft", 'C', 128), 5).size(), 127U);
  EXPECT_EQ(row_of(nas_matrix("ft", 'C', 128), 5)[7], 131072U);
  // all of the grid but what stays with its rank: 16 bytes a point
  EXPECT_EQ(total(nas_matrix("ft", 'B', 16)), 16ULL * 512 * 256 * 256 / 16 * 15);
  EXPECT_EQ(total(nas_matrix("is", 'C', 32)), 4ULL * (1U << 27U) / 32 * 31);
}

// 64 ranks of class C, a grid of 8 x 8: messages of 150 KB to three ranks of the row, and across.
TEST(NasKernels, SumAlongRowsAndAcross) {
  EXPECT_EQ(row_of(nas_matrix("cg", 'C', 64), 10),
            (Row{{11, 150'000}, {8, 150'000}, {14, 150'000}, {8 * 2 + 1, 150'000}}));
  // on the diagonal there is nothing to exchange across
  EXPECT_EQ(row_of(nas_matrix("cg", 'C', 64), 9).size(), 3U);
  // 128 ranks, 8 rows of 16: halves, and across by pairs
  const Row row = row_of(nas_matrix("cg", 'C', 128), 3);
  EXPECT_EQ(row, (Row{{2, 75'000}, {1, 75'000}, {7, 75'000}, {11, 75'000}, {2 * 8 + 1, 75'000}}));
}

TEST(NasKernels, SweepToNeighboursInTwoDimensions) {
  const CommunicationMatrix matrix = nas_matrix("lu", 'C', 128);  // 16 x 8 of 162 x 162 columns
  const auto face = [](std::uint64_t edge) { return 40 * edge * 160 + 80 * edge * 162; };
  EXPECT_EQ(row_of(matrix, 0), (Row{{1, face(21)}, {16, face(11)}}));
  EXPECT_EQ(row_of(matrix, 127), (Row{{126, face(20)}, {111, face(10)}}));
  EXPECT_EQ(row_of(matrix, 16 + 2), (Row{{17, face(21)}, {19, face(21)}, {2, face(10)}, {34, face(10)}}));
}

TEST(NasKernels, ExchangeFacesOfEveryLevel) {
  // two ranks divide the last dimension of 32 points: faces of 34 x 34 of the finest, both of them to the
  // same rank
  std::uint64_t bytes = 0;
  for (const std::uint64_t side : {2U, 4U, 8U, 16U, 32U})
    bytes += 2 * 8 * (side == 2 ? 2 : 3) * (side + 2) * (side + 2);
  EXPECT_EQ(row_of(nas_matrix("mg", 'S', 2), 0), (Row{{1, bytes}}));
  // 128 ranks, 4 x 4 x 8, of class C: a rank with points of all levels has the next ones to both sides, and
  // those two and, along the last dimension, four places on, which have the grids of four and two points a
  // side
  const Row row = row_of(nas_matrix("mg", 'C', 128), 0);
  std::vector<std::uint32_t> peers;
  for (const auto& [peer, sent] : row) peers.push_back(peer);
  EXPECT_THAT(peers, ::testing::ElementsAre(1, 2, 3, 4, 8, 12, 16, 32, 64, 96, 112));
  EXPECT_GT(row.at(1), row.at(4) / 2);
  const Row odd = row_of(nas_matrix("mg", 'C', 128), 1 + 4 + 16);
  EXPECT_EQ(odd.size(), 6U);
}

TEST(NasKernels, OfHostsLeaveOutWhatStays) {
  const CommunicationMatrix ranks = nas_matrix("ft", 'S', 8);
  const CommunicationMatrix hosts = matrix_of_hosts(ranks, 4, 1);
  EXPECT_EQ(hosts.ranks, 2U);
  EXPECT_EQ(total(hosts), total(ranks) / 7 * 4);
  EXPECT_EQ(row_of(matrix_of_hosts(ranks, 4, 3), 0)[1], (row_of(hosts, 0)[1] + 2) / 3);
  EXPECT_EQ(matrix_of_hosts(ranks, 1, 1), ranks);
}

TEST(NasKernels, RefuseWhatHasNoWork) {
  EXPECT_THAT(refusal([] { nas_matrix("bt", 'C', 16); }), HasSubstr("unknown NAS kernel 'bt'"));
  EXPECT_THAT(refusal([] { nas_matrix("cg", 'X', 16); }), HasSubstr("class 'X' is none of"));
  EXPECT_THAT(refusal([] { nas_matrix("cg", 'C', 12); }), HasSubstr("12 ranks, expected a power of two"));
  EXPECT_THAT(refusal([] { nas_matrix("is", 'D', 8192); }),
              HasSubstr("8192 ranks, all to all: expected at most 4096"));
  EXPECT_THAT(refusal([] { nas_matrix("cg", 'C', 1); }), HasSubstr("1 ranks, expected a power of two"));
  EXPECT_THAT(refusal([] { nas_matrix("ft", 'W', 64); }),
              HasSubstr("64 ranks are more than the 32 that have work"));
  EXPECT_THAT(refusal([] { nas_matrix("lu", 'S', 256); }), HasSubstr("more than the 12 that have work"));
  EXPECT_THAT(refusal([] { matrix_of_hosts(nas_matrix("cg", 'S', 4), 3, 1); }),
              HasSubstr("do not fill hosts of 3"));
  EXPECT_THAT(refusal([] { matrix_of_hosts(nas_matrix("cg", 'S', 4), 4, 1); }), HasSubstr("on one host"));
}

}  // namespace
}  // namespace unknot
