// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/table_samples.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using test::error_of;

Certificate some_certificate(const Network& network, std::uint32_t lanes) {
  Certificate certificate;
  certificate.network_fingerprint = network.fingerprint();
  certificate.lanes = lanes;
  Random random(3);
  for (std::uint32_t i = 0; i < lanes * network.channel_count(); ++i) {
    certificate.number.push_back(random.below(3) == 0 ? Certificate::kUnused : random.below(0xFFFFFFFF));
  }
  return certificate;
}

TEST(CertificateFile, EverySampleIsReadBack) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    for (const std::uint32_t lanes : {0U, 1U, 3U}) {
      const Certificate certificate = some_certificate(sample.network, lanes);
      write_certificate(sample.network, certificate, folder.file("c"));
      const Certificate back = read_certificate(sample.network, folder.file("c"));
      EXPECT_EQ(back.lanes, lanes);
      EXPECT_EQ(back.network_fingerprint, certificate.network_fingerprint);
      EXPECT_EQ(back.number, certificate.number);
    }
  }
}

TEST(CertificateFile, SaysWhatIsWrong) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const auto error = [&](const std::string& text) {
    const std::string path = folder.put("c", text);
    const std::string what = error_of([&] { (void)read_certificate(network, path); });
    return what.starts_with(path) ? what.substr(path.size()) : what;
  };
  const std::string head =
      fmt::format("unknot-certificate 1\nnetwork 0x{:016x}\nlanes 2\n", network.fingerprint());
  EXPECT_EQ(error(head + "1 0xa1 5 77\nend 1\n"), "");
  EXPECT_EQ(error(""), ":1: the file ends early, expected 'unknot-certificate 1'");
  EXPECT_EQ(error("unknot-certificate 2\n"), ":1: expected 'unknot-certificate 1'");
  EXPECT_EQ(error("unknot-certificate 1\nnetwork 0x1\n"), ":2: the certificate was made for another network");
  EXPECT_EQ(error(head + "1 0xa1 5 77\n"), ":4: the file ends early, expected 'end <number of lines>'");
  EXPECT_EQ(error(head + "2 0xa1 5 77\nend 1\n"), ":4: lane 2 in a certificate of 2 lanes");
  EXPECT_EQ(error(head + "1 0xa9 5 77\nend 1\n"), ":4: router 0x00000000000000a9 is not in the network");
  EXPECT_EQ(error(head + "1 0xa1 1 77\nend 1\n"), ":4: no channel leaves leaf1 by port 1");
  EXPECT_EQ(error(head + "1 0xa1 65541 77\nend 1\n"), ":4: no channel leaves leaf1 by port 65541");
  EXPECT_EQ(error(head + "1 0xa1 5 77\n1 0xa1 5 78\nend 2\n"),
            ":5: this channel and lane have a number above already");
  EXPECT_EQ(error(head + "1 0xa1 5 4294967295\nend 1\n"),
            ":4: expected '<lane> 0x<router guid> <port> <number>'");
  EXPECT_EQ(error(head + "1 0xa1 5\nend 1\n"), ":4: expected '<lane> 0x<router guid> <port> <number>'");
  EXPECT_EQ(error(head + "1 0xa1 5 77\nend 2\n"), ":5: expected 'end 1'");
  EXPECT_EQ(error(head + "end 0\nend 0\n"), ":5: expected nothing after the 'end' line");
}

TEST(CertificateFile, NothingIsWrittenForAnotherNetwork) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Certificate certificate = some_certificate(network, 2);
  certificate.number.pop_back();
  EXPECT_NE(error_of([&] { write_certificate(network, certificate, folder.file("c")); }), "");
}

}  // namespace
}  // namespace unknot
