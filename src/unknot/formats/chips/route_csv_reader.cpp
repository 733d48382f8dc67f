// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// The fields of a line; nothing where a quote has no end or text follows it.
std::optional<std::vector<std::string>> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ',') {
      fields.emplace_back();
    } else if (line[i] == '"' && fields.back().empty()) {
      for (++i;; ++i) {
        if (i == line.size()) return std::nullopt;
        if (line[i] == '"' && (i + 1 == line.size() || line[++i] != '"')) break;
        fields.back() += line[i];
      }
      if (i < line.size() && line[i] == ',') fields.emplace_back();
      if (i + 1 < line.size() && line[i] != ',') return std::nullopt;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

struct CsvColumns {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t router = kNone, destination = kNone, port = kNone, next = kNone, count = 0;
};

std::optional<CsvColumns> csv_columns(std::string_view line) {
  auto names = csv_fields(line);
  if (!names) return std::nullopt;
  for (std::string& name : *names) std::replace(name.begin(), name.end(), '_', ' ');
  CsvColumns columns;
  columns.count = names->size();
  const auto find = [&](std::string_view name) {
    const auto at = std::find(names->begin(), names->end(), name);
    return at == names->end() ? CsvColumns::kNone : static_cast<std::size_t>(at - names->begin());
  };
  columns.router = find("router");
  columns.destination = find("destination");
  columns.port = find("port");
  columns.next = find("next hop");
  if (columns.destination == CsvColumns::kNone) return std::nullopt;
  return columns;
}

/// Of the first line of a file.
std::optional<CsvColumns> csv_head_columns(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\0') != std::string_view::npos) return std::nullopt;
  return csv_columns(line);
}

class CsvReader {
 public:
  explicit CsvReader(const Network& network)
      : network_(network),
        table_(network),
        given_(std::size_t{network.router_count()} * network.terminal_count(), false),
        told_(network.router_count(), false) {
    for (const RouterId r : network.routers()) add(routers_, network.router_name(r), r.value);
    for (const TerminalId t : network.terminals()) add(terminals_, network.terminal_name(t), t.value);
  }

  /// The rows of all routers, each with its name.
  void read(std::string_view text, const std::string& file) {
    Lines lines(text, file);
    begin(lines, "router, destination");
    if (columns_.router == CsvColumns::kNone) refuse_columns("router, destination");
    rows(std::nullopt);
  }
  /// The same, or without names the rows of this router.
  void read_one(std::string_view text, const std::string& file, const std::string& router) {
    Lines lines(text, file);
    begin(lines, "destination");
    if (columns_.router != CsvColumns::kNone) return rows(std::nullopt);
    const auto found = routers_.find(router);
    if (found == routers_.end() || found->second == kTwo) {
      throw InputError(fmt::format("{}: {}", file,
                                   found == routers_.end()
                                       ? fmt::format("no router '{}' in the fabric, expected the name of one "
                                                     "before .csv, or a column 'router'",
                                                     shown(router))
                                       : fmt::format("two routers of the fabric are called '{}', expected a "
                                                     "fabric in which names differ",
                                                     shown(router))));
    }
    told_[found->second] = true;
    rows(RouterId(found->second));
  }

  [[nodiscard]] const std::vector<bool>& told() const { return told_; }
  [[nodiscard]] ForwardingTable take() { return std::move(table_); }

 private:
  using Names = std::map<std::string, std::uint32_t, std::less<>>;
  static constexpr std::uint32_t kTwo = 0xFFFFFFFFU;

  static void add(Names& names, const std::string& name, std::uint32_t number) {
    const auto [at, fresh] = names.emplace(name, number);
    if (!fresh) at->second = kTwo;
  }
  std::uint32_t find(const Names& names, const std::string& name, std::string_view what) const {
    const auto found = names.find(name);
    if (found == names.end()) lines_->fail(fmt::format("no {} {} in the fabric", what, place_shown(name)));
    if (found->second == kTwo)
      lines_->fail(fmt::format("two of the fabric are called {}", place_shown(name)));
    return found->second;
  }

  [[noreturn]] void refuse_columns(std::string_view needed) const {
    throw InputError(lines_->file(), 1, fmt::format("expected the columns {}, and port or next hop", needed));
  }
  void begin(Lines& lines, std::string_view needed) {
    lines_ = &lines;
    const std::optional<CsvColumns> columns = lines.next() ? csv_columns(lines.line()) : std::nullopt;
    if (!columns) refuse_columns(needed);
    columns_ = *columns;
  }

  void rows(std::optional<RouterId> one) {
    if (columns_.port == CsvColumns::kNone && columns_.next == CsvColumns::kNone)
      lines_->fail("expected a column 'port' or 'next hop'");
    while (lines_->next()) {
      if (lines_->line().empty()) continue;
      const auto fields = csv_fields(lines_->line());
      if (!fields || fields->size() != columns_.count) {
        lines_->fail(fmt::format("expected {} values with commas between them, not {}", columns_.count,
                                 place_shown(lines_->line())));
      }
      const RouterId r = one ? *one : RouterId(find(routers_, (*fields)[columns_.router], "router"));
      const TerminalId t(find(terminals_, (*fields)[columns_.destination], "destination"));
      const std::size_t at = std::size_t{r.value} * network_.terminal_count() + t.value;
      if (given_[at]) {
        lines_->fail(fmt::format("a second row of router {} for {}", shown(network_.router_name(r)),
                                 shown(network_.terminal_name(t))));
      }
      given_[at] = true;
      told_[r.value] = true;
      enter(r, t, *fields);
    }
  }

  /// Position among out(r) of the link by `port`; kStray where it leads elsewhere.
  std::uint32_t position_of(RouterId r, std::uint16_t port) const {
    const ChannelId c = network_.channel_at(r, port);
    return c.valid() ? c.value - network_.out(r).first() : ForwardingTable::kStray;
  }

  void enter(RouterId r, TerminalId t, const std::vector<std::string>& fields) {
    std::optional<std::uint16_t> port;
    if (columns_.port != CsvColumns::kNone) {
      const std::string& text = fields[columns_.port];
      Cursor cursor(text);
      const auto number = cursor.decimal(network_.port_count(r));
      if (!number || *number == 0 || !cursor.at_end()) {
        lines_->fail(fmt::format("port: expected a port from 1 to {} of router {}, not {}",
                                 network_.port_count(r), shown(network_.router_name(r)), place_shown(text)));
      }
      port = static_cast<std::uint16_t>(*number);
    }
    const bool here = network_.router_of(t) == r;
    if (columns_.next != CsvColumns::kNone) {
      const std::string& next = fields[columns_.next];
      if (here) {
        if (next != network_.terminal_name(t)) {
          lines_->fail(fmt::format("next hop: {} is on this router, expected its name, not {}",
                                   shown(network_.terminal_name(t)), place_shown(next)));
        }
      } else if (!next.empty() || !port) {
        require_next(r, RouterId(find(routers_, next, "router")), port);
      }
    }
    if (here) {
      if (port && *port != network_.terminal_port(t)) {
        lines_->fail(fmt::format("port: {} is on port {} of this router, not on {}",
                                 shown(network_.terminal_name(t)), network_.terminal_port(t), *port));
      }
      return;
    }
    const std::uint32_t position = position_of(r, *port);
    if (position == ForwardingTable::kStray) {
      table_.set_stray(r, t, *port);
    } else {
      table_.set(r, t, position);
    }
  }

  /// Finds the port where none is given.
  void require_next(RouterId r, RouterId next, std::optional<std::uint16_t>& port) const {
    std::uint32_t links = 0;
    bool same = false;
    std::uint16_t last = 0;
    for (const ChannelId c : network_.out(r)) {
      if (network_.target(c) != next) continue;
      ++links;
      last = network_.source_port(c);
      same = same || last == port;
    }
    if (links == 0) {
      lines_->fail(fmt::format("next hop: no link from router {} to {}", shown(network_.router_name(r)),
                               shown(network_.router_name(next))));
    }
    if (!port && links > 1) {
      lines_->fail(fmt::format("next hop: {} links from router {} to {}, expected a column 'port'", links,
                               shown(network_.router_name(r)), shown(network_.router_name(next))));
    }
    if (port && !same) {
      lines_->fail(fmt::format("port {} of router {} does not lead to {}", *port,
                               shown(network_.router_name(r)), shown(network_.router_name(next))));
    }
    port = port.value_or(last);
  }

  const Network& network_;
  Lines* lines_ = nullptr;  // of the file that is read
  ForwardingTable table_;
  std::vector<bool> given_;  // by router and terminal: has a row
  std::vector<bool> told_;   // by router: has a file or a row
  Names routers_, terminals_;
  CsvColumns columns_;
};

}  // namespace

