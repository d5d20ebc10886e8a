#ifndef MISTERTOP_CTERMINALGUARD_H
#define MISTERTOP_CTERMINALGUARD_H

// Restores the terminal on every way out: return, exit, signal, crash, stop, and a death that cannot be caught.
//
// One terminal at a time. Everything that a handler needs is copied here before the handlers are installed; a handler
// then calls only async-signal-safe functions: write, poll, dup2, tcsetattr, tcflush, sigaction, raise, pthread_kill.

// The contents and the location of the guard's crash reports.
struct terminal_report {
  const char *program;
  const char *version;
  // The folder of the reports; it is created for the first one.
  const char *folder;
  // The file whose last lines are included in the report.
  const char *log;
};

// Splits the process in two: the child, which continues, and its parent, the guard, which never returns. The guard
// waits for the child to end, restores the terminal if the child could not, and ends in the same way.
//
// Call it before other threads exist. Returns 0 in the child; -1 if a guard is not possible: then nothing has changed.
int terminal_guard_split(const struct terminal_report *report);

// Registers a folder that the guard removes, with the files in it, if the program dies before it can; NULL for none.
void terminal_guard_set_litter(const char *folder);

// Returns 0 if there was a guard and it has been killed.
int terminal_guard_has_parent(void);

// A descriptor for reading keys without ever blocking: a shell may have taken the keys that poll reported while this
// process was stopped. If that is not possible, a copy of `terminal`; -1 if there is none at all.
int terminal_guard_keyboard(int terminal);

// Saves the terminal modes, to be restored later; call before ncurses starts. Returns 0, or -1 with errno.
int terminal_guard_save(int input, int output);

// Takes the terminal: sets the modes for reading keys, writes `enter`, installs the handlers. `leave` undoes `enter`.
// Returns the descriptor that becomes readable after a resize or a stop, or -1.
int terminal_guard_open(const char *enter, const char *leave);

// Replaces the bytes written when the terminal is taken again after a stop.
void terminal_guard_set_enter(const char *enter);

// Replaces the bytes written when the terminal is given back.
void terminal_guard_set_leave(const char *leave);

// Blocks all signals on the calling thread, or unblocks them again.
void terminal_guard_hold(int is_held);

// Marks the beginning and the end of drawing. If a stop comes in between, the rest of the drawing is discarded; the end
// then returns 1, otherwise 0.
int terminal_guard_draw(int begins);

// Writes all bytes, unless the terminal accepts none for a while. Returns 0, or -1.
int terminal_guard_write(const char *bytes, long count);

// Announces answers of the terminal to queries, which may arrive for this time; 0 if none is to come. A signal that ends or
// stops the program waits for them, or the shell would get them.
void terminal_guard_expect(int milliseconds);

// Lends the terminal to another program of this job (1), or takes it back (0). In the meantime, a stop and its
// continuation leave the terminal alone, and the keyboard's interrupt keys affect only the other program.
void terminal_guard_lend(int is_lent);

// 1 from a successful open until close.
int terminal_guard_is_open(void);

// 1 while the terminal is ours to draw on; 0 while another job has it.
int terminal_guard_is_ours(void);

// Gives the terminal back; may be called any number of times and from any handler.
void terminal_guard_close(void);

#endif
