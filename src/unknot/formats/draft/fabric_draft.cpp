// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/draft/fabric_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using End = FabricDraft::End;
using Kind = FabricDraft::Kind;
using Place = FabricDraft::Place;
constexpr std::uint32_t kNone = FabricDraft::kNone;

/// Open-addressing map from a device's id to its index. Built once, half full.
class IdTable {
 public:
  explicit IdTable(const std::vector<FabricDraft::Device>& devices) : devices_(devices) {
    std::size_t slots = 16;
    while (slots < 2 * devices.size()) slots *= 2;
    slots_.assign(slots, kNone);
  }
  /// The device that has the id already, or kNone after putting this one in.
  std::uint32_t insert(std::uint32_t device) {
    std::uint32_t& slot = slots_[locate(devices_[device].id)];
    if (slot != kNone) return slot;
    slot = device;
    return kNone;
  }
  [[nodiscard]] std::uint32_t find(std::string_view id) const { return slots_[locate(id)]; }

 private:
  [[nodiscard]] std::size_t locate(std::string_view id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>{}(id)&mask;
    while (slots_[at] != kNone && devices_[slots_[at]].id != id) at = (at + 1) & mask;
    return at;
  }
  const std::vector<FabricDraft::Device>& devices_;
  std::vector<std::uint32_t> slots_;
};

/// A cable with what both of its ends say put together.
struct Link {
  std::uint32_t device_a, device_b;
  std::uint16_t port_a, port_b;
  LinkRate rate;
  std::uint32_t lid_a, lid_b;              // of the ports
  std::uint64_t port_guid_a, port_guid_b;  // of the ports, 0: not stated
  Place place;
};

/// An address and who has it, to find those given twice.
struct Owner {
  std::uint64_t address;
  std::uint32_t device;
  Place place;
  std::uint32_t part = 0;  // within which the address must be unique
};

class Assembler {
 public:
  Assembler(FabricDraft&& draft, Parts parts) : parts_(parts), draft_(std::move(draft)) {}

  Network run() {
    identify_devices();
    order_ports();
    resolve_peers();
    join_ends();
    check_adapters();
    return build();
  }

 private:
  [[noreturn]] void fail(Place place, const std::string& message) const {
    throw InputError(draft_.files[place.file], place.line, message);
  }
  /// "line 7", with the file when it is another one.
  [[nodiscard]] std::string line_of(Place place, Place seen_from) const {
    if (place.file == seen_from.file) return fmt::format("line {}", place.line);
    return fmt::format("{}:{}", draft_.files[place.file], place.line);
  }
  /// "S-0002c90000000001" (leaf-1): the id that the file uses, and the description.
  [[nodiscard]] std::string device_name(std::uint32_t device) const {
    const FabricDraft::Device& d = draft_.devices[device];
    if (d.name == d.id || d.name.empty()) return fmt::format("\"{}\"", shown(d.id));
    return fmt::format("\"{}\" ({})", shown(d.id), shown(d.name));
  }
  [[nodiscard]] std::string port_name(std::uint32_t device, std::uint16_t port) const {
    return fmt::format("port {} of {}", port, device_name(device));
  }
  [[nodiscard]] std::span<End> ends_of(const FabricDraft::Device& device) {
    return std::span(draft_.ends).subspan(device.first_end, device.end_count);
  }
  [[nodiscard]] bool is_service(const FabricDraft::Device& device) const {
    return device.kind == Kind::gateway ||
           (device.kind == Kind::adapter && device.name.find("Aggregation Node") != std::string_view::npos);
  }

  /// Two owners of one address are an error at the one that comes later in the input.
  void require_unique(std::vector<Owner>& owners, const char* what, bool hexadecimal) const {
    std::sort(owners.begin(), owners.end(), [](const Owner& x, const Owner& y) {
      return std::tie(x.part, x.address, x.place.file, x.place.line) <
             std::tie(y.part, y.address, y.place.file, y.place.line);
    });
    const auto twice = std::adjacent_find(owners.begin(), owners.end(), [](const Owner& x, const Owner& y) {
      return x.part == y.part && x.address == y.address;
    });
    if (twice == owners.end()) return;
    const Owner& first = *twice;
    const Owner& second = *(twice + 1);
    const std::string address =
        hexadecimal ? fmt::format("0x{:016x}", first.address) : fmt::format("{}", first.address);
    fail(second.place, fmt::format("{} has the {} {}, which {} has on {}", device_name(second.device), what,
                                   address, device_name(first.device), line_of(first.place, second.place)));
  }

