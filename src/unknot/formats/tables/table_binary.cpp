// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/hash.hpp"

namespace unknot {
namespace {

static_assert(std::endian::native == std::endian::little, "the binary form is little-endian");

constexpr std::string_view kMagic = "UNKNOTRT";
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kVersionOfSeveral = 3;  // addresses of a terminal
constexpr std::uint32_t kLongestName = 4096;
constexpr std::uint32_t kMostLanes = 254;

/// Writes numbers and bytes, hashing them on the way.
class BinarySink {
 public:
  explicit BinarySink(const FileSink& sink) : sink_(sink) {}
  void bytes(const void* data, std::size_t size) {
    if (size == 0) return;
    hash_.add_bytes({static_cast<const std::byte*>(data), size});
    sink_({static_cast<const char*>(data), size});
  }
  template <class T>
  void number(T value) {
    bytes(&value, sizeof value);
  }
  void finish() {
    const std::uint64_t sum = hash_.value();
    sink_({reinterpret_cast<const char*>(&sum), sizeof sum});
  }

 private:
  const FileSink& sink_;
  Hash64 hash_;
};

class BinarySource {
 public:
  BinarySource(std::string_view text, const std::string& name) : text_(text), name_(name) {}
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {}", name_, message));
  }
  std::string_view bytes(std::size_t size) {
    if (size > text_.size() - at_) fail("the file ends early");
    at_ += size;
    return text_.substr(at_ - size, size);
  }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  [[nodiscard]] std::size_t left() const { return text_.size() - at_; }

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

/// Calls visit(router, in port, out port) for every pair, in the order the rows are stored.
template <class Visit>
void for_each_port_pair(const Network& network, Visit visit) {
  for (const RouterId r : network.routers()) {
    const std::uint32_t ports = network.port_count(r);
    for (std::uint32_t in = 0; in <= ports; ++in) {
      for (std::uint32_t out = 0; out <= ports; ++out) {
        visit(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out));
      }
    }
  }
}

/// What precedes the tables.
struct Head {
  std::uint32_t virtual_lanes = 0, lanes_needed = 0;
  std::string engine;
  LidMap lids;
  std::uint32_t further = 0;  ///< addresses of each terminal
};

/// The next LID, between these, is the device's.
std::uint32_t take_lid(Head& head, BinarySource& in, Device device, const std::string& name,
                       std::uint32_t lowest, std::uint32_t highest) {
  const auto lid = in.number<std::uint32_t>();
  if (lid < lowest || lid > highest)
    in.fail(fmt::format("LID {} of {}, expected {} to {}", lid, name, lowest, highest));
  if (head.lids.assign(device, lid).known()) in.fail(fmt::format("LID {} is given twice", lid));
  return lid;
}

/// How many further addresses there are, the LIDs of routers and, rank by rank, the further ones of
/// terminals.
void read_further_lids(const Network& network, BinarySource& in, Head& head) {
  head.further = in.number<std::uint32_t>();
  if (head.further == 0 || head.further > kMostFurther)
    in.fail(fmt::format("{} further addresses of a terminal, expected 1 to {}", head.further, kMostFurther));
  for (const RouterId r : network.routers()) {
    take_lid(head, in, Device(Device::Kind::router, r.value), network.router_name(r), 1, kLastUnicastLid);
  }
  std::vector<std::uint32_t> last;  // by terminal: those that follow are above it
  for (const TerminalId t : network.terminals()) last.push_back(head.lids.of(t));
  for (std::uint32_t rank = 1; rank <= head.further; ++rank) {
    for (const TerminalId t : network.terminals()) {
      last[t.value] = take_lid(head, in, Device(Device::Kind::terminal, t.value), network.terminal_name(t),
                               last[t.value] + 1, kLastUnicastLid);
    }
  }
}

/// Of a file whose magic number, version and checksum are right.
Head read_head(const Network& network, BinarySource& in, std::uint32_t width) {
  (void)in.bytes(kMagic.size());
  const bool several = in.number<std::uint32_t>() == kVersionOfSeveral;
  if (in.number<std::uint64_t>() != network.fingerprint())
    in.fail("the tables were made for another network");
  const auto routers = in.number<std::uint32_t>();
  const auto terminals = in.number<std::uint32_t>();
  if (routers != network.router_count() || terminals != network.terminal_count() ||
      width != in.number<std::uint32_t>()) {
    in.fail("the sizes do not fit the network");
  }
  Head head;
  head.virtual_lanes = in.number<std::uint32_t>();
  head.lanes_needed = in.number<std::uint32_t>();
  if (head.virtual_lanes > kMostLanes || head.lanes_needed > kMostLanes)
    in.fail(fmt::format("more than {} lanes", kMostLanes));
  const auto name_length = in.number<std::uint32_t>();
  if (name_length > kLongestName) in.fail("the engine's name is too long");
  head.engine = in.bytes(name_length);
  head.lids = LidMap(network);
  for (const TerminalId t : network.terminals()) {
    take_lid(head, in, Device(Device::Kind::terminal, t.value), network.terminal_name(t), 1,
             several ? kLastUnicastLid : LidMap::kHighest);
  }
  if (several) read_further_lids(network, in, head);
  return head;
}

/// SL-to-VL rows, equal ones that follow each other told once: count, then the 16 lanes; a count of 0 ends.
void write_lane_map(const Network& network, const LaneMap& map, BinarySink& out) {
  LaneMap::Row row{};
  std::uint32_t count = 0;
  const auto flush = [&] {
    out.number(count);
    if (count > 0) out.bytes(row.data(), row.size());
  };
  for_each_port_pair(network, [&](RouterId r, std::uint16_t in_port, std::uint16_t out_port) {
    const LaneMap::Row& next = map.get(r, in_port, out_port);
    if (count > 0 && (next != row || count == 0xFFFFFFFFU)) {
      flush();
      count = 0;
    }
    row = next;
    ++count;
  });
  if (count > 0) flush();
  count = 0;
  flush();
}

std::shared_ptr<const LaneMap> read_lane_map(const Network& network, BinarySource& in) {
  auto map = std::make_shared<LaneMap>(network, std::uint8_t{LaneMap::kLevels});
  std::uint32_t left = 0;
  LaneMap::Row row{};
  for_each_port_pair(network, [&](RouterId r, std::uint16_t in_port, std::uint16_t out_port) {
    if (left == 0) {
      left = in.number<std::uint32_t>();
      if (left == 0) in.fail("the SL-to-VL tables end early");
      const std::string_view bytes = in.bytes(row.size());
      std::memcpy(row.data(), bytes.data(), bytes.size());
      for (const std::uint8_t lane : row) {
        if (lane >= LaneMap::kLevels) in.fail(fmt::format("lane {} in an SL-to-VL table", lane));
      }
    }
    map->set(r, in_port, out_port, row);
    --left;
  });
  if (left != 0 || in.number<std::uint32_t>() != 0) in.fail("more SL-to-VL rows than the network has ports");
  return map;
}

template <class Entry>
void check_entries(const Network& network, const ForwardingTable& table, const BinarySource& in) {
  const auto entries = table.entries<Entry>();
  std::size_t at = 0;
  for (const RouterId r : network.routers()) {
    const std::uint32_t degree = network.out(r).size();
    for (std::uint32_t t = 0; t < network.terminal_count(); ++t, ++at) {
      const Entry entry = entries[at];
      if (entry >= degree && entry < ForwardingTable::stray<Entry>) {
        in.fail(fmt::format("an entry of {} names a channel it does not have", network.router_name(r)));
      }
      if (entry == ForwardingTable::here<Entry> && network.router_of(TerminalId(t)) != r) {
        in.fail(fmt::format("an entry of {} delivers a terminal of another router", network.router_name(r)));
      }
    }
  }
}

/// Rows that some terminals of a router share are written for each of them.
ServiceLevels::Rows kind_of_levels(const Routing& routing) {
  return routing.service_levels.shared_by_router() ? routing.service_levels.rows()
                                                   : ServiceLevels::Rows::by_terminal;
}

void write_rows(const Network& network, const Routing& routing, BinarySink& out) {
  const auto table = routing.table().bytes();
  out.bytes(table.data(), table.size());
  const ServiceLevels& levels = routing.service_levels;
  const auto put = [&](std::uint32_t row) { out.bytes(levels.row(row).data(), levels.row(row).size()); };
  if (levels.shared_by_router()) {
    for (std::uint32_t i = 0; i < levels.row_count(); ++i) put(i);
  } else {
    for (const TerminalId t : network.terminals()) put(levels.row_of(t));
  }
}

std::uint32_t read_kind_of_levels(BinarySource& in) {
  const auto rows = in.number<std::uint32_t>();
  if (rows > static_cast<std::uint32_t>(ServiceLevels::Rows::by_terminal)) {
    in.fail("unknown kind of service levels");
  }
  return rows;
}

/// Forwarding tables, and service levels of that kind, each below `most_levels`.
void read_rows(const Network& network, BinarySource& in, std::uint32_t kind, std::uint32_t most_levels,
               Routing& routing) {
  // Before there is memory for them.
  const std::size_t size = std::size_t{network.router_count()} * network.terminal_count();
  const std::string_view bytes = in.bytes(size * ForwardingTable::width_for(network));
  routing.paths = ForwardingTable(network);
  if (!bytes.empty()) std::memcpy(routing.table().bytes().data(), bytes.data(), bytes.size());
  if (routing.table().width() == 1) {
    check_entries<std::uint8_t>(network, routing.table(), in);
  } else {
    check_entries<std::uint16_t>(network, routing.table(), in);
  }
  if (kind == 0) return;
  const std::uint32_t terminals = network.terminal_count();
  const std::size_t needed =
      std::size_t{terminals} *
      (kind == static_cast<std::uint32_t>(ServiceLevels::Rows::by_terminal) ? terminals : 1);
  if (needed > in.left()) in.fail("the service levels end early");
  routing.service_levels = ServiceLevels(network, static_cast<ServiceLevels::Rows>(kind));
  for (std::uint32_t i = 0; i < routing.service_levels.row_count(); ++i) {
    const std::string_view row = in.bytes(terminals);
    std::memcpy(routing.service_levels.row(i).data(), row.data(), row.size());
  }
  if (routing.service_levels.highest() >= most_levels) in.fail("a service level is out of range");
}

}  // namespace

