// SPDX-License-Identifier: Apache-2.0
// The live fabric as plain data, and the calls between the part that knows OpenSM (engine.c) and the part
// that knows the files (C++). Readable by both languages; no OpenSM type in it, so the second part is tested
// alone.
#ifndef UNKNOT_OPENSM_FABRIC_H
#define UNKNOT_OPENSM_FABRIC_H

#include <stddef.h>  // NOLINT(modernize-deprecated-headers): C includes this, too
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

struct unknot_fabric;
struct unknot_plan;

// A fabric is built node by node: first all nodes, then the links. The functions return an index, or -1 when
// memory ran out. Names are copied.
struct unknot_fabric* unknot_fabric_new(void);
void unknot_fabric_free(struct unknot_fabric* fabric);
// `ports`: external ports, numbered from 1. `lids`: how many LIDs port 0 answers to, from `lid` on.
int unknot_fabric_add_switch(struct unknot_fabric* fabric, uint64_t guid, const char* name, uint16_t lid,
                             uint16_t lids, uint8_t ports);
// One port of an adapter or router.
int unknot_fabric_add_adapter(struct unknot_fabric* fabric, uint64_t node_guid, uint64_t port_guid,
                              const char* name, uint16_t lid, uint16_t lids);
// `to_port`: where the cable ends. `lanes`: data lanes on which the switch's port sends.
int unknot_fabric_link_switch(struct unknot_fabric* fabric, int from, uint8_t port, int to, uint8_t to_port,
                              uint8_t lanes);
int unknot_fabric_link_adapter(struct unknot_fabric* fabric, int from, uint8_t port, int adapter);

// What the user asked for.
struct unknot_options {
  char tables[4096];
  char lanes[4096];       // empty: no service levels
  char multicast[4096];   // empty: no multicast trees
  char sl2vl_file[4096];  // empty: SL-to-VL tables as OpenSM writes them by itself
  unsigned classes;       // of service, side by side on the levels; 0: one, which has them all
  unsigned class_levels;  // of each
  int allow_deadlock;     // 1: install tables even where packets could block each other forever
  int trust_sl2vl;        // 1: take it that the switches map level l to lane l, though OpenSM does not set it
  int live;               // 1: tables made here, held, and changed as the fabric does; no files then
};
// `text`: OpenSM's event_plugin_options, may be null. UNKNOT_TABLES, UNKNOT_LANES, UNKNOT_MULTICAST,
// UNKNOT_SL2VL, UNKNOT_SL2VL_FILE, UNKNOT_DEADLOCK and UNKNOT_LIVE of the environment stand in for what it
// does not name.
// Returns 0, or -1 with a sentence in `why`.
int unknot_options_read(const char* text, struct unknot_options* options, char* why, size_t why_size);

// How OpenSM sets the SL-to-VL tables of the ports between switches.
struct unknot_sl2vl {
  int managed;       // 0: OpenSM leaves them alone (QoS off)
  uint8_t lane[16];  // by level, where managed
};

// Reads the files and checks them against the fabric. Null when anything does not fit, with one sentence in
// `why`. `notes` receives what fits but should be known, "" when nothing.
struct unknot_plan* unknot_plan_make(const struct unknot_fabric* fabric, const struct unknot_options* options,
                                     const struct unknot_sl2vl* sl2vl, char* why, size_t why_size,
                                     char* notes, size_t notes_size);
void unknot_plan_free(struct unknot_plan* plan);
// Output port of the switch for each LID from 0 to *last, 0xFF where there is none.
const uint8_t* unknot_plan_row(const struct unknot_plan* plan, int switch_index, unsigned* last);
// The service level of a path, `otherwise` where the plan has none. With classes of service `otherwise` tells
// which: that which has this level, or the first where none has it.
uint8_t unknot_plan_level(const struct unknot_plan* plan, uint16_t source_lid, uint16_t destination_lid,
                          uint8_t otherwise);
// 1 where the plan has SL-to-VL tables, which OpenSM is to write instead of its own.
int unknot_plan_has_lanes(const struct unknot_plan* plan);
// The lane of each of the sixteen levels; null where the plan tells none.
const uint8_t* unknot_plan_lanes(const struct unknot_plan* plan, uint64_t switch_guid, uint8_t in_port,
                                 uint8_t out_port);
// After this only unknot_plan_level may be called: the tables, which OpenSM holds by then, are given back.
void unknot_plan_drop_rows(struct unknot_plan* plan);
// 1 where the plan has multicast trees; without them the functions below must not be called.
int unknot_plan_has_trees(const struct unknot_plan* plan);
// A port in a multicast group: the switch it is attached to and the port there, 0 for the switch itself.
struct unknot_member {
  uint64_t port_guid;  // for the caller; not looked at
  uint64_t switch_guid;
  uint8_t port;
  int outside;  // set to 1 where the tree does not reach it, else 0
};
// A port of a switch that a group's packets are copied to.
struct unknot_tree_port {
  uint64_t switch_guid;
  uint64_t peer_guid;  // the switch at the other end of the cable; 0 where the port is a member's
  uint8_t port;
  uint8_t peer_port;
};
// The tree for the group's members now. Returns how many ports, which the caller frees, or -1 when memory ran
// out.
int unknot_plan_tree(const struct unknot_plan* plan, uint16_t lid, struct unknot_member* members,
                     size_t count, struct unknot_tree_port** ports);
// LID of the file's group whose tree the group gets.
uint16_t unknot_plan_tree_lid(const struct unknot_plan* plan, uint16_t lid);
// 0 where the group's packets were proven free of deadlock on this service level, or nobody asked for a
// proof; 1 where not, and -1 where that was said before.
int unknot_plan_level_warning(struct unknot_plan* plan, uint16_t lid, uint8_t level);
void unknot_plan_summary(const struct unknot_plan* plan, char* text, size_t size);

// The fabric, its tables and their proof, held from sweep to sweep where unknot_options::live is 1.
struct unknot_held;
struct unknot_held* unknot_held_new(void);
void unknot_held_free(struct unknot_held* held);
// One sweep, as unknot_plan_make(). The plan has no rows.
struct unknot_plan* unknot_held_follow(struct unknot_held* held, const struct unknot_fabric* fabric,
                                       char* why, size_t why_size, char* notes, size_t notes_size);
// As unknot_plan_row(), of a switch of that fabric; good until the next sweep.
const uint8_t* unknot_held_row(const struct unknot_held* held, int switch_index, unsigned* last);

#ifdef __cplusplus
}
#endif

#endif
