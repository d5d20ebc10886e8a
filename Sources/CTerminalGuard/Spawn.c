// Starts the program beside its guard on systems where a forked process may not use the system's libraries (macOS): the
// program is started again, and its environment tells it that it has a guard.
#ifdef __APPLE__
#include <crt_externs.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Guard.h"

static const char variable[] = "MISTERTOP_GUARD";
static pid_t guard_process;

static struct shared *map_shared(int fd) {
  void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// True if this process was started by a guard.
static int adopt(struct shared **shared) {
  const char *value = getenv(variable);
  int parent, fd;
  if (value == NULL || sscanf(value, "%d:%d", &parent, &fd) != 2 || parent != getppid()) return 0;
  unsetenv(variable);
  *shared = map_shared(fd);
  close(fd);
  guard_process = parent;
  return *shared != NULL;
}

static int make_memory(void) {
  char name[32];
  snprintf(name, sizeof name, "/mistertop-%d", getpid());
  int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return -1;
  shm_unlink(name);
  if (ftruncate(fd, sizeof(struct shared)) == 0 && fcntl(fd, F_SETFD, 0) == 0) return fd;
  close(fd);
  return -1;
}

pid_t start_beside(struct shared **shared) {
  char path[4096], value[32];
  uint32_t capacity = sizeof path;
  pid_t process = -1;
  posix_spawnattr_t attributes;
  sigset_t none;
  if (adopt(shared)) return 0;
  int fd = make_memory();
  if (fd < 0) return -1;
  *shared = map_shared(fd);
  if (*shared != NULL && _NSGetExecutablePath(path, &capacity) == 0) {
    snprintf(value, sizeof value, "%d:%d", getpid(), fd);
    setenv(variable, value, 1);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    if (posix_spawn(&process, path, NULL, &attributes, *_NSGetArgv(), *_NSGetEnviron()) != 0) process = -1;
    posix_spawnattr_destroy(&attributes);
    unsetenv(variable);
  }
  close(fd);
  return process;
}

void shrink_guard(void) {}

int terminal_guard_has_parent(void) { return guard_process == 0 || getppid() == guard_process; }
#endif
