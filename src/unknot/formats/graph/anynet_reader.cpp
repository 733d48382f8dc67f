// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMaxNumber = 0x7FFFFFFFU;  // BookSim's are signed

/// "router 3" or "node 7".
struct Numbered {
  bool router = false;
  std::uint32_t number = 0;
};

std::optional<Numbered> read_device(Cursor& cursor) {
  cursor.skip_blanks();
  Cursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word != "router" && word != "node") return std::nullopt;
  ahead.skip_blanks();
  const auto number = ahead.decimal(kMaxNumber);
  if (!number || !(ahead.at_end() || Cursor::is_blank(ahead.peek()))) return std::nullopt;
  cursor = ahead;
  return Numbered{word == "router", static_cast<std::uint32_t>(*number)};
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : lines_(text, file), file_(file) {}

  Network run() {
    while (lines_.next()) read_line(Cursor(lines_.line()));
    if (routers_.empty()) throw InputError(fmt::format("{}: no router in this file", file_));
    sort_unique(routers_);
    sort_unique(cables_);
    keep_last_arcs();
    require_dense();
    return build();
  }

 private:
  template <class T>
  static void sort_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  void read_line(Cursor cursor) {
    cursor.skip_blanks();
    if (cursor.at_end()) return;
    const std::optional<Numbered> head = read_device(cursor);
    if (!head) fail_at(cursor, "a line such as 'router 0 node 0 router 1'");
    note(*head);
    while (true) {
      cursor.skip_blanks();
      if (cursor.at_end()) return;
      const std::optional<Numbered> other = read_device(cursor);
      if (!other) fail_at(cursor, "'router' or 'node' and a number");
      note(*other);
      cursor.skip_blanks();
      connect(*head, *other, Cursor::is_digit(cursor.peek()) ? read_latency(cursor) : 0);
    }
  }
  std::uint32_t read_latency(Cursor& cursor) const {
    Cursor ahead = cursor;
    const auto cycles = ahead.decimal(kMaxNumber);
    if (!cycles || *cycles == 0 || !(ahead.at_end() || Cursor::is_blank(ahead.peek())))
      fail_at(cursor, "the cycles of a channel, at least 1");
    cursor = ahead;
    return static_cast<std::uint32_t>(*cycles);
  }
  [[noreturn]] void fail_at(const Cursor& cursor, std::string_view what) const {
    lines_.fail(fmt::format("expected {}, not {}", what, place_shown(cursor.rest())));
  }

  void note(const Numbered& device) {
    if (device.router && (routers_.empty() || routers_.back() != device.number))
      routers_.push_back(device.number);
  }

  /// `latency`: 0 where the file says none.
  void connect(const Numbered& head, const Numbered& other, std::uint32_t latency) {
    if (head.router && other.router) {
      if (head.number == other.number)
        lines_.fail(fmt::format("router {} is connected to itself", head.number));
      cables_.emplace_back(std::min(head.number, other.number), std::max(head.number, other.number));
      arcs_.push_back({head.number, other.number, latency});
      return;
    }
    if (!head.router && !other.router)
      lines_.fail(fmt::format("nodes {} and {} are connected without a router", head.number, other.number));
    const std::uint32_t node = head.router ? other.number : head.number;
    homes_.push_back({node, head.router ? head.number : other.number, lines_.number(), latency});
  }

  struct Home {
    std::uint32_t node, router, line, latency;
    bool operator<(const Home& other) const {
      return node != other.node ? node < other.node : line < other.line;
    }
  };

  /// A channel as a line states it: what it says is of the direction from the head of the line.
  struct Arc {
    std::uint32_t from, to, latency;
    bool operator<(const Arc& other) const { return from != other.from ? from < other.from : to < other.to; }
  };

  /// As BookSim, the last line that states a channel has the last word, even where it says no latency.
  void keep_last_arcs() {
    std::stable_sort(arcs_.begin(), arcs_.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      if (i + 1 == arcs_.size() || arcs_[i] < arcs_[i + 1]) arcs_[kept++] = arcs_[i];
    }
    arcs_.resize(kept);
  }
  [[nodiscard]] std::uint32_t latency_of(std::uint32_t from, std::uint32_t to) const {
    const Arc wanted{from, to, 0};
    const auto found = std::lower_bound(arcs_.begin(), arcs_.end(), wanted);
    return found == arcs_.end() || wanted < *found ? 0 : found->latency;
  }

  /// BookSim numbers both from 0 without gaps.
  void require_dense() {
    for (std::uint32_t r = 0; r < routers_.size(); ++r) {
      if (routers_[r] == r) continue;
      throw InputError(
          fmt::format("{}: no router {}, though there is a router {}", file_, r, routers_.back()));
    }
    std::stable_sort(homes_.begin(), homes_.end());
    std::uint32_t nodes = 0;
    for (std::size_t i = 0; i < homes_.size(); ++i) {
      if (i != 0 && homes_[i].node == homes_[i - 1].node) {
        if (homes_[i].router == homes_[nodes - 1].router) {
          homes_[nodes - 1].latency = homes_[i].latency;
          continue;
        }
        throw InputError(file_, homes_[i].line,
                         fmt::format("node {} is connected to router {} on line {}", homes_[i].node,
                                     homes_[i - 1].router, homes_[i - 1].line));
      }
      if (homes_[i].node != nodes) {
        throw InputError(
            fmt::format("{}: no node {}, though there is a node {}", file_, nodes, homes_.back().node));
      }
      homes_[nodes++] = homes_[i];
    }
    homes_.resize(nodes);
  }

  /// Ports as BookSim counts them: the nodes of a router by number, then its neighbours by number.
  Network build() {
    NetworkBuilder builder;
    builder.reserve(routers_.size(), cables_.size(), homes_.size());
    builder.add_routers(static_cast<std::uint32_t>(routers_.size()));
    std::vector<std::uint32_t> next(routers_.size(), 1);
    const auto take_port = [&](std::uint32_t router) {
      if (next[router] > 65535)
        throw InputError(fmt::format("{}: router {} has more than 65535 ports", file_, router));
      return static_cast<std::uint16_t>(next[router]++);
    };
    bool by_router = true;
    for (std::size_t i = 0; i < homes_.size(); ++i) {
      builder.add_terminal(RouterId(homes_[i].router), take_port(homes_[i].router));
      by_router = by_router && (i == 0 || homes_[i - 1].router <= homes_[i].router);
    }
    // Terminals are numbered by router: where the file does otherwise, names tell its numbers.
    if (!by_router) {
      for (const Home& home : homes_)
        builder.labels().terminal_name.push_back(fmt::format("H-{}", home.node));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends(cables_);  // and the other way round
    for (const auto& [a, b] : cables_) ends.emplace_back(b, a);
    std::sort(ends.begin(), ends.end());
    std::vector<std::uint16_t> port(ends.size());
    for (std::size_t i = 0; i < ends.size(); ++i) port[i] = take_port(ends[i].first);
    const auto port_to = [&](std::uint32_t from, std::uint32_t to) {
      return port[static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), std::pair(from, to)) -
                                           ends.begin())];
    };
    for (const auto& [a, b] : cables_) {
      builder.add_cable(RouterId(a), port_to(a, b), RouterId(b), port_to(b, a));
      builder.set_latency(latency_of(a, b), latency_of(b, a));
    }
    if (std::any_of(homes_.begin(), homes_.end(), [](const Home& home) { return home.latency != 0; })) {
      for (const Home& home : homes_) builder.labels().terminal_latency.push_back(home.latency);
    }
    builder.set_description(file_);
    Network network = std::move(builder).build();
    require_connected(network, file_);
    return network;
  }

  Lines lines_;
  const std::string& file_;
  std::vector<std::uint32_t> routers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cables_;  // the lower number first
  std::vector<Arc> arcs_;
  std::vector<Home> homes_;
};

}  // namespace

Network read_anynet(std::string_view text, const std::string& name) {
  return Reader(text, name).run();
}

bool looks_like_anynet(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    Cursor cursor(lines.line());
    cursor.skip_blanks();
    if (!cursor.at_end()) return read_device(cursor).has_value();
  }
  return false;
}

}  // namespace unknot
