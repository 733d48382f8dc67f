// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "unknot/ethernet/files/json_access.hpp"
#include "unknot/ethernet/files/readers.hpp"

namespace unknot::ethernet {
namespace {

using nlohmann::json;

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& name) : file_(text, name) {
    file_.require_object(file_.document(), "the document");
    config_.hostname =
        file_.string(row(table("DEVICE_METADATA"), "localhost"), "hostname", "DEVICE_METADATA");
    for (const auto& [port, entry] : table("PORT").items()) {
      file_.require_object(entry, "PORT." + port);
      const std::string& alias = file_.string(entry, "alias", "PORT." + port);
      if (!alias.empty()) config_.port_of_alias[alias] = port;
    }
    add_members("PORTCHANNEL_MEMBER");
    for (const auto& [channel, entry] : table("PORTCHANNEL").items()) {
      const std::string where = "PORTCHANNEL." + channel;
      file_.require_object(entry, where);
      config_.members[channel];
      const std::string& least = file_.string(entry, "min_links", where);
      if (!least.empty()) config_.min_links[channel] = below(least, 256, where + ".min_links");
    }
    add_members("VLAN_MEMBER");
    for (const auto& [key, entry] : table("LOOPBACK_INTERFACE").items()) {
      const std::size_t bar = key.find('|');
      if (bar == std::string::npos) continue;
      std::optional<Prefix> own = parse_prefix(key.substr(bar + 1));
      if (!own) file_.fail("LOOPBACK_INTERFACE." + key, "an address after the bar");
      config_.loopbacks.push_back(*own);
    }
    read_quality();
    read_tunnel();
  }
  SwitchConfig take() { return std::move(config_); }

 private:
  const json& table(const char* name) const { return file_.object(file_.document(), name, "the document"); }
  const json& row(const json& of, const std::string& name) const {
    return file_.object(of, name.c_str(), name);
  }

  void add_members(const char* name) {
    for (const auto& [key, entry] : table(name).items()) {
      const std::size_t bar = key.find('|');
      if (bar == std::string::npos) file_.fail(fmt::format("{}.{}", name, key), "NAME|PORT");
      config_.members[key.substr(0, bar)].push_back(key.substr(bar + 1));
    }
  }

  std::uint8_t below(const std::string& text, unsigned bound, const std::string& where) const {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value >= bound)
      file_.fail(where, fmt::format("a whole number below {}", bound));
    return static_cast<std::uint8_t>(value);
  }

  std::uint8_t value_below(const json& value, unsigned bound, const std::string& where) const {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) file_.fail(where, "a string");
    return below(*text, bound, where);
  }

  /// The map that a field names, as "AZURE" or "[DSCP_TO_TC_MAP|AZURE]", put into `map`. False where the
  /// field is not there.
  template <std::size_t kSize>
  bool read_map(const json& holder, const char* field, const char* in_table, const std::string& where,
                unsigned bound, std::array<std::uint8_t, kSize>& map) const {
    std::string name = file_.string(holder, field, where);
    if (name.empty()) return false;
    if (name.front() == '[' && name.back() == ']') name = name.substr(1, name.size() - 2);
    const std::size_t bar = name.find('|');
    if (bar != std::string::npos) name = name.substr(bar + 1);
    const json& found = table(in_table);
    if (!found.contains(name))
      file_.fail(where + "." + field, fmt::format("a map of {}, and \"{}\" is none", in_table, name));
    map.fill(0);
    const std::string map_name = fmt::format("{}.{}", in_table, name);
    for (const auto& [key, value] : row(found, name).items()) {
      map[below(key, kSize, map_name)] = value_below(value, bound, fmt::format("{}.{}", map_name, key));
    }
    return true;
  }

  PortQuality quality(const json& entry, const std::string& where) const {
    PortQuality made;
    read_map(entry, "dscp_to_tc_map", "DSCP_TO_TC_MAP", where, kPriorities, made.class_of_code_point);
    read_map(entry, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", where, kPriorities, made.group_of_class);
    read_map(entry, "tc_to_queue_map", "TC_TO_QUEUE_MAP", where, kPriorities, made.queue_of_class);
    read_map(entry, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", where, kPriorities,
             made.queue_of_priority);
    const std::string& enabled = file_.string(entry, "pfc_enable", where);
    for (std::size_t at = 0; at < enabled.size();) {
      const std::size_t end = std::min(enabled.find(',', at), enabled.size());
      made.lossless |= static_cast<std::uint8_t>(
          1U << below(enabled.substr(at, end - at), kPriorities, where + ".pfc_enable"));
      at = end + 1;
    }
    return made;
  }

  void read_quality() {
    const json& ports = table("PORT");
    for (const auto& [key, entry] : table("PORT_QOS_MAP").items()) {
      const std::string where = "PORT_QOS_MAP." + key;
      file_.require_object(entry, where);
      const PortQuality made = quality(entry, where);
      if (key == "global") continue;  // of the switch's own traffic
      for (std::size_t at = 0; at < key.size();) {
        const std::size_t end = std::min(key.find(',', at), key.size());
        const std::string port = key.substr(at, end - at);
        if (!ports.empty() && !ports.contains(port) && config_.members.count(port) == 0)
          file_.fail(where, fmt::format("ports of PORT, and \"{}\" is none", port));
        config_.quality[port] = made;
        at = end + 1;
      }
    }
  }

  void read_tunnel() {
    const json& tunnels = table("TUNNEL");
    const json& peers = table("PEER_SWITCH");
    if (tunnels.empty() || peers.empty()) return;
    const std::string where = "TUNNEL." + tunnels.begin().key();
    const json& entry = row(tunnels, tunnels.begin().key());
    TunnelConfig tunnel;
    const json& peer = row(peers, peers.begin().key());
    const std::optional<Prefix> address =
        parse_prefix(file_.string(peer, "address_ipv4", "PEER_SWITCH." + peers.begin().key()));
    if (!address) file_.fail(fmt::format("PEER_SWITCH.{}.address_ipv4", peers.begin().key()), "an address");
    tunnel.peer = *address;
    TunnelQuality& made = tunnel.quality;
    made.pipe = file_.string(entry, "dscp_mode", where) == "pipe";
    made.maps_in = read_map(entry, "decap_dscp_to_tc_map", "DSCP_TO_TC_MAP", where, kPriorities,
                            made.class_of_code_point);
    made.groups_in = read_map(entry, "decap_tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", where, kPriorities,
                              made.group_of_class);
    made.queues_out =
        read_map(entry, "encap_tc_to_queue_map", "TC_TO_QUEUE_MAP", where, kPriorities, made.queue_of_class);
    made.code_points_out = read_map(entry, "encap_tc_color_to_dscp_map", "TC_TO_DSCP_MAP", where, kCodePoints,
                                    made.code_point_of_class);
    if (!made.code_points_out) {
      made.code_points_out = read_map(entry, "encap_tc_to_dscp_map", "TC_TO_DSCP_MAP", where, kCodePoints,
                                      made.code_point_of_class);
    }
    config_.tunnel = tunnel;
  }

  JsonFile file_;
  SwitchConfig config_;
};

}  // namespace

SwitchConfig read_config(std::string_view text, const std::string& file) {
  return ConfigReader(text, file).take();
}

}  // namespace unknot::ethernet