  void identify_devices() {
    ids_.emplace(draft_.devices);
    std::vector<Owner> guids;
    guids.reserve(draft_.devices.size());
    for (std::uint32_t i = 0; i < draft_.devices.size(); ++i) {
      const FabricDraft::Device& device = draft_.devices[i];
      const std::uint32_t other = ids_->insert(i);
      if (other != kNone) {
        fail(device.place, fmt::format("{} is described twice, first on {}", device_name(i),
                                       line_of(draft_.devices[other].place, device.place)));
      }
      guids.push_back({device.guid, i, device.place});
    }
    require_unique(guids, "GUID", true);
  }

  void order_ports() {
    const auto by_port = [](const End& x, const End& y) { return x.port < y.port; };
    for (const FabricDraft::Device& device : draft_.devices) {
      const std::span<End> ends = ends_of(device);
      if (!std::is_sorted(ends.begin(), ends.end(), by_port))
        std::stable_sort(ends.begin(), ends.end(), by_port);
      for (std::size_t i = 1; i < ends.size(); ++i) {
        if (ends[i].port != ends[i - 1].port) continue;
        fail(ends[i].place,
             fmt::format("{} is used twice, first on {}", port_name(ends[i].device, ends[i].port),
                         line_of(ends[i - 1].place, ends[i].place)));
      }
    }
  }

  void resolve_peers() {
    for (End& end : draft_.ends) {
      end.peer = ids_->find(end.peer_id);
      if (end.peer == kNone) {
        fail(end.place, fmt::format("{} leads to \"{}\", which no record describes",
                                    port_name(end.device, end.port), shown(end.peer_id)));
      }
      const FabricDraft::Device& peer = draft_.devices[end.peer];
      if (end.peer == end.device) {
        fail(end.place, fmt::format("{} is connected to itself", device_name(end.peer)));
      }
      if (end.peer_port > peer.ports) {
        fail(end.place, fmt::format("{} does not exist: it has {} port{}", port_name(end.peer, end.peer_port),
                                    peer.ports, peer.ports == 1 ? "" : "s"));
      }
    }
  }

  /// The statement of a port in its device's record, or null.
  [[nodiscard]] const End* find_end(std::uint32_t device, std::uint16_t port) {
    const std::span<End> ends = ends_of(draft_.devices[device]);
    const auto found = std::lower_bound(ends.begin(), ends.end(), port,
                                        [](const End& end, std::uint16_t p) { return end.port < p; });
    return found != ends.end() && found->port == port ? &*found : nullptr;
  }

  /// What two statements say of one thing; 0 where neither says it.
  template <class T, class Text>
  T agreed(T mine, T others, const End& end, const End* back, const char* what, const Text& text) const {
    if (mine == others || others == 0) return mine;
    if (mine == 0) return others;
    fail(end.place, fmt::format("{} is {} here but {} on {}", what, text(mine), text(others),
                                line_of(back->place, end.place)));
  }

  void join_ends() {
    struct Claim {
      std::uint32_t device;
      std::uint16_t port;
      std::uint32_t end;
    };
    std::vector<Claim> claims;
    links_.reserve(draft_.ends.size() / 2 + 1);
    for (std::uint32_t i = 0; i < draft_.ends.size(); ++i) {
      const End& end = draft_.ends[i];
      const End* back = find_end(end.peer, end.peer_port);
      if (back == nullptr) {
        if (!draft_.one_end_is_enough) {
          fail(end.place, fmt::format("{} leads to {}, whose record does not list that port",
                                      port_name(end.device, end.port), port_name(end.peer, end.peer_port)));
        }
        claims.push_back({end.peer, end.peer_port, i});
      } else if (back->peer != end.device || back->peer_port != end.port) {
        fail(end.place, fmt::format("{} leads to {}, but {} says that this one leads to {}",
                                    port_name(end.device, end.port), port_name(end.peer, end.peer_port),
                                    line_of(back->place, end.place), port_name(back->peer, back->peer_port)));
      }
      if (back != nullptr && &end > back) continue;  // joined when the other end came by
      join(end, back);
    }
    std::stable_sort(claims.begin(), claims.end(), [](const Claim& x, const Claim& y) {
      return std::tie(x.device, x.port) < std::tie(y.device, y.port);
    });
    for (std::size_t i = 1; i < claims.size(); ++i) {
      if (claims[i].device != claims[i - 1].device || claims[i].port != claims[i - 1].port) continue;
      const Place place = draft_.ends[claims[i].end].place;
      fail(place, fmt::format("{} is used twice, first on {}", port_name(claims[i].device, claims[i].port),
                              line_of(draft_.ends[claims[i - 1].end].place, place)));
    }
  }