bool recognises_table_binary(std::string_view head) {
  return head.starts_with(kMagic);
}

void write_table_binary(const Network& network, const Routing& routing, const std::string& path) {
  if (routing.virtual_lanes > kMostLanes || routing.lanes_needed > kMostLanes) {
    throw InputError(fmt::format("the tables use {} lanes, the format has room for {}", routing.virtual_lanes,
                                 kMostLanes));
  }
  const LidMap lids = lids_of_addresses(network, routing);
  const auto kind = [](const Routing& one) { return static_cast<std::uint32_t>(kind_of_levels(one)); };
  write_file(path, [&](const FileSink& sink) {
    BinarySink out(sink);
    out.bytes(kMagic.data(), kMagic.size());
    out.number(routing.further.empty() ? kVersion : kVersionOfSeveral);
    out.number(network.fingerprint());
    out.number(network.router_count());
    out.number(network.terminal_count());
    out.number(routing.table().width());
    out.number(routing.virtual_lanes);
    out.number(routing.lanes_needed);
    const std::string engine = routing.engine.substr(0, kLongestName);
    out.number(static_cast<std::uint32_t>(engine.size()));
    out.bytes(engine.data(), engine.size());
    for (const TerminalId t : network.terminals()) out.number(lids.of(t));
    if (const auto further = static_cast<std::uint32_t>(routing.further.size()); further > 0) {
      out.number(further);
      for (const RouterId r : network.routers()) out.number(lids.of(r));
      for (std::uint32_t rank = 1; rank <= further; ++rank) {
        for (const TerminalId t : network.terminals()) out.number(lids.of(t) + rank);
      }
    }
    out.number(kind(routing));
    out.number(std::uint32_t{routing.lane_map == nullptr ? 0U : 1U});
    write_rows(network, routing, out);
    for (const Routing& further : routing.further) {
      out.number(kind(further));
      write_rows(network, further, out);
    }
    if (routing.lane_map != nullptr) write_lane_map(network, *routing.lane_map, out);
    out.finish();
  });
}

