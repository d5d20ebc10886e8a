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

// Adds ` name + offset` of the function at an address, where the program's file tells it.
struct symbols;
struct symbols *open_symbols(void);
void describe(const struct symbols *symbols, uintptr_t address, char *text, size_t capacity);

// The name of a signal, such as `SIGSEGV`.
const char *signal_name(int number);

// Removes a folder and the files in it, but no folders in it.
void remove_folder(const char *path, dev_t device, ino_t number);

#endif
