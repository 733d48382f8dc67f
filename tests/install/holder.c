/* SPDX-License-Identifier: Apache-2.0 */
/* The example of docs/live.md, compiled as C against an installed library. */
#include <stdio.h>
#include <unknot/live.h>

int main(void) {
  char why[200];
  unknot_live* live = unknot_live_open("xgft:m=8x8,w=4x4", NULL, why, sizeof why);
  if (live == NULL) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }

  /* A leaf's cable dies: its port 1 leads up. */
  const uint64_t leaf = unknot_live_router_guid(live, 0);
  int code = unknot_live_cable(live, leaf, 1, 0);
  if (code == UNKNOT_LIVE_DONE) code = unknot_live_apply(live);
  if (code != UNKNOT_LIVE_DONE) fprintf(stderr, "%s\n", unknot_live_error(live));

  /* Proven by code that did not make them: into the switches with them. */
  const unknot_live_proof proof = unknot_live_verdict(live);
  const unknot_live_entry* changes = unknot_live_changes(live);
  const size_t count = unknot_live_change_count(live);
  size_t at_leaf = 0;
  if (proof.proven) {
    for (size_t i = 0; i < count; ++i) at_leaf += changes[i].router == 0 ? 1 : 0;
  }
  printf(
      "%llu of %llu pairs delivered, deadlock %s, %zu entries of %u switches' to %u hosts changed, %zu at "
      "the leaf\n",
      (unsigned long long)proof.delivered_pairs, (unsigned long long)proof.pairs,
      proof.deadlock_free ? "free" : "possible", count, unknot_live_router_count(live),
      unknot_live_host_count(live), at_leaf);
  unknot_live_close(live);
  return proof.proven && code == UNKNOT_LIVE_DONE ? 0 : 1;
}