Routing read_table_binary(const Network& network, std::string_view text, const std::string& name) {
  constexpr std::size_t kSumBytes = sizeof(std::uint64_t);
  if (text.size() < kMagic.size() + sizeof kVersion + sizeof(std::uint64_t) + kSumBytes ||
      !text.starts_with(kMagic)) {
    throw InputError(fmt::format("{}: too short for binary tables", name));
  }
  BinarySource in(text.substr(0, text.size() - kSumBytes), name);
  std::uint32_t version = 0;
  std::memcpy(&version, text.data() + kMagic.size(), sizeof version);
  if (version != kVersion && version != kVersionOfSeveral) {
    in.fail(
        fmt::format("version {} of binary tables, expected {} or {}", version, kVersion, kVersionOfSeveral));
  }
  std::uint64_t sum = 0;
  std::memcpy(&sum, text.data() + text.size() - kSumBytes, kSumBytes);
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(text.data(), text.size() - kSumBytes)));
  if (hash.value() != sum) in.fail("the checksum does not fit: the file is damaged or ends early");
  Routing routing;
  Head head = read_head(network, in, ForwardingTable::width_for(network));
  routing.engine = std::move(head.engine);
  routing.virtual_lanes = head.virtual_lanes;
  routing.lanes_needed = head.lanes_needed;
  // Several addresses are InfiniBand's, and so are the levels then.
  const std::uint32_t most_levels = head.further > 0 ? LaneMap::kLevels : kMostLanes;
  const std::uint32_t kind = read_kind_of_levels(in);
  const auto has_lane_map = in.number<std::uint32_t>();
  read_rows(network, in, kind, most_levels, routing);
  for (std::uint32_t rank = 1; rank <= head.further; ++rank) {
    const std::uint32_t kind_of_further = read_kind_of_levels(in);
    read_rows(network, in, kind_of_further, most_levels, routing.further.emplace_back());
  }
  if (has_lane_map != 0) routing.lane_map = read_lane_map(network, in);
  if (in.left() != 0) in.fail("more bytes than the tables need");
  limit_lanes(routing, std::min<std::uint32_t>(std::max(routing.virtual_lanes, 1U), LaneMap::kDrop));
  share_with_further(routing);
  return routing;
}

LidMap table_binary_lids(const Network& network, std::string_view text, const std::string& name) {
  BinarySource in(text, name);
  return read_head(network, in, ForwardingTable::width_for(network)).lids;
}

}  // namespace unknot
