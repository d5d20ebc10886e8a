#ifndef MISTERTOP_GUARD_H
#define MISTERTOP_GUARD_H

// The parts of the guard: starting the program, watching it, and cleaning up after its death.

#include "CTerminalGuard.h"
#include "Shared.h"

// Starts the program beside this process. Returns its process ID in the parent, 0 in the program itself, -1 on failure.
pid_t start_beside(struct shared **shared);

// Gives back the memory of the program's code, most of which the guard does not use.
void shrink_guard(void);

// Writes the report and stores its path. Returns NULL, or the reason why there is no report.
const char *write_report(const struct terminal_report *report, const struct shared *shared, int number, pid_t process,
                         char *path, size_t capacity);

// Copies text, with `\xNN` (four bytes) in place of every byte that is not part of a printable character, and
// terminates it with NUL. With lines, newlines and tabs are kept. Returns the length.
size_t make_plain(const char *bytes, size_t count, int has_lines, char *plain, size_t capacity);

// A loaded file and an offset in it.
struct module {
  // Without folders; empty for the program itself.
  const char *name;
  // The address used in the file itself, wherever it was loaded.
  uintptr_t offset;
  int is_program;
};

// Finds the loaded file that contains an address. Returns 0 if there is none.
int find_module(uintptr_t address, struct module *module);

// The name of the exported function around an address in a library, and the offset from its start. NULL if there is
// none.
const char *exported_name(uintptr_t address, size_t *offset);

// The linker's ID of the program; its debug information file has the same.
struct build_id {
  unsigned char bytes[64];
  size_t count;
};

// Returns a count of 0 if the program was linked without one.
struct build_id program_build_id(void);

// The name of a signal, such as `SIGSEGV`.
const char *signal_name(int number);

// Removes a folder and the files in it, but not its subfolders.
void remove_folder(const char *path, dev_t device, ino_t number);

#endif
