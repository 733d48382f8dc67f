// SPDX-License-Identifier: Apache-2.0
// Asks the subnet administrator for path records, as a node of the fabric would: reads pairs of LIDs from
// standard input, "<source> <destination>" in decimal, and prints each with the service level of the answer.
// Exit code 1 when a query is not answered.
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// PathRecord, InfiniBand specification 15.2.5.16, as bytes of the query's data.
enum { kDestinationLid = 40, kSourceLid = 42, kClassAndLevel = 52 };
static const uint64_t kMaskDestinationLid = 1 << 4;
static const uint64_t kMaskSourceLid = 1 << 5;
static const uint32_t kWellKnownKey = 0x80010000;
enum { kSaClassVersion = 2, kMilliseconds = 3000, kRetries = 3 };

static int level_of(int port, int agent, const umad_port_t* own, uint64_t transaction, uint16_t source,
                    uint16_t destination) {
  const size_t length = sizeof(struct umad_sa_packet);
  char buffer[sizeof(struct ib_user_mad) + sizeof(struct umad_sa_packet)];
  memset(buffer, 0, sizeof buffer);
  struct umad_sa_packet* query = umad_get_mad(buffer);
  query->mad_hdr.base_version = 1;
  query->mad_hdr.mgmt_class = UMAD_CLASS_SUBN_ADM;
  query->mad_hdr.class_version = kSaClassVersion;
  query->mad_hdr.method = UMAD_METHOD_GET;
  query->mad_hdr.tid = htobe64(transaction);
  query->mad_hdr.attr_id = htons(UMAD_SA_ATTR_PATH_REC);
  query->comp_mask = htobe64(kMaskDestinationLid | kMaskSourceLid);
  const uint16_t lids[2] = {htons(destination), htons(source)};
  memcpy(query->data + kDestinationLid, lids, sizeof lids);
  umad_set_addr(buffer, (int)own->sm_lid, 1, (int)own->sm_sl, (int)kWellKnownKey);
  if (umad_send(port, agent, buffer, (int)length, kMilliseconds, kRetries) < 0) return -1;
  int got = (int)length;
  if (umad_recv(port, buffer, &got, kMilliseconds * (kRetries + 1)) < 0 || umad_status(buffer) != 0)
    return -1;
  const struct umad_sa_packet* answer = umad_get_mad(buffer);
  if (answer->mad_hdr.status != 0 || be64toh(answer->mad_hdr.tid) << 32 != transaction << 32) return -1;
  return answer->data[kClassAndLevel + 1] & 0xF;
}

int main(void) {
  umad_port_t own;
  if (umad_init() < 0 || umad_get_port(NULL, 0, &own) < 0) {
    fprintf(stderr, "sa_levels: no InfiniBand port\n");
    return 1;
  }
  const int port = umad_open_port(own.ca_name, own.portnum);
  const int agent = port < 0 ? -1 : umad_register(port, UMAD_CLASS_SUBN_ADM, kSaClassVersion, 0, NULL);
  if (agent < 0) {
    fprintf(stderr, "sa_levels: port cannot be opened\n");
    return 1;
  }
  unsigned source = 0;
  unsigned destination = 0;
  uint64_t transaction = 1;
  int failed = 0;
  while (!failed && scanf("%u %u", &source, &destination) == 2) {
    const int level = level_of(port, agent, &own, transaction++, (uint16_t)source, (uint16_t)destination);
    failed = level < 0;
    if (failed) {
      fprintf(stderr, "sa_levels: no path record from %u to %u\n", source, destination);
    } else {
      printf("%u %u %d\n", source, destination, level);
    }
  }
  umad_unregister(port, agent);
  umad_close_port(port);
  umad_release_port(&own);
  umad_done();
  return failed;
}