  void join(const End& end, const End* back) {
    static const End kSilent;
    const End& other = back == nullptr ? kSilent : *back;
    const auto decimal = [](auto value) { return fmt::format("{}", value); };
    const auto hex = [](auto value) { return fmt::format("0x{:016x}", value); };
    const auto rate = [](LinkRate value) { return link_rate_names()[value]; };
    Link link{};
    link.device_a = end.device;
    link.device_b = end.peer;
    link.port_a = end.port;
    link.port_b = end.peer_port;
    link.place = end.place;
    link.rate = agreed(end.rate, other.rate, end, back, "the rate of this link", rate);
    link.lid_a = agreed(end.lid, other.peer_lid, end, back, "the LID of this port", decimal);
    link.lid_b = agreed(end.peer_lid, other.lid, end, back, "the LID of the other port", decimal);
    link.port_guid_a = agreed(end.port_guid, other.peer_port_guid, end, back, "the GUID of this port", hex);
    link.port_guid_b =
        agreed(end.peer_port_guid, other.port_guid, end, back, "the GUID of the other port", hex);
    // A router has one LID, whichever line states it.
    for (const bool second : {false, true}) {
      const std::uint32_t index = second ? link.device_b : link.device_a;
      FabricDraft::Device& device = draft_.devices[index];
      const std::uint32_t lid = second ? link.lid_b : link.lid_a;
      if (device.kind != Kind::router || lid == 0 || lid == device.lid) continue;
      if (device.lid != 0) {
        fail(end.place, fmt::format("{} has the LID {} here but {} on {}", device_name(index), lid,
                                    device.lid, line_of(device.place, end.place)));
      }
      device.lid = lid;
    }
    links_.push_back(link);
  }

  void check_adapters() {
    std::vector<bool> linked(draft_.devices.size(), false);
    for (const Link& link : links_) {
      linked[link.device_a] = linked[link.device_b] = true;
      if (draft_.devices[link.device_a].kind != Kind::router &&
          draft_.devices[link.device_b].kind != Kind::router) {
        fail(link.place, fmt::format("hosts {} and {} are connected without a switch between them",
                                     device_name(link.device_a), device_name(link.device_b)));
      }
    }
    for (std::uint32_t i = 0; i < draft_.devices.size(); ++i) {
      if (draft_.devices[i].kind == Kind::router || linked[i]) continue;
      const bool alone = std::none_of(draft_.devices.begin(), draft_.devices.end(),
                                      [](const FabricDraft::Device& d) { return d.kind == Kind::router; });
      fail(draft_.devices[i].place,
           fmt::format("host {} has no link{}", device_name(i),
                       alone ? ", and no switch is in this file: the port of the host that wrote it is down "
                               "(ibstat shows it there); write it on a host that is on the fabric"
                             : ": connect it, or take it out of the file"));
    }
  }

  /// A port of an adapter with the router port it is on.
  struct Attachment {
    std::uint32_t router;
    std::uint16_t router_port;
    std::uint16_t adapter_port;
    std::uint32_t device;
    std::uint32_t lid;
    std::uint64_t port_guid;
    LinkRate rate;
    Place place;
  };

