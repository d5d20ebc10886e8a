#ifndef MISTERTOP_GUARD_H
#define MISTERTOP_GUARD_H

// The parts of the guard: starting the program, watching it, and what is done after its death.

#include "CTerminalGuard.h"
#include "Shared.h"

// Starts the program beside this process. Its process in the parent, 0 in the program itself, -1 when it cannot be.
pid_t start_beside(struct shared **shared);

// Gives back the memory of the program's code, which the guard hardly uses.
void shrink_guard(void);

// Writes the report and gives its path. NULL, or the reason why there is no report.
const char *write_report(const struct terminal_report *report, const struct shared *shared, int number, pid_t process,
                         char *path, size_t capacity);

// Copies text, with `\xNN` for every byte that is no part of a sign to be seen, and ends it with a zero: at most four
// bytes for one. With lines, their ends and tabs stay. Returns the length.
size_t make_plain(const char *bytes, size_t count, int has_lines, char *plain, size_t capacity);

// A loaded file and a place in it.
struct module {
  // Without folders; empty for the program itself.
  const char *name;
  // As the file itself counts, wherever it was loaded.
  uintptr_t offset;
  int is_program;
};

// The loaded file that has an address. Returns 0 when none has.
int find_module(uintptr_t address, struct module *module);

// The name of the library function around an address, and the distance from its start. NULL when it exports none there.
const char *exported_name(uintptr_t address, size_t *offset);

// The linker's name for the program; the file of its debug information has the same.
struct build_id {
  unsigned char bytes[64];
  size_t count;
};

// None (a count of 0) where the program was linked without.
struct build_id program_build_id(void);

// The name of a signal, such as `SIGSEGV`.
const char *signal_name(int number);

// Removes a folder and the files in it, but no folders in it.
void remove_folder(const char *path, dev_t device, ino_t number);

#endif
