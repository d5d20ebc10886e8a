#ifndef MISTERTOP_SHARED_H
#define MISTERTOP_SHARED_H

// Memory shared by the program and its guard; it survives the death of either.

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

enum { sequence_capacity = 1024, frame_capacity = 64, cleanup_capacity = 1024 };
// Tells the program that its guard has been killed. This signal is never ignored from the start, as TERM may be after
// `trap '' TERM`, and is harmless before a handler is installed.
enum { guard_death_signal = SIGURG };
enum { terminal_free, terminal_ours, terminal_changing };

struct sequence {
  char bytes[sequence_capacity];
  size_t count;
};

// The facts that a handler could determine about a crash.
struct crash_note {
  // The signal; 0 while the rest is not valid.
  atomic_int number;
  int code;
  uintptr_t address;
  long thread;
  char thread_name[32];
  uintptr_t stack;
  int count;
  // The instruction address in each function on the stack, the innermost first.
  uintptr_t frames[frame_capacity];
};

struct shared {
  // The only field that handlers on several threads write.
  atomic_int state;
  // True if the modes of the terminal may differ from the original ones.
  atomic_int has_other_modes;
  // True if the terminal did not accept the bytes that restore it.
  atomic_int is_unsaid;
  // True if the guard has stopped like the program, or is about to.
  atomic_int is_guard_stopped;
  // The sequences that restore the terminal; the copy in use is never the one being written.
  struct sequence leave[2];
  atomic_int leave_index;
  struct crash_note crash;
  // A folder that is useless without the program; empty if there is none.
  char cleanup[cleanup_capacity];
  // Identifies the folder: an account that may rename it could put another folder of this user there.
  dev_t cleanup_device;
  ino_t cleanup_number;
};

// The memory shared with the guard, or of this process alone if there is no guard.
extern struct shared *terminal_shared;

extern const int crash_signals[];
extern const size_t crash_signal_count;
extern const int death_signals[];
extern const size_t death_signal_count;

int is_crash(int number);
void set_default(int number);
// Unblocks one signal for a moment, so that a pending one is delivered now.
void let_through(int number);
// True if another job has the terminal; then its modes are not ours to set.
int is_in_background(int terminal);
// A separate descriptor for an open terminal, nonblocking if possible. Call it in advance: unlike the other functions,
// it is not for handlers.
int reopened(int terminal, int access);
// The time of a steady clock.
long steady_milliseconds(void);
// Writes everything, unless the terminal accepts nothing for `timeout` milliseconds. Returns 0, or -1.
int write_all(int fd, const char *bytes, size_t count, int timeout);
// Writes everything within `timeout` milliseconds, at once if there is room; if there is none, pending output is
// discarded. Returns 0, or -1.
int write_last(int fd, const char *bytes, size_t count, int timeout);

// Writes the sequence that restores the terminal. Returns 0, or -1.
int say_leave(int fd, struct shared *shared, int timeout);

void note_crash(struct crash_note *note, int number, const siginfo_t *info, void *context);
// Installs handlers for crashes, before there is a terminal to restore.
void install_crash_handlers(void);

#endif
