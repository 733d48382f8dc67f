// SPDX-License-Identifier: Apache-2.0
// Preloaded into OpenSM: measures how long it computes routing, in CPU seconds of the thread that does it and
// in wall time, from the log line that announces a routing engine to the line that tells how it ended. The
// log's clock cannot tell this: other processes and OpenSM's other threads run meanwhile. Appends "<engine's
// end: ok or failed> <cpu seconds> <wall seconds>" to $UNKNOT_ROUTING_TIMES. The time holds what OpenSM holds
// to be routing: hop counts, tables, lanes, and the queueing (not the sending) of the table messages.
//
//     cc -shared -fPIC -O2 -o routing_timer.so routing_timer.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*log_function)(void*, int, int, const char*, ...);

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void watch(const char* format) {
  static double cpu;
  static double wall;
  if (strstr(format, "building routing with") != NULL) {
    cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    wall = seconds(CLOCK_MONOTONIC);
    return;
  }
  const char* end = strstr(format, "tables configured on all switches") != NULL ? "ok"
                    : strstr(format, "No routing engine able") != NULL          ? "failed"
                                                                                : NULL;
  const char* path = getenv("UNKNOT_ROUTING_TIMES");
  if (end == NULL || path == NULL) return;
  cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  wall = seconds(CLOCK_MONOTONIC) - wall;
  FILE* out = fopen(path, "a");
  if (out == NULL) return;
  fprintf(out, "%s %.6f %.6f\n", end, cpu, wall);
  fclose(out);
}

// OpenSM's log goes through its library: this definition comes before that one.
void osm_log_v2(void* log, int level, int file, const char* format, ...) {
  static log_function next;
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "osm_log_v2");
  watch(format);
  char line[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (next != NULL) next(log, level, file, "%s", line);
}
