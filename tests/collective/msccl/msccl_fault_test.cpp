// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "collective/msccl_samples.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::msccl {
namespace {

using ::testing::HasSubstr;

/// A line of a small file: GPU 0 sends its one chunk to GPU 1, and copies.
std::string algorithm(const std::string& attributes, const std::string& gpus) {
  return "<algo name=\"x\" proto=\"LL\" nchannels=\"1\" ngpus=\"2\" " + attributes + ">\n" + gpus +
         "</algo>\n";
}
std::string step(const std::string& s, const std::string& type, const std::string& from,
                 const std::string& to, const std::string& after = "depid=\"-1\" deps=\"-1\" hasdep=\"0\"") {
  const auto place = [](const std::string& name, const std::string& where) {
    return " " + name + "buf=\"" + where.substr(0, 1) + "\" " + name + "off=\"" + where.substr(1) + "\"";
  };
  return "<step s=\"" + s + "\" type=\"" + type + "\"" + place("src", from) + place("dst", to) +
         " cnt=\"1\" " + after + "/>\n";
}
constexpr const char* kBroadcast = R"(nchunksperloop="1" coll="broadcast" inplace="0" outofplace="1")";

std::string fault_of(const std::string& text) {
  const auto fault = find_fault(parse_program(text, "f"));
  return fault ? std::to_string(fault->line) + ": " + fault->sentence : "valid";
}

TEST(MscclFault, NamesDeadlocks) {
  // both wait for the other before they send
  const std::string gpu0 =
      "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\">\n<tb id=\"0\" send=\"1\" "
      "recv=\"1\" chan=\"0\">\n" +
      step("0", "r", "i0", "o0") + step("1", "s", "o0", "o0") + "</tb></gpu>\n";
  const std::string gpu1 =
      "<gpu id=\"1\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\">\n<tb id=\"0\" send=\"0\" "
      "recv=\"0\" chan=\"0\">\n" +
      step("0", "r", "i0", "o0") + step("1", "s", "o0", "o0") + "</tb></gpu>\n";
  EXPECT_EQ(
      fault_of(algorithm(kBroadcast, gpu0 + gpu1)),
      "4: deadlock: step 0 of thread block 0 of GPU 0 waits for a message of GPU 1, which waits for it in "
      "turn");
}

TEST(MscclFault, AQueueHoldsTwoMessages) {
  const auto gpus = [](int messages) {
    std::string sends;
    std::string receives;
    for (int i = 0; i < messages; ++i) {
      sends += step(std::to_string(i), "s", "i0", "o0");
      receives += step(std::to_string(messages + i), "r", "i0", "o0");
    }
    std::string both;
    for (int i = 0; i < messages; ++i) both += step(std::to_string(i), "s", "i0", "o0");
    std::string text;
    for (const char* g : {"0", "1"}) {
      const std::string other = *g == '0' ? "1" : "0";
      text += "<gpu id=\"" + std::string(g) +
              "\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"><tb id=\"0\" send=\"" + other + "\" recv=\"" +
              other + "\" chan=\"0\">\n" + sends + receives + "</tb></gpu>\n";
    }
    return algorithm(R"(nchunksperloop="1" coll="alltoallv" inplace="0" outofplace="1")", text);
  };
  EXPECT_EQ(fault_of(gpus(2)), "valid");
  EXPECT_THAT(fault_of(gpus(3)), HasSubstr("waits for GPU 1 to receive"));
}

TEST(MscclFault, NopsWaitWithTheStepBehindThem) {
  const auto text = [](const std::string& waiting) {
    std::string all = "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"2\">\n";
    const std::string announced = "depid=\"-1\" deps=\"-1\" hasdep=\"1\"";
    all += "<tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" + step("0", "cpy", "i0", "s0", announced) +
           "</tb>\n";
    all += "<tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" + step("0", "cpy", "i0", "s1", announced) +
           "</tb>\n";
    all += "<tb id=\"2\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" + waiting + "</tb></gpu>\n";
    all += "<gpu id=\"1\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"></gpu>\n";
    return algorithm(R"(nchunksperloop="1" coll="send" inplace="0" outofplace="1")", all);
  };
  const std::string first = "depid=\"0\" deps=\"0\" hasdep=\"0\"";
  const std::string second = "depid=\"1\" deps=\"0\" hasdep=\"0\"";
  EXPECT_EQ(fault_of(text(step("0", "nop", "i-1", "o-1", first) + step("1", "re", "s0", "s1", second))),
            "valid");
  EXPECT_THAT(fault_of(text(step("0", "nop", "i0", "o0", first) + step("1", "re", "s0", "s1"))),
              HasSubstr("11: a nop waits together with the step behind it"));
  EXPECT_THAT(fault_of(text(step("0", "nop", "i0", "o0"))), HasSubstr("10: a nop that waits for nothing"));
  // one of the two is waited for, or none
  EXPECT_THAT(fault_of(text(step("0", "re", "s0", "s1", second))), HasSubstr("touch chunk 0 of the scratch"));
  EXPECT_THAT(fault_of(text(step("0", "re", "s0", "s1"))),
              HasSubstr("10: step 0 of thread block 0 and step 0"));
  EXPECT_THAT(fault_of(text(step("0", "re", "s0", "s1", "depid=\"3\" deps=\"0\" hasdep=\"0\""))),
              HasSubstr("waits for thread block 3: GPU 0 has 3"));
  EXPECT_THAT(fault_of(text(step("0", "re", "s0", "s1", "depid=\"2\" deps=\"0\" hasdep=\"0\""))),
              HasSubstr("whose end is never made known (hasdep)"));
  EXPECT_THAT(
      fault_of(text(step("0", "re", "s0", "s1", "depid=\"2\" deps=\"0\" hasdep=\"1\""))),
      HasSubstr("10: deadlock: step 0 of thread block 2 of GPU 0 waits for step 0 of thread block 2"));
}

/// Every damage of a kind at every place it can have; the checker must find each.
class Damaged : public ::testing::TestWithParam<const char*> {
 protected:
  Damaged() : program_(parse_program(unknot::testing::msccl_sample("hypercube:3", GetParam()), "f")) {}

