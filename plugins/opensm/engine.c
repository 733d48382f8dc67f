// SPDX-License-Identifier: Apache-2.0
// The part of the routing engine that knows OpenSM: shows it the callbacks, and the fabric to the rest.
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// osm_config.h comes first: the layouts of OpenSM's structures depend on what it defines.
#include <opensm/osm_config.h>
#include <opensm/osm_file_ids.h>
// OpenSM filters its log by source file; the messages here go with those of its own plug-in loader. The log's
// header wants to know this, too.
#define FILE_ID OSM_FILE_EVENT_PLUGIN_C
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_version.h>

#include "fabric.h"

struct engine {
  osm_opensm_t* osm;
  osm_routing_engine_t* routing;
  struct unknot_plan* plan;  // what is installed now; null before the first time
  struct unknot_held* held;  // with option live; null without
  struct unknot_plan* next;  // of the sweep at hand, with option live
};

static uint8_t lanes_of_code(uint8_t code) {
  // PortInfo:OperationalVLs and VLCap: 1, 2, 4, 8 or 15 lanes.
  static const uint8_t lanes[] = {1, 1, 2, 4, 8, 15};
  return code < sizeof lanes ? lanes[code] : 15;
}

// Lanes that the port has now; not those that a later sweep may give it, since the SL-to-VL tables that are
// written next are cut to the lanes of now.
static uint8_t lanes_of_port(const osm_opensm_t* osm, const osm_physp_t* port) {
  uint8_t code = ib_port_info_get_op_vls(&port->port_info);
  const uint8_t cap = ib_port_info_get_vl_cap(&port->p_remote_physp->port_info);
  if (cap != 0 && cap < code) code = cap;
  if (osm->subn.opt.max_op_vls != 0 && osm->subn.opt.max_op_vls < code) code = osm->subn.opt.max_op_vls;
  return lanes_of_code(code);
}

// The index of each node is kept in a table sorted as OpenSM's own maps are: by GUID.
struct known {
  uint64_t guid;
  int index;
};

static int by_guid(const void* a, const void* b) {
  const uint64_t x = ((const struct known*)a)->guid;
  const uint64_t y = ((const struct known*)b)->guid;
  return x < y ? -1 : x > y;
}

static int find(const struct known* table, size_t count, uint64_t guid) {
  const struct known key = {guid, 0};
  const struct known* found = bsearch(&key, table, count, sizeof key, by_guid);
  return found != NULL ? found->index : -1;
}

static uint16_t lids_of_port(const osm_port_t* port) {
  uint16_t first = 0;
  uint16_t last = 0;
  osm_port_get_lid_range_ho(port, &first, &last);
  return (uint16_t)(last - first + 1);
}

static int add_nodes(osm_subn_t* subn, struct unknot_fabric* fabric, struct known* switches,
                     size_t* n_switches, struct known* adapters, size_t* n_adapters) {
  cl_qmap_t* ports = &subn->port_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(ports); item != cl_qmap_end(ports); item = cl_qmap_next(item)) {
    const osm_port_t* port = (const osm_port_t*)item;
    const osm_node_t* node = port->p_node;
    const uint64_t node_guid = cl_ntoh64(osm_node_get_node_guid(node));
    const uint64_t port_guid = cl_ntoh64(osm_port_get_guid(port));
    const uint16_t lid = cl_ntoh16(osm_port_get_base_lid(port));
    int index = 0;
    if (node->sw != NULL) {
      index = unknot_fabric_add_switch(fabric, node_guid, node->print_desc, lid, lids_of_port(port),
                                       (uint8_t)(node->sw->num_ports - 1));
      switches[(*n_switches)++] = (struct known){node_guid, index};
    } else {
      index =
          unknot_fabric_add_adapter(fabric, node_guid, port_guid, node->print_desc, lid, lids_of_port(port));
      adapters[(*n_adapters)++] = (struct known){port_guid, index};
    }
    if (index < 0) return -1;
  }
  qsort(switches, *n_switches, sizeof *switches, by_guid);
  qsort(adapters, *n_adapters, sizeof *adapters, by_guid);
  return 0;
}

