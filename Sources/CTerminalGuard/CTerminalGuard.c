#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { sequence_capacity = 1024, stack_capacity = 65536, output_patience_ms = 150 };
enum { terminal_free, terminal_ours, terminal_changing };

struct sequence {
  char bytes[sequence_capacity];
  size_t count;
};

static int input_fd = -1, output_fd = -1;
// Ours alone, so that a death can shut the door behind which other threads still draw and yet write.
static int last_words_fd = -1, nowhere_fd = -1;
static int wake_read = -1, wake_write = -1;
static struct termios modes_before, modes_ours;
static struct sequence enter_sequences[2], leave_sequence;
static atomic_int enter_index;
// The only thing that handlers on several threads share in writing.
static atomic_int state = terminal_free;
static atomic_int is_open;

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS};
static const int death_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM,
                                    SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ};

static int write_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    // A terminal that takes nothing must not hold up a death.
    int answer = poll(&ready, 1, output_patience_ms);
    if (answer < 0 && errno == EINTR) continue;
    if (answer <= 0 || (ready.revents & (POLLERR | POLLNVAL | POLLHUP))) return -1;
    ssize_t written = write(fd, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

static void copy_sequence(struct sequence *to, const char *from) {
  size_t count = strnlen(from, sequence_capacity);
  memcpy(to->bytes, from, count);
  to->count = count;
}

// One thread changes the terminal; another one that comes meanwhile waits until that is done, because it
// may be about to end the process.
static int begin_change(int from) {
  for (int round = 0; round < 200; round++) {
    int seen = from;
    if (atomic_compare_exchange_strong(&state, &seen, terminal_changing)) return 1;
    if (seen != terminal_changing) return 0;
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  return 0;
}

static void leave(void) {
  if (!begin_change(terminal_ours)) return;
  write_all(last_words_fd, leave_sequence.bytes, leave_sequence.count);
  // What was typed or clicked at the program is no command for the shell.
  tcflush(input_fd, TCIFLUSH);
  tcsetattr(input_fd, TCSANOW, &modes_before);
  atomic_store(&state, terminal_free);
}

static void enter(void) {
  if (!begin_change(terminal_free)) return;
  struct sequence *sequence = &enter_sequences[atomic_load(&enter_index)];
  tcsetattr(input_fd, TCSANOW, &modes_ours);
  write_all(last_words_fd, sequence->bytes, sequence->count);
  atomic_store(&state, terminal_ours);
}

static void wake(char reason) {
  if (wake_write < 0) return;
  ssize_t ignored = write(wake_write, &reason, 1);
  (void)ignored;
}

static void set_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

// Everything but crashes waits while the terminal changes hands, or a handler would interrupt that half way.
static sigset_t all_but_crashes(void) {
  sigset_t set;
  sigfillset(&set);
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) sigdelset(&set, crash_signals[i]);
  return set;
}

static void undisturbed(void (*change)(void)) {
  sigset_t set = all_but_crashes(), before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  change();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Nothing that is drawn from now on reaches the terminal.
static void shut_output(void) {
  if (atomic_load(&state) != terminal_free) dup2(nowhere_fd, output_fd);
}

static void on_death(int number) {
  shut_output();
  leave();
  set_default(number);
  // Stays pending until this handler returns; a crash happens again then. Either ends the process with
  // the signal's own status and, where the system makes one, its core.
  raise(number);
}

static void install(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_mask = all_but_crashes(), .sa_flags = flags};
  sigaction(number, &action, NULL);
}

static void on_stop(int number) {
  int kept = errno;
  sigset_t only, before;
  leave();
  set_default(number);
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  // The stop happens here, and here the process goes on when it is continued.
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  install(number, on_stop, SA_RESTART);
  if (atomic_load(&is_open)) enter();
  wake('c');
  errno = kept;
}

static void on_continue(int number) {
  (void)number;
  int kept = errno;
  if (atomic_load(&is_open)) {
    // After a stop that could not be caught the terminal counts as ours but the shell has changed it.
    int ours = terminal_ours;
    atomic_compare_exchange_strong(&state, &ours, terminal_free);
    enter();
  }
  wake('c');
  errno = kept;
}

static void on_resize(int number) {
  (void)number;
  int kept = errno;
  wake('w');
  errno = kept;
}

static void install_all(void) {
  static char stack[stack_capacity];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
    install(crash_signals[i], on_death, SA_ONSTACK);
  for (size_t i = 0; i < sizeof death_signals / sizeof *death_signals; i++) {
    struct sigaction old;
    // What the parent told us to ignore (nohup) stays ignored.
    if (sigaction(death_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    install(death_signals[i], on_death, SA_ONSTACK);
  }
  install(SIGCONT, on_continue, SA_RESTART);
  install(SIGWINCH, on_resize, SA_RESTART);
}

int terminal_guard_save(int input, int output) {
  input_fd = input;
  output_fd = output;
  // Before ncurses starts: where it finds a handler it leaves this signal alone; else it would ignore it
  // while it draws, and a Ctrl-Z pressed in such a moment would be lost. Until open this one only stops.
  install(SIGTSTP, on_stop, SA_RESTART);
  return tcgetattr(input, &modes_before);
}

static int make_descriptors(void) {
  if (last_words_fd >= 0) close(last_words_fd);
  last_words_fd = fcntl(output_fd, F_DUPFD_CLOEXEC, 3);
  if (nowhere_fd < 0) nowhere_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (last_words_fd < 0 || nowhere_fd < 0) return -1;
  if (wake_read >= 0) return 0;
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  wake_read = ends[0];
  wake_write = ends[1];
  return 0;
}

// `exit` called while the terminal is ours, maybe by a thread that is not the one that draws.
static void on_exit_while_open(void) {
  shut_output();
  terminal_guard_close();
}

int terminal_guard_is_open(void) { return atomic_load(&is_open); }

int terminal_guard_open(const char *enter_bytes, const char *leave_bytes) {
  static int is_registered;
  if (make_descriptors() != 0 || tcgetattr(input_fd, &modes_ours) != 0) return -1;
  // Keys one by one and unechoed, Ctrl-S and Ctrl-V as keys; Ctrl-C and Ctrl-Z stay signals, so that they
  // work even when the program hangs.
  modes_ours.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  modes_ours.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  // Without NOFLSH the kernel throws away what waits to be shown when it turns such a key into a signal,
  // and with it, sometimes, the very bytes by which the handler gives the terminal back.
  modes_ours.c_lflag |= ISIG | NOFLSH;
  modes_ours.c_cc[VMIN] = 1;
  modes_ours.c_cc[VTIME] = 0;
  copy_sequence(&leave_sequence, leave_bytes);
  terminal_guard_set_enter(enter_bytes);
  atomic_store(&is_open, 1);
  install_all();
  if (!is_registered) is_registered = atexit(on_exit_while_open) == 0;
  undisturbed(enter);
  return wake_read;
}

void terminal_guard_set_enter(const char *bytes) {
  int next = 1 - atomic_load(&enter_index);
  copy_sequence(&enter_sequences[next], bytes);
  atomic_store(&enter_index, next);
}

int terminal_guard_write(const char *bytes, long count) {
  return count < 0 ? -1 : write_all(output_fd, bytes, (size_t)count);
}

void terminal_guard_close(void) {
  atomic_store(&is_open, 0);
  undisturbed(leave);
}
