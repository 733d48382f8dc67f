// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "refusal.hpp"
#include "unknot/collective/mscclpp/plan.hpp"

namespace unknot::mscclpp {
namespace {

/// Every member that files may have.
const std::string kAll = R"({
  "name": "all \"of\" it", "collective": "custom", "protocol": "LL", "inplace": true, "reuse_resources": true,
  "gpus": [
    {"id": 0, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 4, "more": 1,
     "threadblocks": [
      {"id": 0, "ops": [
        {"name": "barrier", "barrier_id": 1, "num_threadblocks": 1},
        {"name": "nop", "channel_type": "none"},
        {"name": "ppkt", "src_buff": [{"type": "i", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}],
         "channel_ids": [0], "channel_type": "memory", "tbg_info": {"tb_id": 1, "tbg_size": 2}},
        {"name": "pipeline", "iter_context": {"unit_size": 1024, "num_chunks": 1}, "ops": [
          {"name": "sem_acquire", "semaphore_ids": [0]},
          {"name": "glres", "src_buff": [{"switch_channel_id": 0, "index": 0, "size": 1}],
           "dst_buff": [{"switch_channel_id": 0, "index": 0, "size": 1}], "channel_type": "switch", "reduce_op": "sum"}]}],
       "channels": [{"channel_type": "memory", "channel_ids": [0]}, {"channel_type": "switch", "channel_ids": [0]}],
       "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
     "channels": [{"channel_type": "memory", "connected_to": [1]}, {"channel_type": "port", "connected_to": [1, 1]},
                  {"channel_type": "switch", "buffer_type": "i", "rank_groups": [{"size": 2, "ranks": [0, 1]}]}],
     "remote_buffers": [{"rank": 1, "type": "s", "access_channel_types": ["memory", "port"]}],
     "semaphores": [{"init_value": 3}]},
    {"id": 1, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 4, "threadblocks": []}
  ],
  "num_threads_per_block": 512, "use_double_scratch_buffer": true, "buffer_alignment": 16,
  "min_message_size": 1024, "max_message_size": 18446744073709551615
})";

TEST(MscclppFile, ComesBackFromWhatIsWritten) {
  const Plan plan = parse_plan(kAll, "f");
  EXPECT_EQ(plan.name, "all \"of\" it");
  EXPECT_TRUE(plan.packets && plan.in_place && plan.reuse_resources && plan.double_scratch);
  EXPECT_EQ(plan.threads, 512U);
  EXPECT_EQ(plan.max_bytes, UINT64_MAX);
  const Gpu& gpu = plan.gpus[0];
  EXPECT_EQ(gpu.peers[1].size(), 2U);
  EXPECT_EQ(gpu.switches[0].ranks.size(), 2U);
  EXPECT_EQ(gpu.semaphores, std::vector<std::uint32_t>{3});
  const std::vector<Operation>& operations = gpu.blocks[0].operations;
  EXPECT_EQ(operations[2].kind, Kind::put_packets);
  EXPECT_EQ(operations[2].parts, 2U);
  EXPECT_EQ(operations[3].inner[1].kind, Kind::switch_reduce);
  const std::string text = plan_text(plan);
  EXPECT_EQ(plan_text(parse_plan(text, "g")), text);
  EXPECT_TRUE(is_plan(text));
  EXPECT_FALSE(is_plan("<algo gpus=\"gpus\">"));
  EXPECT_FALSE(is_plan(R"({"steps": []})"));
}

/// What is said where `from` is written `to`.
std::string said(const std::string& from, const std::string& to) {
  std::string text = kAll;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return refusal([&] { (void)parse_plan(text, "f"); });
}

TEST(MscclppFile, SaysWhereItIsMalformed) {
  EXPECT_EQ(said(R"("name": "all \"of\" it", )", ""), "f: name is missing");
  EXPECT_EQ(said("\"LL\"", "\"LL128\""), "f: protocol: \"LL128\", expected one of Simple, LL");
  EXPECT_EQ(said("\"inplace\": true", "\"inplace\": 1"), "f: inplace: expected true or false");
  EXPECT_EQ(said("{\"id\": 1, \"input", "{\"id\": 2, \"input"),
            "f: gpus[1].id: 2, expected 1, its place in the list");
  EXPECT_EQ(said("\"input_chunks\": 2", "\"input_chunks\": -2"),
            "f: gpus[0].input_chunks: expected a whole number from 0 to 65536");
  EXPECT_EQ(said("\"connected_to\": [1]", "\"connected_to\": [2]"),
            "f: gpus[0].channels[0].connected_to: expected a whole number from 0 to 1");
  EXPECT_EQ(said("\"connected_to\": [1]", "\"connected_to\": 1"),
            "f: gpus[0].channels[0].connected_to: expected a list of at most 4096");
  EXPECT_EQ(said("\"buffer_type\": \"i\"", "\"buff\": \"i\""),
            "f: gpus[0].channels[2].buffer_type is missing");
  EXPECT_EQ(said("\"name\": \"ppkt\"", "\"name\": \"pkt\"").substr(0, 72),
            "f: gpus[0].threadblocks[0].ops[2].name: \"pkt\", expected one of nop, barr");
  EXPECT_EQ(said("\"type\": \"i\"", "\"type\": \"x\""),
            "f: gpus[0].threadblocks[0].ops[2].src_buff[0].type: \"x\", expected one of i, o, s");
  EXPECT_EQ(said("\"tb_id\": 1", "\"tb_id\": 2"),
            "f: gpus[0].threadblocks[0].ops[2].tbg_info.tb_id: expected a whole number from 0 to 1");
  EXPECT_EQ(said("\"name\": \"sem_acquire\"", "\"name\": \"pipeline\""),
            "f: gpus[0].threadblocks[0].ops[3].ops[0]: a pipeline inside of a pipeline");
  EXPECT_EQ(
      said("\"num_chunks\": 1", "\"num_chunks\": 0"),
      "f: gpus[0].threadblocks[0].ops[3].iter_context.num_chunks: expected a whole number from 1 to 65536");
  EXPECT_EQ(said("[\"memory\", \"port\"]", "[\"switch\"]"),
            "f: gpus[0].remote_buffers[0].access_channel_types: expected memory or port");
  EXPECT_EQ(said("\"init_value\": 3", "\"init_value\": -1"),
            "f: gpus[0].semaphores[0].init_value: expected a whole number from 0 to 1073741824");
  EXPECT_EQ(said("\"unit_size\": 1024", "\"unit_size\": 0"),
            "f: gpus[0].threadblocks[0].ops[3].iter_context.unit_size: expected a whole number from 1 to "
            "4294967295");
  EXPECT_EQ(refusal([] { (void)parse_plan("[]", "f"); }),
            "f: expected an object with \"name\", \"collective\" and \"gpus\"");
  EXPECT_EQ(refusal([] {
              (void)parse_plan(
                  R"({"name": "", "collective": "", "protocol": "LL", "inplace": false, "gpus": []})", "f");
            }),
            "f: gpus: expected one or more");
  // cut off anywhere: one sentence, and nothing else
  for (std::size_t size = 0; size < kAll.size(); size += 7)
    EXPECT_THAT(refusal([&] { (void)parse_plan(kAll.substr(0, size), "f"); }), ::testing::StartsWith("f"))
        << size;
}

}  // namespace
}  // namespace unknot::mscclpp