static int add_links(const osm_opensm_t* osm, struct unknot_fabric* fabric, const struct known* switches,
                     size_t n_switches, const struct known* adapters, size_t n_adapters) {
  const cl_qmap_t* map = &osm->subn.sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(map); item != cl_qmap_end(map); item = cl_qmap_next(item)) {
    const osm_switch_t* sw = (const osm_switch_t*)item;
    const int from = find(switches, n_switches, cl_ntoh64(osm_node_get_node_guid(sw->p_node)));
    if (from < 0) return -1;  // discovered by halves: its port 0 is unknown
    for (unsigned number = 1; number < sw->num_ports; ++number) {
      const osm_physp_t* port = osm_node_get_physp_ptr(sw->p_node, number);
      const osm_physp_t* peer = port != NULL ? port->p_remote_physp : NULL;
      if (peer == NULL || !osm_physp_is_valid(port) || !osm_link_is_healthy(port)) continue;
      int failed = 0;
      if (peer->p_node->sw != NULL) {
        const int to = find(switches, n_switches, cl_ntoh64(osm_node_get_node_guid(peer->p_node)));
        if (to < 0) continue;
        failed = unknot_fabric_link_switch(fabric, from, (uint8_t)number, to, osm_physp_get_port_num(peer),
                                           lanes_of_port(osm, port));
      } else {
        const int to = find(adapters, n_adapters, cl_ntoh64(osm_physp_get_port_guid(peer)));
        if (to < 0) continue;
        failed = unknot_fabric_link_adapter(fabric, from, (uint8_t)number, to);
      }
      if (failed) return -1;
    }
  }
  return 0;
}

static struct unknot_fabric* describe_fabric(osm_opensm_t* osm) {
  const size_t count = cl_qmap_count(&osm->subn.port_guid_tbl) + 1;
  struct known* switches = malloc(count * sizeof *switches);
  struct known* adapters = malloc(count * sizeof *adapters);
  struct unknot_fabric* fabric = unknot_fabric_new();
  size_t n_switches = 0;
  size_t n_adapters = 0;
  if (switches == NULL || adapters == NULL || fabric == NULL ||
      add_nodes(&osm->subn, fabric, switches, &n_switches, adapters, &n_adapters) ||
      add_links(osm, fabric, switches, n_switches, adapters, n_adapters)) {
    unknot_fabric_free(fabric);
    fabric = NULL;
  }
  free(switches);
  free(adapters);
  return fabric;
}

// The option string for switches' external ports, as OpenSM chooses it: 16 lanes separated by commas.
static struct unknot_sl2vl describe_sl2vl(const osm_subn_opt_t* opt) {
  struct unknot_sl2vl result = {opt->qos ? 1 : 0, {0}};
  const char* text = opt->qos_swe_options.sl2vl != NULL ? opt->qos_swe_options.sl2vl : opt->qos_options.sl2vl;
  if (text == NULL) text = OSM_DEFAULT_QOS_SL2VL;
  for (unsigned level = 0; level < 16; ++level) {
    char* end = NULL;
    result.lane[level] = (uint8_t)strtoul(text, &end, 0);
    text = *end != '\0' ? end + 1 : end;
  }
  return result;
}

// All of each table: OpenSM begins each sweep with empty ones, and sends the blocks that differ. `held` has
// the rows where it is not null, else the plan has.
static void install(osm_opensm_t* osm, const struct unknot_plan* plan, const struct unknot_held* held) {
  const cl_qmap_t* ports = &osm->subn.port_guid_tbl;
  int index = 0;
  // The order in which add_nodes() numbered the switches.
  for (cl_map_item_t* item = cl_qmap_head(ports); item != cl_qmap_end(ports); item = cl_qmap_next(item)) {
    osm_switch_t* sw = ((const osm_port_t*)item)->p_node->sw;
    if (sw == NULL) continue;
    unsigned last = 0;
    const uint8_t* row =
        held != NULL ? unknot_held_row(held, index, &last) : unknot_plan_row(plan, index, &last);
    ++index;
    memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
    if (last >= sw->lft_size) last = sw->lft_size - 1U;
    memcpy(sw->new_lft, row, last + 1);  // 0xFF, no row, is OSM_NO_PATH
  }
}

