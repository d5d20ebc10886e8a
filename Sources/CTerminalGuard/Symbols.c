// Names of functions for a report: of the program itself from the table that its file carries, of libraries from what
// they export. The guard has the program's addresses, because it is the same process split in two.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Guard.h"

// That of the Swift runtime, where the program is linked with it.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *capacity, uint32_t flags)
    __attribute__((weak));

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The program's file, mapped.
struct symbols {
  const char *file;
  size_t size;
  const ElfW(Sym) *table;
  size_t count;
  const char *names;
  size_t names_size;
  // Where the file's address zero is in memory.
  uintptr_t base;
};

static int is_inside(const struct symbols *symbols, size_t offset, size_t size) {
  return offset <= symbols->size && size <= symbols->size - offset;
}

static int find_table(struct symbols *symbols) {
  const ElfW(Ehdr) *header = (const void *)symbols->file;
  if (symbols->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  if (!is_inside(symbols, header->e_shoff, (size_t)header->e_shnum * sizeof(ElfW(Shdr)))) return 0;
  const ElfW(Shdr) *sections = (const void *)(symbols->file + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *names = &sections[sections[i].sh_link];
    if (!is_inside(symbols, sections[i].sh_offset, sections[i].sh_size)) return 0;
    if (!is_inside(symbols, names->sh_offset, names->sh_size)) return 0;
    symbols->table = (const void *)(symbols->file + sections[i].sh_offset);
    symbols->count = sections[i].sh_size / sizeof(ElfW(Sym));
    symbols->names = symbols->file + names->sh_offset;
    symbols->names_size = names->sh_size;
    Dl_info info;
    if (header->e_type == ET_DYN && dladdr((void *)(uintptr_t)&open_symbols, &info) != 0)
      symbols->base = (uintptr_t)info.dli_fbase;
    return 1;
  }
  return 0;
}

struct symbols *open_symbols(void) {
  static struct symbols symbols;
  struct stat status;
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status) != 0) return NULL;
  void *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED) return NULL;
  symbols.file = file;
  symbols.size = (size_t)status.st_size;
  return find_table(&symbols) ? &symbols : NULL;
}

// The name of the function around an address of the program's own file; NULL when there is none.
static const char *find(const struct symbols *symbols, uintptr_t address, size_t *offset) {
  uintptr_t place = address - symbols->base;
  for (size_t i = 0; i < symbols->count; i++) {
    const ElfW(Sym) *symbol = &symbols->table[i];
    if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_name >= symbols->names_size) continue;
    if (place < symbol->st_value || place - symbol->st_value >= symbol->st_size) continue;
    *offset = place - symbol->st_value;
    return symbols->names + symbol->st_name;
  }
  return NULL;
}
#else
struct symbols *open_symbols(void) { return NULL; }

static const char *find(const struct symbols *symbols, uintptr_t address, size_t *offset) {
  (void)symbols, (void)address, (void)offset;
  return NULL;
}
#endif

void describe(const struct symbols *symbols, uintptr_t address, char *text, size_t capacity) {
  size_t offset = 0;
  Dl_info info = {0};
  const char *name = symbols == NULL ? NULL : find(symbols, address, &offset);
  dladdr((void *)address, &info);
  if (name == NULL && info.dli_sname != NULL) {
    name = info.dli_sname;
    offset = address - (uintptr_t)info.dli_saddr;
  }
  if (name == NULL) {
    if (info.dli_fname != NULL)
      snprintf(text, capacity, " %s + 0x%lx", info.dli_fname, (unsigned long)(address - (uintptr_t)info.dli_fbase));
    return;
  }
  char *plain = swift_demangle != NULL ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
  snprintf(text, capacity, " %s + %zu", plain != NULL ? plain : name, offset);
  free(plain);
}
