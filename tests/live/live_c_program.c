/* SPDX-License-Identifier: Apache-2.0 */
/* Two leaf switches, two spines, a host at each leaf; its only argument is the name of a file to write. */
#include <stdio.h>
#include <string.h>

#include "unknot/live.h"

static int faults = 0;

#define EXPECT(what) \
  ((what) ? (void)0 : (void)(++faults, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what)))

static const uint64_t kGuids[] = {0x10, 0x11, 0x20, 0x21};
static const unknot_live_link kLinks[] = {{0, 2, 1, 1}, {0, 3, 2, 1}, {1, 2, 1, 2}, {1, 3, 2, 2}};
static const unknot_live_host kHosts[] = {{0x100, 0, 7}, {0x101, 1, 7}};

/* The port that leaf 0 sends by to the other leaf's host. */
static uint16_t up(const unknot_live* live) {
  return unknot_live_port(live, 0, 1);
}

static void small_fabric(const char* file) {
  char why[200];
  uint16_t row[2];
  uint16_t first;
  FILE* written;
  const char* list = "0x10:1 0x20:1\n0x11:1 0x20:2\n0x21\n";
  unknot_live* live = unknot_live_create(kGuids, 4, kLinks, 4, kHosts, 2, NULL, why, sizeof why);
  EXPECT(live != NULL);
  if (live == NULL) {
    fprintf(stderr, "%s\n", why);
    return;
  }
  EXPECT(unknot_live_router_count(live) == 4 && unknot_live_host_count(live) == 2);
  EXPECT(unknot_live_router_guid(live, 3) == 0x21 && unknot_live_router_guid(live, 4) == 0);
  EXPECT(unknot_live_host_guid(live, 1) == 0x101);
  EXPECT(unknot_live_verdict(live).proven == 1 && unknot_live_verdict(live).pairs == 2);
  EXPECT(unknot_live_port(live, 0, 0) == 7);
  first = up(live);
  EXPECT(first == 1 || first == 2);

  /* The cable that it goes by dies: the other one takes over. */
  EXPECT(unknot_live_cable(live, 0x10, first, 0) == UNKNOT_LIVE_DONE);
  EXPECT(up(live) == first);
  EXPECT(unknot_live_apply(live) == UNKNOT_LIVE_DONE);
  EXPECT(up(live) == 3 - first);
  EXPECT(unknot_live_change_count(live) > 0);
  EXPECT(unknot_live_verdict(live).proven == 1 && unknot_live_verdict(live).delivered_pairs == 2);
  EXPECT(unknot_live_write_changes(live, file) == UNKNOT_LIVE_DONE);
  written = fopen(file, "r");
  EXPECT(written != NULL);
  if (written != NULL) fclose(written);

  /* Both leaf cables gone: nothing is lost that tables could deliver. */
  EXPECT(unknot_live_cable(live, 0x10, (uint16_t)(3 - first), 0) == UNKNOT_LIVE_DONE);
  EXPECT(unknot_live_apply(live) == UNKNOT_LIVE_DONE);
  EXPECT(unknot_live_verdict(live).disconnected_pairs == 2 && unknot_live_verdict(live).lost_pairs == 0);
  EXPECT(unknot_live_verdict(live).proven == 1);
  EXPECT(up(live) == 0);

  /* What is there now, as a list: by the first spine alone, the second without a cable. */
  EXPECT(unknot_live_cable_list(live, list, strlen(list)) == UNKNOT_LIVE_DONE);
  EXPECT(up(live) == 1 && unknot_live_port(live, 2, 1) == 2);
  EXPECT(unknot_live_events(live, "dead 0x11\n", 10) == UNKNOT_LIVE_DONE);
  EXPECT(unknot_live_verdict(live).pairs == 0 && unknot_live_router_alive(live, 1) == 0);
  EXPECT(unknot_live_switch(live, 0x11, 1) == UNKNOT_LIVE_DONE &&
         unknot_live_apply(live) == UNKNOT_LIVE_DONE);
  EXPECT(unknot_live_row(live, 0, row) == UNKNOT_LIVE_DONE && row[0] == 7 && row[1] == 1);
  EXPECT(unknot_live_make_anew(live) == UNKNOT_LIVE_DONE && unknot_live_verdict(live).proven == 1);

  /* What it does not know it says, and stays as it was. */
  EXPECT(unknot_live_cable(live, 0x10, 9, 0) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(strlen(unknot_live_error(live)) > 0);
  EXPECT(unknot_live_switch(live, 0x99, 0) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(unknot_live_events(live, "gone 0x11\n", 10) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(strstr(unknot_live_error(live), "dead") != NULL);
  EXPECT(unknot_live_row(live, 4, row) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(up(live) == 1 && unknot_live_verdict(live).proven == 1);
  unknot_live_close(live);
}

/* A ring of six switches with a host each: two lanes at least, and one for what is cut off. */
static void ring_on_lanes(const char* file) {
  static const uint64_t guids[] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15};
  char why[200];
  unknot_live_link links[6];
  unknot_live_host hosts[6];
  unknot_live_lane_options options;
  uint16_t ports[6];
  uint8_t levels[6];
  uint8_t all_levels[36];
  unknot_live* live;
  uint32_t i;
  size_t at;
  size_t relevelled = 0;
  for (i = 0; i < 6; ++i) {
    const unknot_live_link link = {i, (i + 1) % 6, 1, 2};
    const unknot_live_host host = {0x100 + i, i, 3};
    links[i] = link;
    hosts[i] = host;
  }
  memset(&options, 0, sizeof options);
  options.engine = "dfsssp";
  options.lanes = 4;
  live = unknot_live_create_lanes(guids, 6, links, 6, hosts, 6, &options, why, sizeof why);
  EXPECT(live != NULL);
  if (live == NULL) {
    fprintf(stderr, "%s\n", why);
    return;
  }
  EXPECT(unknot_live_lanes(live) > 1 && unknot_live_lanes(live) <= 4);
  EXPECT(unknot_live_verdict(live).proven == 1 && unknot_live_verdict(live).pairs == 30);
  EXPECT(unknot_live_level_change_count(live) == 0);
  for (i = 0; i < 6; ++i)
    EXPECT(unknot_live_level_row(live, i, all_levels + (size_t)6 * i) == UNKNOT_LIVE_DONE);

  /* Half of the ring is left after each cable, and what changes is told: levels as well. */
  for (i = 0; i < 6; ++i) {
    EXPECT(unknot_live_cable(live, guids[i], 1, 0) == UNKNOT_LIVE_DONE);
    EXPECT(unknot_live_apply(live) == UNKNOT_LIVE_DONE);
    EXPECT(unknot_live_verdict(live).proven == 1 && unknot_live_verdict(live).delivered_pairs == 30);
    EXPECT(unknot_live_change_count(live) > 0);
    relevelled += unknot_live_level_change_count(live);
    for (at = 0; at < unknot_live_level_change_count(live); ++at) {
      const unknot_live_level_change* one = unknot_live_level_changes(live) + at;
      EXPECT(all_levels[6 * one->router + one->host] == one->before && one->after < 4);
      all_levels[6 * one->router + one->host] = one->after;
    }
    EXPECT(unknot_live_write_changes(live, file) == UNKNOT_LIVE_DONE);
    EXPECT(unknot_live_cable(live, guids[i], 1, 1) == UNKNOT_LIVE_DONE);
    EXPECT(unknot_live_apply(live) == UNKNOT_LIVE_DONE);
    for (at = 0; at < unknot_live_level_change_count(live); ++at) {
      const unknot_live_level_change* one = unknot_live_level_changes(live) + at;
      all_levels[6 * one->router + one->host] = one->after;
    }
  }
  EXPECT(relevelled > 0);
  for (i = 0; i < 6; ++i) {
    uint32_t host;
    EXPECT(unknot_live_level_row(live, i, levels) == UNKNOT_LIVE_DONE);
    EXPECT(unknot_live_row(live, i, ports) == UNKNOT_LIVE_DONE && ports[i] == 3);
    for (host = 0; host < 6; ++host) {
      EXPECT(levels[host] == all_levels[6 * i + host] && levels[host] == unknot_live_level(live, i, host));
      EXPECT(ports[host] == unknot_live_port(live, i, host));
    }
  }
  EXPECT(unknot_live_make_anew(live) == UNKNOT_LIVE_DONE && unknot_live_verdict(live).proven == 1);

  /* What it does not know it says, and stays as it was. */
  EXPECT(unknot_live_events(live, "dead 0x99\n", 10) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(strstr(unknot_live_error(live), "0x0000000000000099") != NULL);
  EXPECT(unknot_live_level_row(live, 6, levels) == UNKNOT_LIVE_BAD_INPUT);
  EXPECT(unknot_live_level(live, 6, 0) == 0 && unknot_live_level(live, 0, 6) == 0);
  EXPECT(unknot_live_verdict(live).proven == 1);
  unknot_live_close(live);

  /* Too few lanes, an engine that there is not, tables that can deadlock. */
  options.lanes = 2;
  EXPECT(unknot_live_create_lanes(guids, 6, links, 6, hosts, 6, &options, why, sizeof why) == NULL);
  EXPECT(strstr(why, "lanes") != NULL);
  options.lanes = 99;
  EXPECT(unknot_live_open_lanes("torus:4x4", &options, why, sizeof why) == NULL);
  EXPECT(strstr(why, "2 to 15 lanes, not on 99") != NULL);
  options.lanes = 0;
  options.engine = "nosuch";
  EXPECT(unknot_live_open_lanes("torus:4x4", &options, why, sizeof why) == NULL);
  EXPECT(strstr(why, "nosuch") != NULL);
  options.engine = "sssp";
  EXPECT(unknot_live_open_lanes("torus:4x4", &options, why, sizeof why) == NULL);
  EXPECT(strstr(why, "deadlock") != NULL);
}

static void from_a_spec(void) {
  char why[8];
  unknot_live_options exact;
  unknot_live* live;
  memset(&exact, 0, sizeof exact);
  exact.exact = 1;
  live = unknot_live_open("xgft:m=4x4,w=2x2", &exact, NULL, 0);
  EXPECT(live != NULL && unknot_live_verdict(live).proven == 1);
  EXPECT(unknot_live_lanes(live) == 1 && unknot_live_level(live, 0, 0) == 0);
  EXPECT(unknot_live_level_change_count(live) == 0);
  unknot_live_close(live);
  live = unknot_live_open_lanes("torus:4x4,p=2", NULL, NULL, 0);
  EXPECT(live != NULL && unknot_live_verdict(live).proven == 1);
  EXPECT(unknot_live_verdict(live).pairs == (uint64_t)32 * 31);
  unknot_live_close(live);
  EXPECT(unknot_live_open("no such fabric", NULL, why, sizeof why) == NULL);
  EXPECT(strlen(why) == sizeof why - 1);
  unknot_live_close(NULL);
}

/* As docs/live.md opens one. */
static void as_the_page_does(void) {
  char why[200];
  /* clang-format off */
    const unknot_live_lane_options options = {"unknot:paths=dealt", 8, 1, 1}; /* engine, lanes, threads, seed */
    unknot_live* live = unknot_live_open_lanes("dragonfly:a=8,h=4,p=4", &options, why, sizeof why);
  /* clang-format on */
  EXPECT(live != NULL && unknot_live_verdict(live).proven == 1);
  EXPECT(unknot_live_lanes(live) > 1 && unknot_live_lanes(live) <= 8);
  unknot_live_close(live);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  small_fabric(argv[1]);
  ring_on_lanes(argv[1]);
  from_a_spec();
  as_the_page_does();
  return faults == 0 ? 0 : 1;
}
