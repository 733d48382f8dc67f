// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "collective/msccl_samples.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"

namespace unknot::msccl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// An all-gather on two GPUs as older generators write it.
const std::string kOld = R"(<!-- made by hand -->
<algo name="ag" proto="LL128" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="1" outofplace="0">
  <gpu id="1" i_chunks="0" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step step="0" type="s" srcbuf="o" srcoff="1" dstbuf="o" dstoff="-1" cnt="1" depid="-1" deps="-1" hasdep="0" extra="x"/>
      <step step="1" type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"></step>
    </tb>
  </gpu>
  <gpu id="0" i_chunks="0" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="-1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

TEST(MscclFile, ReadsOlderFilesToo) {
  const Program program = parse_program(kOld, "f");
  EXPECT_EQ(program.protocol, "LL128");
  EXPECT_EQ(program.collective, Collective::allgather);
  EXPECT_TRUE(program.in_place);
  EXPECT_FALSE(program.out_of_place);
  ASSERT_EQ(program.gpus.size(), 2U);
  EXPECT_EQ(program.gpus[0].line, 9U);
  EXPECT_EQ(program.gpus[1].blocks[0].steps[1].line, 6U);
  EXPECT_EQ(program.gpus[1].blocks[0].steps[0].source, (Place{Buffer::output, 1}));
  EXPECT_FALSE(find_fault(program));
  // Where input and output are two, nothing is in the output at first.
  Program apart = program;
  apart.out_of_place = true;
  EXPECT_THAT(find_fault(apart)->sentence, HasSubstr("which holds nothing yet"));
}

TEST(MscclFile, SaysWhereItIsMalformed) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  for (const Case& one : {
           Case{"</algo>", "", "f:15: not valid XML: "},
           Case{"<gpu id=\"1\"", "<gpu id=\"1", "not valid XML: "},
           Case{"coll=\"allgather\"", "coll=\"all_gather\"",
                "f:2: coll=\"all_gather\" of <algo>: expected one of"},
           Case{"proto=\"LL128\"", "proto=\"LL64\"",
                "f:2: proto=\"LL64\" of <algo>: expected one of Simple, LL"},
           Case{"ngpus=\"2\"", "ngpus=\"0\"", "f:2: ngpus=\"0\" of <algo>: expected a number from 1 to 1024"},
           Case{"ngpus=\"2\"", "ngpus=\"3\"", "f:2: gpu 2 is missing"},
           Case{"ngpus=\"2\" ", "", "f:2: <algo> lacks the attribute 'ngpus'"},
           Case{"inplace=\"1\"", "inplace=\"yes\"",
                "f:2: inplace=\"yes\" of <algo>: expected a number from 0 to 1"},
           Case{"inplace=\"1\"", "inplace=\"1\" inplace=\"1\"",
                "f:2: <algo> has the attribute 'inplace' twice"},
           Case{"<gpu id=\"0\"", "<gpu id=\"1\"", "f:9: gpu 1 is on line 3 already"},
           Case{"<gpu id=\"0\"", "<gpu id=\"2\"", "f:9: id=\"2\" of <gpu>: expected a number from 0 to 1"},
           Case{"o_chunks=\"2\"", "o_chunks=\"99999\"", "f:3: o_chunks=\"99999\" of <gpu>"},
           Case{"<tb id=\"0\"", "<tb id=\"1\"", "f:3: thread block 0 is missing"},
           Case{"send=\"0\"", "send=\"2\"", "f:4: send=\"2\" of <tb>: expected a number from -1 to 1"},
           Case{"chan=\"0\"", "chan=\"1\"", "f:4: chan=\"1\" of <tb>"},
           Case{"step=\"1\"", "step=\"2\"", "f:6: step 2: expected step 1"},
           Case{"type=\"s\"", "type=\"t\"", "f:5: type=\"t\" of <step>: expected one of s, r, rcs, rrs"},
           Case{"srcbuf=\"o\"", "srcbuf=\"x\"", "f:5: srcbuf=\"x\" of <step>: expected one of i, o, s"},
           Case{"srcoff=\"1\"", "srcoff=\"-1\"", "f:5: srcoff=\"-1\" of <step>: expected a number from 0"},
           Case{"cnt=\"1\"", "cnt=\"72\"", "f:5: cnt=\"72\" of <step>: expected a number from 1 to 71"},
           Case{"depid=\"-1\"", "depid=\"0\"", "f:5: deps=\"-1\" beside a depid"},
           Case{"hasdep=\"0\"", "hasdep=\"2\"", "f:5: hasdep=\"2\" of <step>"},
           Case{"</step>", "<step/></step>", "f:6: <step> inside <step>: expected nothing"},
           Case{"</tb>", "words</tb>", "f:4: text inside <tb>: expected elements <step>"},
           Case{"<tb", "<bt/><tb", "f:4: <bt> inside <gpu>: expected <tb>"},
           Case{"</algo>", "</algo><algo/>", "f:15: <algo> behind the element <algo>"},
       }) {
    std::string text = kOld;
    const std::size_t at = text.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.from;
    text.replace(at, std::string_view(one.from).size(), one.to);
    try {
      (void)parse_program(text, "f");
      ADD_FAILURE() << one.to;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(one.message)) << one.to;
      EXPECT_THAT(error.what(), StartsWith("f:"));
    }
  }
  for (const std::string& text :
       {std::string(), std::string("<algos/>"), std::string("{}"), std::string("<algo name=\"\0\"/>", 16)})
    EXPECT_THROW((void)parse_program(text, "f"), InputError) << text;
}

TEST(MscclFile, DamagedTextsAreRefusedOrReadBack) {
  const std::string good = unknot::testing::msccl_sample("ring:3", "AAR");
  std::uint32_t refused = 0, faults = 0, valid = 0;
  unknot::testing::for_damaged_texts(good, "<>\"=/0123456789- ios", [&](const std::string& text) {
    try {
      const Program program = parse_program(text, "f");
      const std::string again = program_text(program);
      EXPECT_EQ(program_text(parse_program(again, "again")), again);
      const auto fault = find_fault(program);
      ++(fault ? faults : valid);
      if (fault) {
        EXPECT_GT(fault->line, 0U);
      }
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("f:"));
      ++refused;
    }
  });
  EXPECT_GT(refused, 1000U);
  EXPECT_GT(faults, 0U);
  EXPECT_GT(valid, 10U);  // the name, what is not used
}

TEST(MscclFile, DigitsThatAreWrongAreMostlyFound) {
  const std::string good = unknot::testing::msccl_sample("ring:4", "AAB");
  std::uint32_t found = 0, valid = 0;
  for (std::size_t at = good.find("ngpus"); at < good.size(); ++at) {
    if (good[at] < '0' || good[at] > '9') continue;
    std::string text = good;
    text[at] = good[at] == '0' ? '1' : static_cast<char>(good[at] - 1);
    try {
      const auto fault = find_fault(parse_program(text, "f"));
      ++(fault ? found : valid);
      if (fault) {
        EXPECT_GT(fault->line, 0U) << fault->sentence;
      }
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("f:"));
      ++found;
    }
  }
  EXPECT_GT(found, valid);  // places that a step does not use are no faults, nor is too much scratch memory
}

}  // namespace
}  // namespace unknot::msccl
