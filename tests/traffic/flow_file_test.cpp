// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/flow_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refusal.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string flow_file_refusal(const std::string& text) {
  return refusal([&] { (void)parse_flows(testing::single(4), text, "flows"); });
}

TEST(FlowFile, ReadsNumbersNamesWeightsAndComments) {
  const std::vector<Flow> flows =
      parse_flows(testing::single(4), "# ranks\n\n0 1\r\n H-1\t2  2.5 # heavy\n3 H-0 1e3\n", "flows");
  EXPECT_EQ(flows, (std::vector<Flow>{{TerminalId(0), TerminalId(1), 1},
                                      {TerminalId(1), TerminalId(2), 2.5},
                                      {TerminalId(3), TerminalId(0), 1000}}));
}

TEST(FlowFile, RefusesEverythingElseWithOneSentence) {
  EXPECT_THAT(flow_file_refusal(""), StartsWith("flows: no traffic"));
  EXPECT_THAT(flow_file_refusal("# nothing\n"), HasSubstr("no traffic"));
  EXPECT_THAT(flow_file_refusal("0\n"), StartsWith("flows:1: expected a destination terminal"));
  EXPECT_THAT(flow_file_refusal("0 1\n0 4\n"),
              StartsWith("flows:2: there is no terminal 4: the network has 4"));
  EXPECT_THAT(flow_file_refusal("99999999999999999999 1\n"), HasSubstr("not '99999999999999999999'"));
  EXPECT_THAT(flow_file_refusal("-1 2\n"),
              HasSubstr("expected the number or the name of a source terminal, not '-1'"));
  EXPECT_THAT(flow_file_refusal("0 H-9\n"), HasSubstr("'H-9'"));
  EXPECT_THAT(flow_file_refusal("2 2\n"), HasSubstr("sends to itself"));
  EXPECT_THAT(flow_file_refusal("2 H-2\n"), HasSubstr("sends to itself"));
  for (const char* weight : {"0", "-1", "nan", "inf", "1e300", "1e-300", "1e999", "x", "1.5x", "0x10"})
    EXPECT_THAT(flow_file_refusal(fmt::format("0 1 {}\n", weight)), HasSubstr("expected a weight")) << weight;
  EXPECT_THAT(flow_file_refusal("0 1 1 1\n"), HasSubstr("the end of the line"));
  EXPECT_THAT(flow_file_refusal("0 1\n1 2\nH-0 1 3\n"),
              StartsWith("flows:3: terminals 0 and 1 are on line 1 already"));
  EXPECT_THAT(flow_file_refusal(std::string("0 1\n\0", 5)), StartsWith("flows"));
  EXPECT_THAT(flow_file_refusal("0 1\n\x1b[31m 2\n"), Not(HasSubstr("\x1b")));
}

TEST(FlowFile, DamagedTextsAreReadOrRefusedNeverWorse) {
  const std::string good = "0 1 2.5\n1 H-2\n# end\n3 0 1e-3\n";
  const Network network = testing::single(4);
  testing::for_damaged_texts(good, "0 1\n.#-eH", [&](const std::string& text) {
    try {
      for (const Flow& flow : parse_flows(network, text, "flows")) {
        EXPECT_LT(flow.source.value, 4U);
        EXPECT_LT(flow.destination.value, 4U);
        EXPECT_NE(flow.source, flow.destination);
        EXPECT_GT(flow.weight, 0);
      }
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("flows")) << text;
    }
  });
}

TEST(FlowFile, WhatIsWrittenComesBack) {
  const Network network = make_network("torus:4x4,p=2");
  for (const Pattern& row : patterns()) {
    if (row.read || !row.any_network || row.name == "all-to-all") continue;
    SCOPED_TRACE(row.name);
    std::vector<Flow> flows;
    make_pattern(network, row.name == "stencil3d" ? "stencil3d:4x4x1" : row.name).flows(1, 0, flows);
    double weight = 0.1;
    for (Flow& flow : flows) flow.weight = weight += 1.0 / 3;
    EXPECT_EQ(parse_flows(network, flows_text(flows, row.name), "flows"), flows);
  }
}

}  // namespace
}  // namespace unknot
