// Starting the program beside its guard where a process may be split without a new start (Linux).
//
// `fork` alone, without `exec`: the program is one file of tens of megabytes, and starting it again would take longer
// than all else up to the first byte. It is safe because there is one thread only, which is made sure of.
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

// A folder has a link for itself, one for its name, and one for each folder in it: here, for each thread.
static int is_alone(void) {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

// The runtime of the language keeps the number of each thread in a variable of that thread, and locks with it: in the
// child the variable of the one thread there is still names the parent. The kernel would take that for the owner of the
// lock, and the first two threads to meet at one would wait for ever. Nothing gives the variable's name away, so it is
// found by what it holds, and only among what belongs to the runtime: in its library, or in the program that is linked
// with it. (A process in a container may have so small a number that a variable of the C library holds it by chance.)
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
  // When the guard is killed the shell takes the terminal, so the program has to leave it.
  prctl(PR_SET_PDEATHSIG, guard_death_signal);
  if (getppid() != parent) _exit(1);
  return 0;
}

// Pages that no one writes to come back from the file by themselves.
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
