// The files loaded by a crashed program: the program itself and its libraries, each with its address. A report contains
// offsets in those files, which mean the same on every machine. The guard has the same addresses as the program,
// because both come from one process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "Guard.h"

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

#ifdef __linux__
#include <link.h>

struct search {
  uintptr_t address;
  struct module *module;
  // Objects seen; the first one is the program.
  int count;
};

static int is_in(const struct dl_phdr_info *object, uintptr_t address) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && address - object->dlpi_addr - part->p_vaddr < part->p_memsz) return 1;
  }
  return 0;
}

static int match(struct dl_phdr_info *object, size_t size, void *argument) {
  struct search *search = argument;
  (void)size;
  int is_program = search->count++ == 0;
  if (!is_in(object, search->address)) return 0;
  const char *name = is_program || object->dlpi_name == NULL ? "" : base_name(object->dlpi_name);
  *search->module = (struct module){name, search->address - object->dlpi_addr, is_program};
  return 1;
}

int find_module(uintptr_t address, struct module *module) {
  struct search search = {address, module, 0};
  return dl_iterate_phdr(match, &search);
}

static size_t padded(size_t size) { return (size + 3) & ~(size_t)3; }

// Notes follow one another, each with a header, a name and a description padded to words.
static void read_build_id(const char *notes, size_t count, struct build_id *id) {
  ElfW(Nhdr) head;
  while (count >= sizeof head) {
    memcpy(&head, notes, sizeof head);
    size_t name = sizeof head, description = name + padded(head.n_namesz);
    size_t end = description + padded(head.n_descsz);
    if (end > count) return;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0 &&
        head.n_descsz <= sizeof id->bytes) {
      memcpy(id->bytes, notes + description, head.n_descsz);
      id->count = head.n_descsz;
    }
    notes += end;
    count -= end;
  }
}

// Reads only the first object, which is the program.
static int read_notes(struct dl_phdr_info *object, size_t size, void *id) {
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_NOTE) read_build_id((const char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz, id);
  }
  return 1;
}

struct build_id program_build_id(void) {
  struct build_id id = {.count = 0};
  dl_iterate_phdr(read_notes, &id);
  return id;
}
#else
int find_module(uintptr_t address, struct module *module) {
  Dl_info info, program;
  if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL) return 0;
  int is_program = dladdr((void *)(uintptr_t)&find_module, &program) != 0 && program.dli_fbase == info.dli_fbase;
  *module = (struct module){base_name(info.dli_fname), address - (uintptr_t)info.dli_fbase, is_program};
  return 1;
}

struct build_id program_build_id(void) { return (struct build_id){.count = 0}; }
#endif

const char *exported_name(uintptr_t address, size_t *offset) {
  Dl_info info;
  if (dladdr((void *)address, &info) == 0 || info.dli_sname == NULL) return NULL;
  *offset = address - (uintptr_t)info.dli_saddr;
  return info.dli_sname;
}
