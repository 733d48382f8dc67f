// SPDX-License-Identifier: Apache-2.0
// Whatever happens to a file on its way, a reader gives a network or one InputError.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "formats/chips/garnet_samples.hpp"
#include "formats/fabric_samples.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Text {
  const FabricFormat* format;
  std::string text;
};

std::vector<Text> texts() {
  std::vector<Text> all;
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read || !format.write) continue;
    for (const auto& sample : test::fabric_samples()) {
      try {
        all.push_back({&format, format.write(sample.network)});
      } catch (const InputError&) {
        continue;  // the format cannot hold it
      }
    }
  }
  all.push_back({&test::fabric_format("graph-golf"), "0 1\n1 2\n2 0\n"});
  all.push_back({&test::fabric_format("graph-golf"), "0,0 1,1\n1,1 0,1\n"});
  all.push_back({&test::fabric_format("ibsim"),
                 "switchguid=0x10\nSwitch 3 \"a\" # first\n[1] \"h\" w=4\n[2] \"b\"[2]\n\nSwitch 3 "
                 "\"b\"\n\nHca 1 \"h\"\n"});
  all.push_back({&test::fabric_format("subnet-list"),
                 "{ SW Ports:04 SystemGUID:20 NodeGUID:20 PortGUID:20 VenID:0 DevID:0 Rev:A1 {s} LID:000A "
                 "PN:01 } { CA Ports:01 "
                 "SystemGUID:10 NodeGUID:10 PortGUID:11 VenID:0 DevID:0 Rev:A1 {h} LID:000B PN:01 } PHY=4x "
                 "LOG=ACT SPD=2.5\n"
                 "{ CA Ports:01 SystemGUID:10 NodeGUID:10 PortGUID:11 VenID:0 DevID:0 Rev:A1 {h} LID:000B "
                 "PN:01 } { SW Ports:04 "
                 "SystemGUID:20 NodeGUID:20 PortGUID:20 VenID:0 DevID:0 Rev:A1 {s} LID:000A PN:01 } PHY=4x "
                 "LOG=ACT SPD=2.5\n"});
  all.push_back({&test::fabric_format("machine"),
                 "[[box]]\nname = \"a\"\ngpus = 3\nlink = 3600.5\ncard = 400\n[[box]]\ngpus = 2\nmesh = 8\n"
                 "cards = 1\ncard = 1\ncard_link = 2\n[network]\nrails = 3\nspines = 2\nuplink = 9\n"});
  all.push_back(
      {&test::fabric_format("nccl"),
       "<system version=\"1\"><cpu arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\">\n"
       "<pci busid=\"0\" class=\"0x060400\" link_speed=\"8 GT/s\" link_width=\"16\">\n"
       "<pci busid=\"1\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"8\"><gpu dev=\"0\" sm=\"80\" "
       "rank=\"0\"><nvlink target=\"2\" count=\"4\" tclass=\"0x030200\"/></gpu></pci>\n"
       "<pci busid=\"2\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"8\"><gpu dev=\"1\" sm=\"80\" "
       "rank=\"1\"><nvlink target=\"1\" count=\"4\" tclass=\"0x030200\"/></gpu></pci></pci>\n"
       "<nic><net dev=\"0\" speed=\"100000\"/></nic></cpu></system>\n"});
  all.push_back({&test::fabric_format("garnet"),
                 test::garnet_text(make_network("ring:3"), std::vector<std::uint32_t>(6, 1))});
  return all;
}

/// True when the reader refused the text.
bool refused(const FabricFormat& format, const std::string& text) {
  (void)format.recognises(text);
  try {
    const Network network = format.read(text, "file.txt");
    return false;
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("file.txt:")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return true;
  }
}

TEST(DamagedFabric, CutAtEveryByte) {
  for (const Text& whole : texts()) {
    SCOPED_TRACE(whole.format->name);
    ASSERT_FALSE(refused(*whole.format, whole.text)) << whole.text;
    std::size_t refusals = 0;
    for (std::size_t length = 0; length < whole.text.size(); ++length) {
      refusals += refused(*whole.format, whole.text.substr(0, length)) ? 1U : 0U;
    }
    // Only a cut in the last words can go unseen.
    EXPECT_GT(refusals, whole.text.size() / 3) << whole.text;
  }
}

TEST(DamagedFabric, BytesChanged) {
  Random random(7);
  for (const Text& whole : texts()) {
    SCOPED_TRACE(whole.format->name);
    for (std::size_t at = 0; at < whole.text.size(); ++at) {
      std::string text = whole.text;
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << random.below(8)));
      (void)refused(*whole.format, text);
      text[at] = static_cast<char>(random.below(256));
      (void)refused(*whole.format, text);
    }
  }
}

TEST(DamagedFabric, LinesLostOrRepeated) {
  for (const Text& whole : texts()) {
    SCOPED_TRACE(whole.format->name);
    for (std::size_t begin = 0; begin < whole.text.size();) {
      const std::size_t end = whole.text.find('\n', begin) + 1;
      std::string text = whole.text;
      text.erase(begin, end - begin);
      (void)refused(*whole.format, text);
      text = whole.text;
      text.insert(end, whole.text, begin, end - begin);
      (void)refused(*whole.format, text);
      begin = end;
    }
  }
}

}  // namespace
}  // namespace unknot
