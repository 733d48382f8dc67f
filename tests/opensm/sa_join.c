// SPDX-License-Identifier: Apache-2.0
// Joins ports to a multicast group through the subnet administrator, as a node of the fabric would: arguments
// are the group's GID in 32 hexadecimal digits, its service level where it is to be made (- where it is there
// already), and the port GUIDs. A port as GUID:4 joins to send alone, with that JoinState, and as GUID:0
// leaves. Prints the group's LID where the last port joined. Exit code 1 where a join is refused.
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MCMemberRecord, InfiniBand specification 15.2.5.17, as bytes of the query's data.
enum {
  kGroupGid = 0,
  kPortGid = 16,
  kQueueKey = 32,
  kGroupLid = 36,
  kPartition = 40,
  kLevel = 44,
  kState = 48
};
enum { kSaClassVersion = 2, kMilliseconds = 3000, kRetries = 3, kFullMember = 1 };
static const uint32_t kWellKnownKey = 0x80010000;
static const uint64_t kJoin = 1 | 1 << 1 | 1 << 16;                          // both GIDs, the state
static const uint64_t kMake = 1 << 2 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;  // keys, class, level, flow

static int join(int port, int agent, const umad_port_t* own, uint64_t transaction, const uint8_t* group,
                int level, uint64_t guid, unsigned state) {
  const size_t length = sizeof(struct umad_sa_packet);
  char buffer[sizeof(struct ib_user_mad) + sizeof(struct umad_sa_packet)];
  memset(buffer, 0, sizeof buffer);
  struct umad_sa_packet* query = umad_get_mad(buffer);
  query->mad_hdr.base_version = 1;
  query->mad_hdr.mgmt_class = UMAD_CLASS_SUBN_ADM;
  query->mad_hdr.class_version = kSaClassVersion;
  query->mad_hdr.method = state != 0 ? UMAD_METHOD_SET : UMAD_SA_METHOD_DELETE;
  query->mad_hdr.tid = htobe64(transaction);
  query->mad_hdr.attr_id = htons(UMAD_SA_ATTR_MCMEMBER_REC);
  query->comp_mask = htobe64(level < 0 || state == 0 ? kJoin : kJoin | kMake);
  memcpy(query->data + kGroupGid, group, 16);
  const uint64_t gid[2] = {htobe64(0xfe80000000000000), htobe64(guid)};
  memcpy(query->data + kPortGid, gid, sizeof gid);
  const uint16_t partition = htons(0xffff);
  memcpy(query->data + kPartition, &partition, sizeof partition);
  query->data[kQueueKey] = 1;
  query->data[kLevel] = (uint8_t)(level < 0 ? 0 : level << 4);
  query->data[kState] = (uint8_t)(state != 0 ? state : kFullMember);
  umad_set_addr(buffer, (int)own->sm_lid, 1, (int)own->sm_sl, (int)kWellKnownKey);
  if (umad_send(port, agent, buffer, (int)length, kMilliseconds, kRetries) < 0) return -1;
  int got = (int)length;
  if (umad_recv(port, buffer, &got, kMilliseconds * (kRetries + 1)) < 0 || umad_status(buffer) != 0)
    return -1;
  const struct umad_sa_packet* answer = umad_get_mad(buffer);
  if (answer->mad_hdr.status != 0 || be64toh(answer->mad_hdr.tid) << 32 != transaction << 32) return -1;
  return answer->data[kGroupLid] << 8 | answer->data[kGroupLid + 1];
}

int main(int count, char** words) {
  umad_port_t own;
  uint8_t group[16];
  if (count < 4 || strlen(words[1]) != 32) {
    fprintf(stderr, "usage: sa_join <group GID, 32 digits> <service level or -> <port GUID>...\n");
    return 1;
  }
  for (int i = 0; i < 16; ++i) {
    const char digits[3] = {words[1][2 * i], words[1][2 * i + 1], '\0'};
    group[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  if (umad_init() < 0 || umad_get_port(NULL, 0, &own) < 0) {
    fprintf(stderr, "sa_join: no InfiniBand port\n");
    return 1;
  }
  const int port = umad_open_port(own.ca_name, own.portnum);
  const int agent = port < 0 ? -1 : umad_register(port, UMAD_CLASS_SUBN_ADM, kSaClassVersion, 0, NULL);
  int lid = agent < 0 ? -1 : 0;
  for (int i = 3; i < count && lid >= 0; ++i) {
    const int level = words[2][0] == '-' ? -1 : (int)strtol(words[2], NULL, 10);
    char* end = NULL;
    const uint64_t guid = strtoull(words[i], &end, 16);
    const unsigned state = *end == ':' ? (unsigned)strtoul(end + 1, NULL, 10) : kFullMember;
    lid = join(port, agent, &own, (uint64_t)i, group, level, guid, state);
    if (lid < 0) fprintf(stderr, "sa_join: %s may not join\n", words[i]);
  }
  if (lid > 0) printf("0x%04x\n", (unsigned)lid);
  umad_unregister(port, agent);
  umad_close_port(port);
  umad_release_port(&own);
  umad_done();
  return lid < 0;
}
