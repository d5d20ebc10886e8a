#ifndef MISTERTOP_SHARED_H
#define MISTERTOP_SHARED_H

// Memory shared by the program and its guard, which outlives the one that dies.

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

enum { sequence_capacity = 1024, frame_capacity = 64, cleanup_capacity = 1024 };
// Tells the program that its guard has been killed: one that is certainly caught, for no one lets it be ignored as
// `trap '' TERM` does, and that does no harm before there is a handler.
enum { guard_death_signal = SIGURG };
enum { terminal_free, terminal_ours, terminal_changing };

struct sequence {
  char bytes[sequence_capacity];
  size_t count;
};

// The facts that a handler could still find about a crash.
struct crash_note {
  // The signal; 0 while there is nothing to read here.
  atomic_int number;
  int code;
  uintptr_t address;
  long thread;
  char thread_name[32];
  uintptr_t stack;
  int count;
  // Where each function on the stack was, the innermost first.
  uintptr_t frames[frame_capacity];
};

struct shared {
  // The only thing that handlers on several threads share in writing.
  atomic_int state;
  // True if the modes of the terminal may be other than before.
  atomic_int has_other_modes;
  // Set when the terminal did not take the bytes that give it back.
  atomic_int is_unsaid;
  // True if the guard has stopped as the program has, or is about to.
  atomic_int is_guard_stopped;
  // The sequences that give the terminal back; the valid copy is never the one being written.
  struct sequence leave[2];
  atomic_int leave_index;
  struct crash_note crash;
  // A folder that is of no use without the program; empty when there is none.
  char cleanup[cleanup_capacity];
  // Which folder that was: whoever may rename it could put another of this user's there.
  dev_t cleanup_device;
  ino_t cleanup_number;
};

// That of the guard, or of this process alone where there is no guard.
extern struct shared *terminal_shared;

extern const int crash_signals[];
extern const size_t crash_signal_count;
extern const int death_signals[];
extern const size_t death_signal_count;

int is_crash(int number);
void set_default(int number);
// Unblocks one signal for a moment, so that one that is pending is delivered now.
void let_through(int number);
// True if another job has the terminal now; then its modes are not ours to set.
int is_in_background(int terminal);
// A descriptor of its own for a terminal that is open already; one that does not block, where that can be had.
// Call it beforehand: this one function is not for handlers.
int reopened(int terminal, int access);
// Writes all of it, or until the terminal has taken nothing for so many milliseconds. 0, or -1.
int write_all(int fd, const char *bytes, size_t count, int timeout);
// Writes all of it, at once where there is room, within so many milliseconds; what waits to be shown is thrown away when there is no room. 0, or -1.
int write_last(int fd, const char *bytes, size_t count, int timeout);

// Writes what gives the terminal back. 0, or -1.
int say_leave(int fd, struct shared *shared, int timeout);

void note_crash(struct crash_note *note, int number, const siginfo_t *info, void *context);
// Handlers for crashes, before there is a terminal to give back.
void install_crash_handlers(void);

#endif
