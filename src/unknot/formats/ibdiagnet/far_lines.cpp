// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/ibdiagnet/far_lines.hpp"

#include "unknot/formats/text/line_scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostPortNumber = 0xFFFF;

}  // namespace

bool parse_far_group(std::string_view line, FarGroupRow& row) {
  const char* p = line.data();
  const char* const end = p + line.size();
  row.ports.clear();
  std::uint32_t weight = 0;  // of hash-based forwarding: says how much, not where to
  for (std::uint32_t* number : {&row.group, &row.sub_group, &weight}) {
    skip_blanks(p, end);
    if (!take_decimal(p, end, *number)) return false;
    if (p != end && !is_blank(*p)) return false;
  }
  while (true) {
    while (p != end && (is_blank(*p) || *p == ',')) ++p;
    if (p == end) return true;
    std::uint32_t port = 0;
    if (!take_decimal(p, end, port) || port > kMostPortNumber) return false;
    row.ports.push_back(static_cast<std::uint16_t>(port));
  }
}

bool parse_far_lid(const char* p, const char* end, FarLidRow& row) {
  std::uint64_t lid = 0;
  skip_blanks(p, end);
  if (!take_hex(p, end, lid) || lid > 0xFFFFFFFFU) return false;
  row.lid = static_cast<std::uint32_t>(lid);
  skip_blanks(p, end);
  if (!take_decimal(p, end, row.port)) return false;
  skip_blanks(p, end);
  if (take_text(p, end, "Static")) {
    row.kind = ChoiceKind::fixed;
  } else if (take_text(p, end, "Free")) {
    row.kind = ChoiceKind::adaptive;
  } else if (take_text(p, end, "HBF") || take_text(p, end, "Bounded")) {
    // Of "Bounded" no public source says when a packet may still change its port: it is taken to be
    // committed.
    row.kind = ChoiceKind::hashed;
  } else {
    return false;
  }
  skip_blanks(p, end);
  if (!take_decimal(p, end, row.group)) return false;
  skip_blanks(p, end);
  return p == end;
}

std::optional<std::uint32_t> far_plane(std::string_view line) {
  const char* p = line.data();
  const char* const end = p + line.size();
  skip_blanks(p, end);
  if (!take_text(p, end, "PLFT_NUM:")) return std::nullopt;
  skip_blanks(p, end);
  std::uint32_t plane = 0;
  if (!take_decimal(p, end, plane)) return std::nullopt;
  return plane;
}

std::optional<std::uint16_t> far_level_mask(std::string_view line) {
  const std::size_t found = line.find("sl_mask");
  if (found == std::string_view::npos) return std::nullopt;
  const char* p = line.data() + found + 7;
  const char* const end = line.data() + line.size();
  while (p != end && (is_blank(*p) || *p == ':' || *p == '=')) ++p;
  std::uint64_t mask = 0;
  if (!take_hex(p, end, mask) || mask > 0xFFFF) return std::nullopt;
  return static_cast<std::uint16_t>(mask);
}

}  // namespace unknot
