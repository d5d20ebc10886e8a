// The guard: a process that only waits for the program to end, so that the terminal is restored even after a death that
// cannot be caught (SIGKILL, a stack overflow on a thread without an alternate stack).
//
// It is the parent, because a shell continues as soon as its own child has ended: only the parent can restore the
// terminal before the prompt appears. Both are in one process group, so that what the terminal sends (Ctrl-C, Ctrl-Z,
// hangup, resize) reaches the program directly; the guard forwards what is sent only to itself.
#define _GNU_SOURCE
#include "Guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { guard_patience_ms = 1000 };

static pid_t program;
static int input_fd = -1;
static struct termios modes_before;
static const int passed_on[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ, SIGTSTP,
                                SIGWINCH, SIGSEGV, SIGABRT, SIGILL,  SIGTRAP, SIGBUS,  SIGFPE,  SIGSYS};

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  int kept = errno;
  // A signal from the kernel is a crash of this process, or went to the whole group; the exception is a hangup, which
  // goes only to the session leader.
  if (info->si_code > 0 && number != SIGHUP) {
    if (is_crash(number)) set_default(number);
  } else if (info->si_pid != program) {
    kill(program, number);
  }
  errno = kept;
}

static void on_news(int number) { (void)number; }

static void pass_on(int number) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old;
  // Signals that our parent ignores stay ignored.
  if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

// True if a shell, perhaps further up than our parent (sudo, a script), could notice that our group has stopped and
// continue it. Otherwise the group is orphaned, and the kernel does not stop anyone with this signal.
static int is_in_job(void) {
  int status = 0;
  pid_t probe = fork();
  if (probe == 0) {
    set_default(SIGTTIN);
    raise(SIGTTIN);
    let_through(SIGTTIN);
    _exit(0);
  }
  if (probe < 0) return getsid(getppid()) == getsid(0) && getpgid(getppid()) != getpgrp();
  while (waitpid(probe, &status, WUNTRACED) < 0 && errno == EINTR) continue;
  if (!WIFSTOPPED(status)) return 0;
  kill(probe, SIGKILL);
  while (waitpid(probe, NULL, 0) < 0 && errno == EINTR) continue;
  return 1;
}

// True if the program has stopped and not continued since.
static int is_still_stopped(void) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)program, &info, WEXITED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

// Stops like the program, because the shell watches this process, and continues when told to. A stopped guard cannot
// see the program's end, so if no one could continue it, it keeps watching. Returns true if it has stopped.
static int stop_too(int number, struct shared *shared) {
  if (number != SIGTSTP && number != SIGSTOP) {
    set_default(number);
    raise(number);
    let_through(number);
    pass_on(number);
    return 1;
  }
  if (!is_in_job()) return 0;
  // From now on, a program that continues also continues us; one that has already continued is detected here.
  atomic_store(&shared->is_guard_stopped, 1);
  int stops = is_still_stopped();
  // SIGSTOP, which leaves our handler installed. With the default action, the next Ctrl-Z could stop us before a busy
  // machine has run us again, and the shell would take the terminal before the program has given it back.
  if (stops) raise(SIGSTOP);
  atomic_store(&shared->is_guard_stopped, 0);
  return stops;
}

#ifdef __linux__
// Adopts orphaned descendants; this is the only way to find the editor that a killed program leaves behind.
static void adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

// Reaps adopted processes that have ended, but never the program.
static void bury_orphans(void) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0 || info.si_pid == program) return;
    waitpid(info.si_pid, NULL, WNOHANG);
  }
}

// Sends a hangup to the children in our group, which were started by the program and share the terminal. Commands of
// limits have their own groups and keep running.
static int hang_up_orphans(void) {
  char path[64], list[4096];
  int found = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t count = read(fd, list, sizeof list - 1);
  close(fd);
  if (count <= 0) return 0;
  list[count] = 0;
  for (char *rest = list, *end; *rest != 0; rest = end) {
    long process = strtol(rest, &end, 10);
    if (end == rest) break;
    if (process <= 0 || getpgid((pid_t)process) != getpgrp()) continue;
    kill((pid_t)process, SIGHUP);
    kill((pid_t)process, SIGCONT);
    found++;
  }
  return found;
}

// Ends the editor of a killed program, or it would compete with the shell for the keyboard. An editor that does not end
// keeps its text.
static void end_orphans(void) {
  struct timespec pause = {0, 20 * 1000 * 1000};
  for (int tries = 0; tries < 25; tries++) {
    bury_orphans();
    if (hang_up_orphans() == 0) return;
    nanosleep(&pause, NULL);
  }
}
#else
static void adopt_orphans(void) {}
static void bury_orphans(void) {}
static void end_orphans(void) {}
#endif

