// Utilities shared by the program's handlers and its guard; all of them are async-signal-safe.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "Shared.h"

const int crash_signals[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS};
const size_t crash_signal_count = sizeof crash_signals / sizeof *crash_signals;
const int death_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ};
const size_t death_signal_count = sizeof death_signals / sizeof *death_signals;

int is_crash(int number) {
  for (size_t i = 0; i < crash_signal_count; i++)
    if (crash_signals[i] == number) return 1;
  return 0;
}

void set_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void let_through(int number) {
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int is_in_background(int terminal) {
  pid_t group = tcgetpgrp(terminal);
  return group > 0 && group != getpgrp();
}

int reopened(int terminal, int access) {
  char path[32];
  snprintf(path, sizeof path, "/dev/fd/%d", terminal);
  int fd = open(path, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && isatty(fd)) return fd;
  if (fd >= 0) close(fd);
  return fcntl(terminal, F_DUPFD_CLOEXEC, 3);
}

long steady_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

// 1 if there is room, 0 after the timeout, -1 if the terminal is gone.
static int room(int fd, int timeout) {
  struct pollfd ready = {.fd = fd, .events = POLLOUT};
  int answer = poll(&ready, 1, timeout);
  if (answer < 0) return errno == EINTR ? 0 : -1;
  return ready.revents & (POLLERR | POLLNVAL | POLLHUP) ? -1 : answer;
}

// Bytes written; 0 if there is no room after all, -1 on failure.
static ssize_t write_some(int fd, const char *bytes, size_t count) {
  ssize_t written = write(fd, bytes, count);
  return written < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : written;
}

int write_all(int fd, const char *bytes, size_t count, int timeout) {
  long last = steady_milliseconds();
  while (count > 0) {
    if (room(fd, timeout) < 0) return -1;
    ssize_t written = write_some(fd, bytes, count);
    if (written < 0) return -1;
    if (written > 0) last = steady_milliseconds();
    if (steady_milliseconds() - last > timeout) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

int say_leave(int fd, struct shared *shared, int timeout) {
  const struct sequence *leave = &shared->leave[atomic_load(&shared->leave_index)];
  return write_last(fd, leave->bytes, leave->count, timeout);
}

int write_last(int fd, const char *bytes, size_t count, int timeout) {
  // Everything at once, so that no other output comes between; but if writing may block, there may not be room for two
  // bytes.
  int flags = fcntl(fd, F_GETFL);
  size_t most = flags >= 0 && (flags & O_NONBLOCK) != 0 ? count : 1, done = 0;
  long start = steady_milliseconds(), last = start;
  int is_flushed = 0;
  for (;;) {
    int answer = room(fd, timeout / 4);
    if (answer < 0) return -1;
    ssize_t written = answer > 0 ? write_some(fd, bytes + done, most < count - done ? most : count - done) : 0;
    if (written < 0) return -1;
    done += (size_t)written;
    if (done == count) return 0;
    long now = steady_milliseconds();
    if (written > 0) {
      last = now;
      continue;
    }
    if (now - start > timeout) return -1;
    if (now - last > timeout / 2 && !is_flushed) {
      is_flushed = 1;
      tcflush(fd, TCOFLUSH);
      // The part already written may have been discarded as well.
      done = 0;
    }
    poll(NULL, 0, 1);
  }
}
