/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNKNOT_LIVE_H
#define UNKNOT_LIVE_H

/*
 * A fabric that changes, its forwarding tables and their proof, in your own process: for subnet managers and
 * simulators, in plain C. Library unknot_live (CMake: unknot::unknot_live; or -lunknot_live).
 *
 *     char why[256];
 *     unknot_live* live = unknot_live_open("site.fabric", NULL, why, sizeof why);
 *     if (live == NULL) return fail(why);
 *     for (;;) {
 *       unknot_live_cable(live, guid, port, 0);                   a trap says: dead
 *       if (unknot_live_apply(live) != UNKNOT_LIVE_DONE) complain(unknot_live_error(live));
 *       if (unknot_live_verdict(live).proven) install(live);      unknot_live_change_count(), ..._changes()
 *     }
 *
 * unknot_live_open() is for trees. Other networks need virtual lanes: unknot_live_open_lanes(). All else is
 * the same, and an event then changes service levels as well, unknot_live_level_changes().
 *
 * Switches and hosts have numbers from 0, those of the fabric it was made from, which has all parts that may
 * ever be there; whatever is dead keeps its number. Nothing is thrown, nothing is printed. One thread at a
 * time may use a unknot_live; different ones do not know of each other.
 */

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): this is C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

#if defined(__GNUC__)
#define UNKNOT_LIVE_API __attribute__((visibility("default")))
#else
#define UNKNOT_LIVE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct unknot_live unknot_live;

/* What functions return that can fail; unknot_live_error() says why. */
enum {
  UNKNOT_LIVE_DONE = 0,
  UNKNOT_LIVE_NO_TABLES = 1, /* for what is left; those in force stay, and are judged */
  UNKNOT_LIVE_BAD_INPUT = 2, /* nothing has changed */
  UNKNOT_LIVE_NO_MEMORY = 3  /* good for nothing but unknot_live_close() */
};

typedef struct unknot_live_options {
  int exact;             /* not 0: the tables that engine clos makes anew, entry for entry; 0: few changes */
  unsigned threads;      /* of the routing; 0: one */
  const uint64_t* roots; /* GUIDs of the switches at the top; NULL: found */
  size_t root_count;
} unknot_live_options;

/* For tables on virtual lanes. */
typedef struct unknot_live_lane_options {
  const char* engine; /* as `unknot route --engine`: "dfsssp", "unknot:paths=dealt"; NULL: "unknot" */
  unsigned lanes;     /* that tables may use, 2 to 15, one of them for what is cut off; 0: 8 */
  unsigned threads;   /* of the engine; 0: one */
  uint64_t seed;      /* of the engine; 0: 1 */
} unknot_live_lane_options;

/* A cable between two switches by their numbers, each with a port from 1. */
typedef struct unknot_live_link {
  uint32_t router_a, router_b;
  uint16_t port_a, port_b;
} unknot_live_link;

/* A host's port on a switch. */
typedef struct unknot_live_host {
  uint64_t guid; /* of its port; where any is 0, all get systematic ones */
  uint32_t router;
  uint16_t port;
} unknot_live_host;

typedef struct unknot_live_proof {
  int proven; /* 1: no deadlock, and every pair that a path joins is delivered */
  int deadlock_free;
  uint64_t pairs; /* ordered pairs of distinct hosts whose switches live */
  uint64_t delivered_pairs;
  uint64_t lost_pairs;         /* joined by a path, but not by the tables */
  uint64_t disconnected_pairs; /* joined by no path */
  uint64_t looping_pairs;      /* part of the lost and disconnected */
  uint64_t dependencies;       /* arcs of the channel dependency graph */
} unknot_live_proof;

/* An entry of a switch's table that is another one now. Ports: 0 where there is no route. */
typedef struct unknot_live_entry {
  uint32_t router, host;
  uint16_t port_before, port_after;
} unknot_live_entry;

/* The service level on which the hosts of a switch send to a host is another one now. A level travels on the
 * lane of its number everywhere. */
typedef struct unknot_live_level_change {
  uint32_t router, host;
  uint8_t before, after;
} unknot_live_level_change;

/* From a file of any format that unknot reads, or a spec as "xgft:m=40x40,w=20x20". All of it lives.
 * `options` may be NULL. NULL on failure: one sentence is in `error`, cut off at its end (which may be NULL).
 */
UNKNOT_LIVE_API unknot_live* unknot_live_open(const char* fabric, const unknot_live_options* options,
                                              char* error, size_t error_size);
/* From arrays: the GUIDs of switches; hosts by ascending switch. */
UNKNOT_LIVE_API unknot_live* unknot_live_create(const uint64_t* router_guids, uint32_t router_count,
                                                const unknot_live_link* links, size_t link_count,
                                                const unknot_live_host* hosts, uint32_t host_count,
                                                const unknot_live_options* options, char* error,
                                                size_t error_size);