  template <class Damage>
  std::size_t try_all(Damage damage, const char* what) {
    std::size_t tried = 0;
    for (std::uint32_t rank = 0; rank < program_.gpus.size(); ++rank) {
      for (std::size_t b = 0; b < program_.gpus[rank].blocks.size(); ++b) {
        for (std::size_t s = 0; s < program_.gpus[rank].blocks[b].steps.size(); ++s) {
          Program copy = program_;
          if (!damage(copy, copy.gpus[rank].blocks[b], s)) continue;
          ++tried;
          const auto fault = find_fault(copy);
          EXPECT_TRUE(fault) << what << " GPU " << rank << " block " << b << " step " << s;
          if (fault) {
            EXPECT_GT(fault->line, 0U) << fault->sentence;
          }
        }
      }
    }
    return tried;
  }
  Program program_;
};

TEST_P(Damaged, PeersAndSteps) {
  EXPECT_GT(try_all(
                [](Program&, ThreadBlock& block, std::size_t s) {
                  auto& peer = block.send_to ? block.send_to : block.receive_from;
                  if (s > 0 || !peer) return false;
                  peer = (*peer + 1) % 8;
                  return true;
                },
                "another peer"),
            0U);
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        block.steps.erase(block.steps.begin() + static_cast<std::ptrdiff_t>(s));
        return true;
      },
      "a step less");
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        if (!block.send_to && !block.receive_from) return false;
        block.steps.insert(block.steps.begin() + static_cast<std::ptrdiff_t>(s), block.steps[s]);
        return true;
      },
      "a step twice");
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        if (s == 0) return false;
        std::swap(block.steps[s].source, block.steps[s - 1].source);
        std::swap(block.steps[s].destination, block.steps[s - 1].destination);
        return true;
      },
      "places swapped");
}

TEST_P(Damaged, PlacesAndSizes) {
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        Step& step = block.steps[s];
        Place& place = reads_source(step.action) ? step.source : step.destination;
        place.offset = place.offset == 0 ? 1 : place.offset - 1;
        return true;
      },
      "another chunk");
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        block.steps[s].count = 2;
        return true;
      },
      "another size");
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        Step& step = block.steps[s];
        if (!stores(step.action)) return false;
        step.destination.buffer =
            step.destination.buffer == Buffer::output ? Buffer::scratch : Buffer::output;
        return true;
      },
      "another buffer");
}

TEST_P(Damaged, Dependencies) {
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        const bool waited = block.steps[s].after.has_value();
        block.steps[s].after.reset();
        return waited;
      },
      "no waiting");
  try_all(
      [](Program&, ThreadBlock& block, std::size_t s) {
        const bool announced = block.steps[s].announced;
        block.steps[s].announced = false;
        return announced && s + 1 == block.steps.size();  // a later one would do
      },
      "not made known");
  try_all(
      [](Program& program, ThreadBlock& block, std::size_t s) {
        Step& step = block.steps[s];
        if (!step.after) return false;
        // what is waited for waits in turn
        for (Gpu& gpu : program.gpus) {
          if (gpu.blocks.empty() || &block < &gpu.blocks.front() || &block > &gpu.blocks.back()) continue;
          step.announced = true;
          gpu.blocks[step.after->block].steps[step.after->step].after = {
              static_cast<std::uint32_t>(&block - gpu.blocks.data()), static_cast<std::uint32_t>(s)};
        }
        return true;
      },
      "a circle");
}

INSTANTIATE_TEST_SUITE_P(Msccl, Damaged, ::testing::Values("AAS", "AAB", "OAB", "OAS", "AOG", "AOR", "AAR"),
                         [](const auto& one) { return std::string(one.param); });

TEST(MscclFault, AlgorithmsOfOthersAreValid) {
  const std::string folder = std::string(UNKNOT_SHARED_DIR) + "/data/msccl-xml";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    ++read;
    const std::string text = read_file(entry.path().string());
    EXPECT_EQ(fault_of(text), "valid") << entry.path();
    EXPECT_EQ(fault_of(program_text(parse_program(text, "f"))), "valid") << entry.path();
  }
  EXPECT_EQ(read, 3U);
}

}  // namespace
}  // namespace unknot::msccl
