// SPDX-License-Identifier: Apache-2.0
// Certificates of deadlock freedom as text: docs/table-formats.md.
#include <fmt/format.h>

#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::string_view kMagic = "unknot-certificate 1";
constexpr std::uint32_t kMostLanes = 254;

/// Text that a line must have in front of a value.
const char* after(const LineScanner& scanner, std::string_view word) {
  const char* p = scanner.begin();
  if (!take_text(p, scanner.end(), word)) scanner.fail(fmt::format("expected '{}...'", word));
  return p;
}

void require_line(const LineScanner& scanner, bool there, std::string_view what) {
  if (!there) scanner.fail(fmt::format("the file ends early, expected {}", what));
}

/// The first two lines: the fingerprint of the network.
std::uint64_t read_head(LineScanner& scanner) {
  require_line(scanner, scanner.advance(), fmt::format("'{}'", kMagic));
  if (scanner.line() != kMagic) scanner.fail(fmt::format("expected '{}'", kMagic));
  require_line(scanner, scanner.advance(), "'network 0x<fingerprint>'");
  const char* p = after(scanner, "network ");
  std::uint64_t fingerprint = 0;
  if (!take_hex(p, scanner.end(), fingerprint) || p != scanner.end())
    scanner.fail("expected 'network 0x<fingerprint>'");
  return fingerprint;
}

}  // namespace

void write_certificate(const Network& network, const Certificate& certificate, const std::string& path) {
  const std::uint32_t channels = network.channel_count();
  if (certificate.number.size() != static_cast<std::size_t>(certificate.lanes) * channels ||
      certificate.lanes > kMostLanes) {
    throw InputError("the certificate does not have a number for each lane and channel of the network");
  }
  write_file(path, [&](const FileSink& sink) {
    sink(fmt::format("{}\nnetwork 0x{:016x}\nlanes {}\n", kMagic, certificate.network_fingerprint,
                     certificate.lanes));
    constexpr std::size_t kLine = 48;
    std::uint64_t lines = 0;
    for (const std::uint32_t number : certificate.number) lines += number != Certificate::kUnused ? 1 : 0;
    for (std::uint32_t lane = 0; lane < certificate.lanes; ++lane) {
      const std::uint32_t* numbers = certificate.number.data() + std::size_t{lane} * channels;
      write_blocks(sink, channels, records_a_block(kLine),
                   [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
                     char* p = block.room(kLine * (end - begin));
                     for (ChannelId c(begin); c.value < end; ++c.value) {
                       if (numbers[c.value] == Certificate::kUnused) continue;
                       p = put_decimal(p, lane);
                       *p++ = ' ';
                       p = put_guid(p, network.router_guid(network.source(c)));
                       *p++ = ' ';
                       p = put_decimal(p, network.source_port(c));
                       *p++ = ' ';
                       p = put_decimal(p, numbers[c.value]);
                       *p++ = '\n';
                     }
                     block.end_at(p);
                   });
    }
    sink(fmt::format("end {}\n", lines));
  });
}

Certificate read_certificate(const Network& network, const std::string& path) {
  return parse_certificate(network, read_file(path), path);
}

std::uint64_t network_of_certificate(std::string_view text, const std::string& name) {
  LineScanner scanner(text, name);
  return read_head(scanner);
}

Certificate parse_certificate(const Network& network, std::string_view text, const std::string& name) {
  const GuidIndex guids(network);
  LineScanner scanner(text, name);
  Certificate certificate;
  const char* end = nullptr;
  const auto next_line = [&](std::string_view what) {
    require_line(scanner, scanner.advance(), what);
    end = scanner.end();
  };

  certificate.network_fingerprint = read_head(scanner);
  if (certificate.network_fingerprint != network.fingerprint()) {
    scanner.fail("the certificate was made for another network");
  }
  next_line("'lanes <number>'");
  const char* p = after(scanner, "lanes ");
  if (!take_decimal(p, end, certificate.lanes) || p != end || certificate.lanes > kMostLanes) {
    scanner.fail(fmt::format("expected 'lanes <number>', at most {}", kMostLanes));
  }
  const std::uint32_t channels = network.channel_count();
  certificate.number.assign(static_cast<std::size_t>(certificate.lanes) * channels, Certificate::kUnused);

  std::uint64_t lines = 0;
  std::string_view guid_text;  // lines of one router follow each other
  RouterId router;
  for (;;) {
    next_line("'end <number of lines>'");
    p = scanner.begin();
    if (take_text(p, end, "end ")) break;
    std::uint32_t lane = 0;
    std::uint32_t port = 0;
    std::uint64_t number = 0;
    const bool lane_read = take_decimal(p, end, lane) && take_text(p, end, " ");
    const char* const guid_first = p;
    std::uint64_t guid = 0;
    const bool guid_read = lane_read && take_hex(p, end, guid);
    const std::string_view this_guid(guid_first, static_cast<std::size_t>(p - guid_first));
    if (!guid_read || !take_text(p, end, " ") || !take_decimal(p, end, port) || !take_text(p, end, " ")) {
      scanner.fail("expected '<lane> 0x<router guid> <port> <number>'");
    }
    // Up to ten digits: a number may be any 32-bit one.
    const char* const digits = p;
    for (; p != end && *p >= '0' && *p <= '9' && p - digits < 10; ++p) {
      number = number * 10 + static_cast<std::uint64_t>(*p - '0');
    }
    if (p == digits || p != end || number >= Certificate::kUnused) {
      scanner.fail("expected '<lane> 0x<router guid> <port> <number>'");
    }
    if (lane >= certificate.lanes) {
      scanner.fail(fmt::format("lane {} in a certificate of {} lanes", lane, certificate.lanes));
    }
    if (!router.valid() || this_guid != guid_text) {
      router = guids.router(guid);
      if (!router.valid()) scanner.fail(fmt::format("router 0x{:016x} is not in the network", guid));
      guid_text = this_guid;
    }
    const ChannelId c =
        port > 0xFFFF ? ChannelId() : network.channel_at(router, static_cast<std::uint16_t>(port));
    if (!c.valid()) {
      scanner.fail(fmt::format("no channel leaves {} by port {}", network.router_name(router), port));
    }
    std::uint32_t& entry = certificate.number[std::size_t{lane} * channels + c.value];
    if (entry != Certificate::kUnused) scanner.fail("this channel and lane have a number above already");
    entry = static_cast<std::uint32_t>(number);
    ++lines;
  }
  std::uint32_t said = 0;
  if (!take_decimal(p, end, said) || p != end || said != lines) {
    scanner.fail(fmt::format("expected 'end {}'", lines));
  }
  if (scanner.advance()) scanner.fail("expected nothing after the 'end' line");
  return certificate;
}

}  // namespace unknot