// OpenSM strings the groups of a LID together by a member in their middle.
static const osm_mgrp_t* group_at(const cl_list_item_t* item) {
  return (const osm_mgrp_t*)(const void*)((const char*)item - offsetof(osm_mgrp_t, list_item));
}

// The ports in all groups of the box; null when memory ran out.
static struct unknot_member* list_members(osm_mgrp_box_t* box, size_t* count) {
  size_t room = 1;
  for (cl_list_item_t* at = cl_qlist_head(&box->mgrp_list); at != cl_qlist_end(&box->mgrp_list);
       at = cl_qlist_next(at)) {
    room += cl_qmap_count(&group_at(at)->mcm_port_tbl);
  }
  struct unknot_member* members = calloc(room, sizeof *members);
  if (members == NULL) return NULL;
  for (cl_list_item_t* at = cl_qlist_head(&box->mgrp_list); at != cl_qlist_end(&box->mgrp_list);
       at = cl_qlist_next(at)) {
    const cl_qmap_t* ports = &group_at(at)->mcm_port_tbl;
    for (cl_map_item_t* item = cl_qmap_head(ports); item != cl_qmap_end(ports); item = cl_qmap_next(item)) {
      const osm_port_t* port = ((const osm_mcm_port_t*)item)->port;
      struct unknot_member* member = &members[(*count)++];
      member->port_guid = cl_ntoh64(osm_port_get_guid(port));
      const osm_physp_t* peer = port->p_physp->p_remote_physp;
      if (port->p_node->sw != NULL) {
        member->switch_guid = cl_ntoh64(osm_node_get_node_guid(port->p_node));
      } else if (peer != NULL && peer->p_node->sw != NULL) {
        member->switch_guid = cl_ntoh64(osm_node_get_node_guid(peer->p_node));
        member->port = osm_physp_get_port_num(peer);
      }
    }
  }
  return members;
}

static osm_switch_t* live_switch(osm_opensm_t* osm, uint64_t guid) {
  return osm_get_switch_by_guid(&osm->subn, cl_hton64(guid));
}

// True where the port is still cabled as it was when the tree was checked.
static int is_as_checked(osm_opensm_t* osm, const struct unknot_tree_port* port) {
  const osm_switch_t* sw = live_switch(osm, port->switch_guid);
  if (sw == NULL || !osm_switch_supports_mcast(sw) || port->port >= sw->num_ports) return 0;
  if (port->peer_guid == 0) return 1;
  const osm_physp_t* here = osm_node_get_physp_ptr(sw->p_node, port->port);
  const osm_physp_t* peer = here != NULL ? here->p_remote_physp : NULL;
  return peer != NULL && osm_physp_get_port_num(peer) == port->peer_port &&
         cl_ntoh64(osm_node_get_node_guid(peer->p_node)) == port->peer_guid;
}

static void warn_of_levels(struct engine* engine, osm_mgrp_box_t* box) {
  for (cl_list_item_t* at = cl_qlist_head(&box->mgrp_list); at != cl_qlist_end(&box->mgrp_list);
       at = cl_qlist_next(at)) {
    uint8_t level = 0;
    ib_member_get_sl_flow_hop(group_at(at)->mcmember_rec.sl_flow_hop, &level, NULL, NULL);
    if (unknot_plan_level_warning(engine->plan, box->mlid, level) != 1) continue;
    OSM_LOG(
        &engine->osm->log, OSM_LOG_ERROR,
        "ERR UK03: unknot: warning: group 0x%X has service level %u, on which its tree is not proven free of "
        "deadlock with the tables; it is installed\n",
        box->mlid, level);
  }
}