/* The same for networks that need lanes: tables of the whole network, by any engine that makes deadlock-free
 * ones, follow each event. The proof is of the tables with all changes in force, levels too. Hosts that have
 * asked for the level of a pair before it changed must ask anew, or be told: packets on the old level take
 * the new entries over a lane where nothing is proven of them. looping_pairs is not counted: 0. */
UNKNOT_LIVE_API unknot_live* unknot_live_open_lanes(const char* fabric,
                                                    const unknot_live_lane_options* options, char* error,
                                                    size_t error_size);
UNKNOT_LIVE_API unknot_live* unknot_live_create_lanes(const uint64_t* router_guids, uint32_t router_count,
                                                      const unknot_live_link* links, size_t link_count,
                                                      const unknot_live_host* hosts, uint32_t host_count,
                                                      const unknot_live_lane_options* options, char* error,
                                                      size_t error_size);
/* NULL is fine. */
UNKNOT_LIVE_API void unknot_live_close(unknot_live* live);

/* What goes into the next event: a cable, by a switch's GUID and a port of it, or a switch with all that
 * hangs on it, dies (0) or is back (not 0). Nothing happens before unknot_live_apply(). */
UNKNOT_LIVE_API int unknot_live_cable(unknot_live* live, uint64_t router_guid, uint16_t port, int alive);
UNKNOT_LIVE_API int unknot_live_switch(unknot_live* live, uint64_t router_guid, int alive);
/* The event: routes what it touches, and proves it. */
UNKNOT_LIVE_API int unknot_live_apply(unknot_live* live);
/* An event by its lines, "dead 0x<guid>:<port>" (a cable), "back 0x<guid>" (a switch), and the like. */
UNKNOT_LIVE_API int unknot_live_events(unknot_live* live, const char* text, size_t length);
/* An event by all that is there now: lines "0x<guid>:<port> 0x<guid>:<port>" of cables between switches,
 * "0x<guid>" of switches; what no line names is dead. */
UNKNOT_LIVE_API int unknot_live_cable_list(unknot_live* live, const char* text, size_t length);
/* All tables as the engine makes them from nothing: few changes, event after event, load channels less and
 * less evenly. */
UNKNOT_LIVE_API int unknot_live_make_anew(unknot_live* live);
/* The sentence of what failed last; "" where nothing has. */
UNKNOT_LIVE_API const char* unknot_live_error(const unknot_live* live);

/* Of the tables in force, with all changes so far. */
UNKNOT_LIVE_API unknot_live_proof unknot_live_verdict(const unknot_live* live);
/* What the last event has changed; valid until the next. */
UNKNOT_LIVE_API size_t unknot_live_change_count(const unknot_live* live);
UNKNOT_LIVE_API const unknot_live_entry* unknot_live_changes(const unknot_live* live);
/* And of levels: none where there is one lane. */
UNKNOT_LIVE_API size_t unknot_live_level_change_count(const unknot_live* live);
UNKNOT_LIVE_API const unknot_live_level_change* unknot_live_level_changes(const unknot_live* live);
/* Both as a file of one transition step, as `unknot reroute --check-transition` reads it. */
UNKNOT_LIVE_API int unknot_live_write_changes(unknot_live* live, const char* path);

UNKNOT_LIVE_API uint32_t unknot_live_router_count(const unknot_live* live);
UNKNOT_LIVE_API uint32_t unknot_live_host_count(const unknot_live* live);
/* 0 for numbers that there are not. */
UNKNOT_LIVE_API uint64_t unknot_live_router_guid(const unknot_live* live, uint32_t router);
UNKNOT_LIVE_API uint64_t unknot_live_host_guid(const unknot_live* live, uint32_t host);
UNKNOT_LIVE_API int unknot_live_router_alive(const unknot_live* live, uint32_t router);
/* Port that a switch sends by to a host; 0: no route. */
UNKNOT_LIVE_API uint16_t unknot_live_port(const unknot_live* live, uint32_t router, uint32_t host);
/* A switch's whole table: unknot_live_host_count() ports. UNKNOT_LIVE_BAD_INPUT where there is no such
 * switch. */
UNKNOT_LIVE_API int unknot_live_row(unknot_live* live, uint32_t router, uint16_t* ports);
/* Lanes that tables may use: 1 for trees. */
UNKNOT_LIVE_API uint32_t unknot_live_lanes(const unknot_live* live);
/* Level on which the hosts of a switch send to a host. Without meaning where there is no route; 0 for numbers
 * that there are not. */
UNKNOT_LIVE_API uint8_t unknot_live_level(const unknot_live* live, uint32_t router, uint32_t host);
/* All of them: unknot_live_host_count() levels. UNKNOT_LIVE_BAD_INPUT where there is no such switch. */
UNKNOT_LIVE_API int unknot_live_level_row(unknot_live* live, uint32_t router, uint8_t* levels);

#ifdef __cplusplus
}
#endif

#endif
