#ifndef MISTERTOP_CTERMINALGUARD_H
#define MISTERTOP_CTERMINALGUARD_H

// Gives the terminal back on every way out: return, exit, signal, crash, stop, and a death that cannot be caught.
//
// One terminal at a time. All that a handler needs is copied here before the handlers are installed; a
// handler then calls only async-signal-safe functions: write, poll, dup2, tcsetattr, tcflush, sigaction, raise,
// pthread_kill.

// The guard's report of a crash, and its place.
struct terminal_report {
  const char *program;
  const char *version;
  // The folder for reports; it is made when the first one is written.
  const char *folder;
  // The file whose last lines go into the report.
  const char *log;
};

// Splits the process in two: the one that goes on, and its parent, the guard, which never returns from here. The guard
// waits for the end of the other, gives the terminal back if that could not, and ends in the same way.
//
// Call it before any thread exists. 0 in the process that goes on; -1 where there is no guard to be had: then nothing
// has changed.
int terminal_guard_split(const struct terminal_report *report);

// Names a folder that the guard removes, with the files in it, when the program dies before it could; NULL for none.
void terminal_guard_set_litter(const char *folder);

// 0 when there was a guard and it has been killed.
int terminal_guard_has_parent(void);

// A descriptor to read keys from, of which a read never waits: what poll has seen may have been taken by a shell while
// this process was stopped. Where that cannot be had it is a copy; -1 when there is none at all.
int terminal_guard_keyboard(int terminal);

// Keeps the modes of the terminal as they are now, to be given back later; call before ncurses starts.
// 0, or -1 with errno.
int terminal_guard_save(int input, int output);

// Takes the terminal: modes for reading keys, the bytes of `enter` written, handlers installed.
// `leave` undoes `enter`. Returns the descriptor that becomes readable after a resize or a stop, or -1.
int terminal_guard_open(const char *enter, const char *leave);

// Replaces what is written when the terminal is taken again after a stop.
void terminal_guard_set_enter(const char *enter);

// Replaces what is written when the terminal is given back.
void terminal_guard_set_leave(const char *leave);

// Holds all signals back on the calling thread, or lets them through again.
void terminal_guard_hold(int is_held);

// Says that drawing begins or has ended. Of what is drawn between the two the rest is thrown away when a stop comes
// meanwhile; the end then returns 1, else 0.
int terminal_guard_draw(int begins);

// Writes bytes to the terminal, all of them or until it does not take any for a while. 0, or -1.
int terminal_guard_write(const char *bytes, long count);

// Gives the terminal to another program of this job (1), or takes it back from it (0). Meanwhile a stop and what follows
// it leave the terminal alone, and what the keyboard's interrupt keys send is for the other program only.
void terminal_guard_lend(int is_lent);

// 1 from a successful open until close.
int terminal_guard_is_open(void);

// 1 while the terminal is ours to draw on: not while another job has it.
int terminal_guard_is_ours(void);

// Gives the terminal back; may be called any number of times and from any handler.
void terminal_guard_close(void);

#endif