// Called for each group whose members changed, and for all after the tables, with OpenSM's lock held for
// writing and the group's old ports cleared. What it returns only goes to the log: a group that fails has no
// tree at all. OpenSM's own tree would not be proven.
//
// All members receive, also those that asked only to send: OpenSM does no other. The osm_mtree of the box
// stays empty, since OpenSM does nothing with it but to free it.
static ib_api_status_t build_tree(void* context, osm_mgrp_box_t* box) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  osm_purge_mtree(&osm->sm, box);
  if (engine->plan == NULL) return IB_ERROR;
  size_t count = 0;
  struct unknot_member* members = list_members(box, &count);
  struct unknot_tree_port* ports = NULL;
  const int n_ports =
      members != NULL ? unknot_plan_tree(engine->plan, box->mlid, members, count, &ports) : -1;
  ib_api_status_t status = n_ports < 0 ? IB_INSUFFICIENT_MEMORY : IB_SUCCESS;
  for (size_t i = 0; status == IB_SUCCESS && i < count; ++i) {
    if (!members[i].outside) continue;
    OSM_LOG(&osm->log, OSM_LOG_ERROR,
            "ERR UK04: unknot: port 0x%016" PRIx64
            " is in group 0x%X, but the tree of 0x%X does not reach its switch; it is left out\n",
            members[i].port_guid, box->mlid, unknot_plan_tree_lid(engine->plan, box->mlid));
  }
  for (int i = 0; status == IB_SUCCESS && i < n_ports; ++i) {
    if (is_as_checked(osm, &ports[i])) continue;
    OSM_LOG(&osm->log, OSM_LOG_ERROR,
            "ERR UK05: unknot: port %u of switch 0x%016" PRIx64
            " is not cabled any more as the multicast trees have it, or the switch does no multicast; group "
            "0x%X gets no tree\n",
            ports[i].port, ports[i].switch_guid, box->mlid);
    status = IB_ERROR;
  }
  for (int i = 0; status == IB_SUCCESS && i < n_ports; ++i) {
    osm_switch_t* sw = live_switch(osm, ports[i].switch_guid);
    osm_mcast_tbl_set(osm_switch_get_mcast_tbl_ptr(sw), box->mlid, ports[i].port);
  }
  if (status == IB_SUCCESS) warn_of_levels(engine, box);
  free(ports);
  free(members);
  return status;
}

// Called for each pair of ports, before OpenSM cuts the table to the lanes of the port.
static void write_lanes(void* context, osm_physp_t* port, uint8_t in_port, uint8_t out_port,
                        ib_slvl_table_t* table) {
  const struct engine* engine = context;
  const osm_node_t* node = osm_physp_get_node_ptr(port);
  if (engine->plan == NULL || node->sw == NULL) return;  // adapters keep what OpenSM gives them
  const uint8_t* lanes =
      unknot_plan_lanes(engine->plan, cl_ntoh64(osm_node_get_node_guid(node)), in_port, out_port);
  if (lanes == NULL) return;
  for (uint8_t level = 0; level < 16; ++level) ib_slvl_table_set(table, level, lanes[level]);
}

// Option live: the first of the two calls of a sweep. OpenSM takes a positive number for a request to compute
// hop counts, which its multicast trees need and nothing else here; a negative one for failed.
static int build_hop_counts(void* context) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  struct unknot_options options;
  char why[1024] = "the fabric is discovered by halves, or memory is short";
  char notes[512] = "";

  unknot_plan_free(engine->next);
  engine->next = NULL;
  // What is wrong with the options is for build_tables() to say.
  const int read = unknot_options_read(osm->subn.opt.event_plugin_options, &options, why, sizeof why) == 0;
  if (!read || !options.live) {
    unknot_held_free(engine->held);
    engine->held = NULL;
    return 1;
  }
  if (engine->held == NULL) engine->held = unknot_held_new();
  struct unknot_fabric* fabric = describe_fabric(osm);
  if (fabric != NULL && engine->held != NULL) {
    engine->next = unknot_held_follow(engine->held, fabric, why, sizeof why, notes, sizeof notes);
  }
  unknot_fabric_free(fabric);
  if (engine->next == NULL) {
    OSM_LOG(&osm->log, OSM_LOG_ERROR, "ERR UK02: unknot: %s; nothing is installed\n", why);
    return -1;
  }
  if (notes[0] != '\0') OSM_LOG(&osm->log, OSM_LOG_INFO, "unknot: %s\n", notes);
  return unknot_plan_has_trees(engine->next) ? 0 : 1;
}

