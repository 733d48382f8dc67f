// SPDX-License-Identifier: Apache-2.0
// Event plug-in for tests: when the subnet is up, asks the routing engine in use for the service level of
// every path between adapters, to each of their LIDs, and writes "0x<source node guid> <destination LID>
// <level>" to $UNKNOT_LEVEL_DUMP, sources and destinations in order of port GUID. OpenSM itself never writes
// these down.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <opensm/osm_config.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_version.h>

static void* create(struct osm_opensm* osm) {
  return osm;
}

static void destroy(void* data) {
  (void)data;
}

static int is_adapter(const osm_port_t* port) {
  return osm_node_get_type(port->p_node) == IB_NODE_TYPE_CA;
}

static void dump(osm_opensm_t* osm, const osm_routing_engine_t* engine, FILE* out) {
  const cl_qmap_t* ports = &osm->subn.port_guid_tbl;
  for (cl_map_item_t* a = cl_qmap_head(ports); a != cl_qmap_end(ports); a = cl_qmap_next(a)) {
    const osm_port_t* source = (const osm_port_t*)a;
    if (!is_adapter(source)) continue;
    for (cl_map_item_t* b = cl_qmap_head(ports); b != cl_qmap_end(ports); b = cl_qmap_next(b)) {
      const osm_port_t* destination = (const osm_port_t*)b;
      if (a == b || !is_adapter(destination)) continue;
      uint16_t first, last;
      osm_port_get_lid_range_ho(destination, &first, &last);
      for (uint16_t lid = first; lid <= last; ++lid) {
        const unsigned level =
            engine->path_sl == NULL
                ? 0
                : engine->path_sl(engine->context, 0, osm_port_get_base_lid(source), cl_hton16(lid));
        fprintf(out, "0x%016" PRIx64 " %u %u\n", cl_ntoh64(osm_node_get_node_guid(source->p_node)), lid,
                level);
      }
    }
  }
}

static void report(void* data, osm_epi_event_id_t event, void* detail) {
  osm_opensm_t* osm = data;
  const char* path = getenv("UNKNOT_LEVEL_DUMP");
  (void)detail;
  if (event != OSM_EVENT_ID_SUBNET_UP || osm->routing_engine_used == NULL || path == NULL) return;
  // Whoever waits for the file finds it whole.
  char partial[4096];
  snprintf(partial, sizeof partial, "%s.part", path);
  FILE* out = fopen(partial, "w");
  if (out == NULL) return;
  dump(osm, osm->routing_engine_used, out);
  if (fclose(out) == 0) rename(partial, path);
}

osm_event_plugin_t osm_event_plugin = {OSM_VERSION, create, destroy, report};