// Waits for the program to end and returns its status; the signals are blocked except while waiting.
static int watch(const sigset_t *none, struct shared *shared) {
  // Memory is given back after a second: until then, the program needs the machine to start.
  struct timespec pause = {1, 0}, *until_small = &pause;
  // True if the program was stopped when its status was last seen.
  int is_stopped = 0;
  for (;;) {
    int status;
    pid_t seen = waitpid(program, &status, WNOHANG | WUNTRACED | WCONTINUED);
    if (seen < 0 && errno != EINTR) return -1;
    if (seen == 0 && is_stopped) kill(program, SIGCONT);
    // Usually the whole group is continued, including the program; it may even have stopped again already.
    is_stopped = 0;
    if (seen > 0 && WIFCONTINUED(status)) continue;
    if (seen <= 0) {
      bury_orphans();
      if (pselect(0, NULL, NULL, NULL, until_small, none) != 0) continue;
      shrink_guard();
      until_small = NULL;
    } else if (WIFSTOPPED(status)) {
      is_stopped = stop_too(WSTOPSIG(status), shared);
    } else {
      return status;
    }
  }
}

static void give_back(struct shared *shared) {
  int is_taken = atomic_load(&shared->state) != terminal_free;
  if (is_taken || atomic_load(&shared->is_unsaid)) {
    int fd = reopened(STDOUT_FILENO, O_WRONLY);
    if (fd >= 0) say_leave(fd, shared, guard_patience_ms);
  }
  if (!atomic_load(&shared->has_other_modes) || is_in_background(input_fd)) return;
  tcflush(input_fd, TCIFLUSH);
  tcsetattr(input_fd, TCSANOW, &modes_before);
}

static void tell(const struct terminal_report *report, const struct shared *shared, int number) {
  char path[1024] = "", plain[4 * sizeof path], line[sizeof plain + 200];
  const char *obstacle = write_report(report, shared, number, program, path, sizeof path);
  const char *end = obstacle != NULL ? obstacle : path;
  make_plain(end, strlen(end), 0, plain, sizeof plain);
  int length = snprintf(line, sizeof line, "%s: crashed (%s); %s: %s\n", report->program, signal_name(number),
                        obstacle != NULL ? "no report" : "report", plain);
  if (length > 0) write_all(STDERR_FILENO, line, (size_t)length, guard_patience_ms);
}

static void die_by(int number) {
  // The program has already written its core dump, if enabled.
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  set_default(number);
  raise(number);
  let_through(number);
  _exit(128 + number);
}

static void end(const struct terminal_report *report, struct shared *shared, int status) {
  if (WIFSIGNALED(status)) end_orphans();
  give_back(shared);
  if (shared->cleanup[0] != 0) remove_folder(shared->cleanup, shared->cleanup_device, shared->cleanup_number);
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  if (is_crash(WTERMSIG(status))) tell(report, shared, WTERMSIG(status));
  die_by(WTERMSIG(status));
}

static void guard(const struct terminal_report *report, struct shared *shared) {
  sigset_t none;
  sigemptyset(&none);
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) pass_on(passed_on[i]);
  struct sigaction news = {.sa_handler = on_news};
  sigemptyset(&news.sa_mask);
  sigaction(SIGCHLD, &news, NULL);
  adopt_orphans();
  // A process that writes into our pipe has to see it closed when the program closes it.
  if (!isatty(STDIN_FILENO)) close(STDIN_FILENO);
  int status = watch(&none, shared);
  end(report, shared, status < 0 ? 1 << 8 : status);
}

static void forget_terminal(void) {
  if (input_fd > STDIN_FILENO) close(input_fd);
  input_fd = -1;
}

int terminal_guard_split(const struct terminal_report *report) {
  struct shared *shared = NULL;
  struct sigaction standard = {.sa_handler = SIG_DFL}, before;
  sigset_t all, mask;
  if (!isatty(STDOUT_FILENO)) return -1;
  input_fd = isatty(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (input_fd < 0 || tcgetattr(input_fd, &modes_before) != 0) return forget_terminal(), -1;
  // No signal may arrive between the start of the program and the guard being ready for it; and if SIGCHLD is ignored,
  // the end of a child cannot be waited for.
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  sigaction(SIGCHLD, &standard, &before);
  program = start_beside(&shared);
  if (program > 0) guard(report, shared);
  forget_terminal();
  sigaction(SIGCHLD, &before, NULL);
  if (program == 0) {
    terminal_shared = shared;
    install_crash_handlers();
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return program == 0 ? 0 : -1;
}

void terminal_guard_set_litter(const char *folder) {
  struct stat status;
  char *cleanup = terminal_shared->cleanup;
  cleanup[0] = 0;
  if (folder == NULL || strlen(folder) >= cleanup_capacity || lstat(folder, &status) != 0) return;
  terminal_shared->cleanup_device = status.st_dev;
  terminal_shared->cleanup_number = status.st_ino;
  strcpy(cleanup, folder);
}