// The plan of the files, checked against the fabric; null where it does not fit, which the log says.
static struct unknot_plan* plan_of_files(struct engine* engine) {
  osm_opensm_t* osm = engine->osm;
  struct unknot_options options;
  char why[1024] = "the fabric is discovered by halves, or memory is short";
  char notes[512] = "";

  if (unknot_options_read(osm->subn.opt.event_plugin_options, &options, why, sizeof why)) {
    OSM_LOG(&osm->log, OSM_LOG_ERROR, "ERR UK01: unknot: %s; nothing is installed\n", why);
    return NULL;
  }
  struct unknot_fabric* fabric = describe_fabric(osm);
  struct unknot_plan* plan = NULL;
  if (fabric != NULL) {
    const struct unknot_sl2vl sl2vl = describe_sl2vl(&osm->subn.opt);
    plan = unknot_plan_make(fabric, &options, &sl2vl, why, sizeof why, notes, sizeof notes);
  }
  unknot_fabric_free(fabric);
  if (plan == NULL) {
    OSM_LOG(&osm->log, OSM_LOG_ERROR, "ERR UK02: unknot: %s; nothing is installed\n", why);
    return NULL;
  }
  if (notes[0] != '\0') OSM_LOG(&osm->log, OSM_LOG_INFO, "unknot: %s\n", notes);
  if (!unknot_plan_has_trees(plan)) {
    OSM_LOG(&osm->log, OSM_LOG_INFO,
            "unknot: multicast: OpenSM's own trees, which no proof here covers; give multicast=FILE\n");
  }
  return plan;
}

// OpenSM takes 0 for done and a negative number for failed. A positive one would have it route by itself.
static int build_tables(void* context) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  char summary[1024];

  struct unknot_plan* plan = engine->next != NULL ? engine->next : plan_of_files(engine);
  if (plan == NULL) return -1;
  engine->next = NULL;
  install(osm, plan, engine->held);
  unknot_plan_drop_rows(plan);
  unknot_plan_free(engine->plan);
  engine->plan = plan;
  engine->routing->update_sl2vl = unknot_plan_has_lanes(plan) ? write_lanes : NULL;
  engine->routing->mcast_build_stree = unknot_plan_has_trees(plan) ? build_tree : NULL;
  unknot_plan_summary(plan, summary, sizeof summary);
  OSM_LOG(&osm->log, OSM_LOG_INFO, "unknot: tables fit: %s\n", summary);
  return 0;
}

// Called with OpenSM's lock held for reading, build_tables() with it held for writing.
static uint8_t path_level(void* context, uint8_t hint, const ib_net16_t source,
                          const ib_net16_t destination) {
  const struct engine* engine = context;
  if (engine->plan == NULL) return hint;
  return unknot_plan_level(engine->plan, cl_ntoh16(source), cl_ntoh16(destination), hint);
}

static int setup(osm_routing_engine_t* routing, osm_opensm_t* osm) {
  (void)osm;
  // No destroy: the context belongs to the plug-in and goes with it. No mcast_build_stree: build_tables()
  // sets it, where there are trees.
  struct engine* engine = routing->context;
  engine->routing = routing;
  routing->build_lid_matrices = build_hop_counts;
  routing->ucast_build_fwd_tables = build_tables;
  routing->path_sl = path_level;
  return 0;
}

static void* create(struct osm_opensm* osm) {
  struct engine* engine = calloc(1, sizeof *engine);
  if (engine == NULL) return NULL;
  engine->osm = osm;
  const external_routing_engine_module_t module = {"unknot", setup, engine};
  if (osm_register_external_routing_engine(osm, &module, engine) != CL_SUCCESS) {
    free(engine);
    return NULL;
  }
  return engine;
}

// OpenSM destroys its routing engines before the plug-ins.
static void destroy(void* data) {
  struct engine* engine = data;
  unknot_plan_free(engine->plan);
  unknot_plan_free(engine->next);
  unknot_held_free(engine->held);
  free(engine);
}

osm_event_plugin_t osm_event_plugin = {OSM_VERSION, create, destroy, NULL};
