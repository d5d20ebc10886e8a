// Starts the program beside its guard on systems where a process may be split without starting it again (Linux).
//
// `fork` without `exec`: the program is one file of tens of megabytes, and starting it again would take longer than
// everything else up to the first byte. It is safe because there is only one thread, which is checked.
#ifndef __APPLE__
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Guard.h"

static pid_t guard_process;

// A folder has one link for its name, one for itself, and one for each subfolder: here, for each thread.
static int is_alone(void) {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

// The Swift runtime keeps each thread's ID in a thread-local variable and uses it for locks: in the child, that
// variable still contains the parent's ID. The kernel would take that for the owner of the lock, and the first two
// threads to contend for one would wait forever. The variable has no symbol, so it is found by its value, and only in
// the runtime's thread-local storage: in its library, or in the program that it is linked into. (In a container, a
// process ID may be so small that a variable of the C library contains it by chance.)
struct renumbering {
  uint32_t before, now;
};

static int renumber(struct dl_phdr_info *object, size_t size, void *numbers) {
  const struct renumbering *thread = numbers;
  (void)size;
  int is_program = object->dlpi_name == NULL || object->dlpi_name[0] == 0;
  if (!is_program && strstr(object->dlpi_name, "/libswift") == NULL) return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_TLS || part->p_align < sizeof thread->now || object->dlpi_tls_data == NULL) continue;
    uint32_t *word = object->dlpi_tls_data;
    for (size_t left = part->p_memsz / sizeof *word; left > 0; left--, word++) {
      if (*word == thread->before) *word = thread->now;
    }
  }
  return 0;
}

pid_t start_beside(struct shared **shared) {
  if (!is_alone()) return -1;
  *shared = mmap(NULL, sizeof **shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (*shared == MAP_FAILED) return -1;
  pid_t parent = getpid();
  pid_t process = fork();
  if (process != 0) {
    if (process < 0) munmap(*shared, sizeof **shared);
    return process;
  }
  guard_process = parent;
  struct renumbering thread = {(uint32_t)parent, (uint32_t)getpid()};
  dl_iterate_phdr(renumber, &thread);
  // If the guard is killed, the shell takes the terminal, so the program has to leave it.
  prctl(PR_SET_PDEATHSIG, guard_death_signal);
  if (getppid() != parent) _exit(1);
  return 0;
}

// Read-only pages are reloaded from the file on demand.
static int give_up_pages(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr + mask) & ~mask;
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~mask;
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void shrink_guard(void) { dl_iterate_phdr(give_up_pages, NULL); }

int terminal_guard_has_parent(void) { return guard_process == 0 || getppid() == guard_process; }
#endif