  Network build() {
    NetworkBuilder builder;
    Labels& labels = builder.labels();
    std::vector<std::uint32_t> router_of(draft_.devices.size(), kNone);
    for (std::uint32_t i = 0; i < draft_.devices.size(); ++i) {
      const FabricDraft::Device& device = draft_.devices[i];
      if (device.kind != Kind::router) continue;
      router_of[i] = builder.add_router().value;
      labels.router_name.emplace_back(device.name);
      labels.router_guid.push_back(device.guid);
      labels.router_lid.push_back(device.lid);
      labels.router_ports.push_back(device.ports);
    }
    builder.reserve(builder.router_count(), links_.size(), 0);

    std::vector<Attachment> attachments;
    for (const Link& link : links_) {
      const std::uint32_t a = router_of[link.device_a];
      const std::uint32_t b = router_of[link.device_b];
      if (a != kNone && b != kNone) {
        builder.add_cable(RouterId(a), link.port_a, RouterId(b), link.port_b, link.rate);
      } else if (a != kNone) {
        attachments.push_back({a, link.port_a, link.port_b, link.device_b, link.lid_b, link.port_guid_b,
                               link.rate, link.place});
      } else {
        attachments.push_back({b, link.port_b, link.port_a, link.device_a, link.lid_a, link.port_guid_a,
                               link.rate, link.place});
      }
    }
    std::sort(attachments.begin(), attachments.end(), [](const Attachment& x, const Attachment& y) {
      return std::tie(x.router, x.router_port) < std::tie(y.router, y.router_port);
    });
    for (Attachment& at : attachments) {
      if (at.port_guid == 0) at.port_guid = draft_.devices[at.device].guid + at.adapter_port;
    }
    check_port_guids(attachments);
    const bool lids = have_lids(attachments);
    if (!lids) labels.router_lid.clear();
    if (lids) labels.lmc = draft_.lmc;

    for (const Attachment& at : attachments) {
      const FabricDraft::Device& device = draft_.devices[at.device];
      if (is_service(device)) {
        labels.service_nodes.push_back({RouterId(at.router), at.router_port, device.guid, at.port_guid,
                                        lids ? at.lid : 0, at.rate, std::string(device.name)});
        continue;
      }
      builder.add_terminal(RouterId(at.router), at.router_port);
      labels.terminal_name.emplace_back(device.name);
      labels.terminal_node_guid.push_back(device.guid);
      labels.terminal_port_guid.push_back(at.port_guid);
      if (lids) labels.terminal_lid.push_back(at.lid);
      labels.terminal_adapter_port.push_back(at.adapter_port);
      labels.terminal_adapter_ports.push_back(device.ports);
      labels.terminal_rate.push_back(at.rate);
    }
    const auto& rates = labels.terminal_rate;
    if (std::all_of(rates.begin(), rates.end(), [](LinkRate rate) { return rate == 0; }))
      labels.terminal_rate.clear();
    builder.set_description(draft_.files.front());
    Network network = std::move(builder).build();
    check_lids(network, router_of, attachments);
    if (parts_ == Parts::one) require_connected(network, draft_.files.front());
    return network;
  }

  void check_port_guids(const std::vector<Attachment>& attachments) const {
    std::vector<Owner> owners;
    owners.reserve(attachments.size());
    for (const Attachment& at : attachments) owners.push_back({at.port_guid, at.device, at.place});
    require_unique(owners, "port GUID", true);
  }

  /// True when every router and terminal has a LID.
  [[nodiscard]] bool have_lids(const std::vector<Attachment>& attachments) const {
    const auto& devices = draft_.devices;
    return std::all_of(devices.begin(), devices.end(),
                       [](const auto& device) { return device.kind != Kind::router || device.lid != 0; }) &&
           std::all_of(attachments.begin(), attachments.end(), [&](const Attachment& at) {
             return at.lid != 0 || is_service(draft_.devices[at.device]);
           });
  }

  void check_lids(const Network& network, const std::vector<std::uint32_t>& router_of,
                  const std::vector<Attachment>& attachments) const {
    std::vector<std::uint32_t> part(network.router_count(), 0);
    if (parts_ == Parts::any) part = weakly_connected_parts(network).part;
    std::vector<Owner> owners;
    owners.reserve(draft_.devices.size());
    for (std::uint32_t i = 0; i < draft_.devices.size(); ++i) {
      const FabricDraft::Device& device = draft_.devices[i];
      if (device.kind == Kind::router && device.lid != 0)
        owners.push_back({device.lid, i, device.place, part[router_of[i]]});
    }
    for (const Attachment& at : attachments) {
      if (at.lid != 0) owners.push_back({at.lid, at.device, at.place, part[at.router]});
    }
    require_unique(owners, "LID", false);
  }

  Parts parts_;
  FabricDraft draft_;
  std::optional<IdTable> ids_;
  std::vector<Link> links_;
};

}  // namespace

void group_ends(FabricDraft& draft) {
  auto& ends = draft.ends;
  for (End& end : ends) end.peer_id = draft.devices[end.peer].id;
  std::stable_sort(ends.begin(), ends.end(), [](const End& x, const End& y) { return x.device < y.device; });
  for (std::uint32_t i = 0; i < ends.size(); ++i) {
    FabricDraft::Device& device = draft.devices[ends[i].device];
    if (device.end_count++ == 0) device.first_end = i;
  }
}

Network assemble(FabricDraft draft, Parts parts) {
  return Assembler(std::move(draft), parts).run();
}

}  // namespace unknot
