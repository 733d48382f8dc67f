// SPDX-License-Identifier: Apache-2.0
// peak RESULT PROGRAM ARGUMENTS...: runs a program and writes its peak of resident memory in KiB, and its
// exit code, to the file RESULT. A process counts the memory of whoever started it until it executes its own
// program: a script's interpreter would hide a lean program's peak, this launcher does not.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const pid_t child = fork();
  if (child == 0) {
    execv(argv[2], argv + 2);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return 2;
  FILE* result = fopen(argv[1], "w");
  if (result == NULL) return 2;
  fprintf(result, "%ld %d\n", usage.ru_maxrss, WEXITSTATUS(status));
  return fclose(result) == 0 ? 0 : 2;
}
