#ifndef MISTERTOP_CTERMINALGUARD_H
#define MISTERTOP_CTERMINALGUARD_H

// Gives the terminal back on every way out: return, exit, signal, crash, stop.
//
// One terminal at a time. All that a handler needs is copied here before the handlers are installed; a
// handler then calls only async-signal-safe functions: write, poll, dup2, tcsetattr, tcflush, sigaction, raise.

// Keeps the modes of the terminal as they are now, to be given back later; call before ncurses starts.
// 0, or -1 with errno.
int terminal_guard_save(int input, int output);

// Takes the terminal: modes for reading keys, the bytes of `enter` written, handlers installed.
// `leave` undoes `enter`. Returns the descriptor that becomes readable after a resize or a stop, or -1.
int terminal_guard_open(const char *enter, const char *leave);

// Replaces what is written when the terminal is taken again after a stop.
void terminal_guard_set_enter(const char *enter);

// Writes bytes to the terminal, all of them or until it does not take any for a while. 0, or -1.
int terminal_guard_write(const char *bytes, long count);

// 1 from a successful open until close.
int terminal_guard_is_open(void);

// Gives the terminal back; may be called any number of times and from any handler.
void terminal_guard_close(void);

#endif