bool recognises_route_csv(std::string_view head) {
  const auto columns = csv_head_columns(head);
  return columns && columns->router != CsvColumns::kNone;
}

bool recognises_router_csv(std::string_view head) {
  const auto columns = csv_head_columns(head);
  return columns && columns->router == CsvColumns::kNone &&
         (columns->port != CsvColumns::kNone || columns->next != CsvColumns::kNone);
}

Routing read_route_csv(const Network& network, std::string_view text, const std::string& name) {
  CsvReader reader(network);
  reader.read(text, name);
  Routing routing;
  routing.engine = name;
  routing.paths = reader.take();
  return routing;
}

Routing read_route_csv_files(const Network& network, const std::vector<RouteCsvFile>& files,
                             const std::function<std::string(const std::string& path)>& text_of,
                             const std::string& name) {
  CsvReader reader(network);
  for (const RouteCsvFile& file : files) reader.read_one(text_of(file.path), file.path, file.router);
  std::size_t missing = 0;
  std::string first;
  for (const RouterId r : network.routers()) {
    if (!reader.told()[r.value] && missing++ == 0) first = shown(network.router_name(r));
  }
  if (missing > 0) {
    throw InputError(
        fmt::format("{}: expected a file {}.csv for router {}{}, with its first line alone where "
                    "a router forwards nothing",
                    name, first, first, missing == 1 ? "" : fmt::format(", and for {} others", missing - 1)));
  }
  Routing routing;
  routing.engine = name;
  routing.paths = reader.take();
  return routing;
}

}  // namespace unknot
