#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "Shared.h"

enum { stack_capacity = 65536, output_patience_ms = 150, answer_patience_ms = 1000 };

static int input_fd = -1, output_fd = -1;
// Separate descriptors of our own, so that a fatal signal can redirect the output that other threads are still drawing
// to and still write itself.
static int last_words_fd = -1, nowhere_fd = -1;
// A duplicate of the terminal, to undo that redirection.
static int picture_fd = -1;
// The thread that draws.
static pthread_t owner;
// True if the owner is drawing; if the rest of its drawing is discarded; if all output is discarded for good.
static atomic_int is_drawing, is_cut, is_shut;
static int wake_read = -1, wake_write = -1;
static struct termios modes_before, modes_ours;
static struct sequence enter_sequences[2];
static atomic_int enter_index;
static atomic_int is_open;
// The time until which answers of the terminal may arrive.
static atomic_long answers_due;
static struct shared alone;
struct shared *terminal_shared = &alone;

static void copy_sequence(struct sequence *to, const char *from) {
  size_t count = strnlen(from, sequence_capacity);
  memcpy(to->bytes, from, count);
  to->count = count;
}

// Only one thread changes the terminal. Another one that arrives meanwhile waits for it to finish, because it may be
// about to end the process.
static int begin_change(int from) {
  for (int round = 0; round < 200; round++) {
    int seen = from;
    if (atomic_compare_exchange_strong(&terminal_shared->state, &seen, terminal_changing)) return 1;
    if (seen != terminal_changing) return 0;
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  return 0;
}

// Reads what the terminal still owes, for a while. The last answer is the cursor's position, which ends with this letter.
static void swallow_answers(void) {
  long due = atomic_exchange(&answers_due, 0), start = steady_milliseconds();
  if (due > start + answer_patience_ms) due = start + answer_patience_ms;
  if (atomic_load(&terminal_shared->state) != terminal_ours || is_in_background(input_fd)) return;
  for (long now = start; now < due; now = steady_milliseconds()) {
    struct pollfd ready = {.fd = input_fd, .events = POLLIN};
    char bytes[256];
    if (poll(&ready, 1, (int)(due - now)) <= 0) continue;
    ssize_t count = read(input_fd, bytes, sizeof bytes);
    if (count <= 0 || memchr(bytes, 'R', (size_t)count) != NULL) return;
  }
}

static void leave(void) {
  struct shared *shared = terminal_shared;
  if (!begin_change(terminal_ours)) return;
  if (say_leave(last_words_fd, shared, output_patience_ms) != 0)
    atomic_store(&shared->is_unsaid, 1);
  if (!is_in_background(input_fd)) {
    // Discards keys and clicks meant for the program, which the shell would take as commands.
    tcflush(input_fd, TCIFLUSH);
    tcsetattr(input_fd, TCSANOW, &modes_before);
  }
  atomic_store(&shared->has_other_modes, 0);
  atomic_store(&shared->state, terminal_free);
}

static void enter(void) {
  struct shared *shared = terminal_shared;
  if (is_in_background(input_fd) || !begin_change(terminal_free)) return;
  struct sequence *sequence = &enter_sequences[atomic_load(&enter_index)];
  atomic_store(&shared->has_other_modes, 1);
  tcsetattr(input_fd, TCSANOW, &modes_ours);
  write_last(last_words_fd, sequence->bytes, sequence->count, output_patience_ms);
  atomic_store(&shared->state, terminal_ours);
}

static void wake(char reason) {
  if (wake_write < 0) return;
  ssize_t ignored = write(wake_write, &reason, 1);
  (void)ignored;
}

// All signals but crashes are held back while the terminal changes hands, or a handler could interrupt that halfway.
static sigset_t all_but_crashes(void) {
  sigset_t set;
  sigfillset(&set);
  for (size_t i = 0; i < crash_signal_count; i++) sigdelset(&set, crash_signals[i]);
  return set;
}

static void undisturbed(void (*change)(void)) {
  sigset_t set = all_but_crashes(), before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  change();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// From now on, nothing drawn reaches the terminal.
static void shut_output(void) {
  if (output_fd < 0 || atomic_load(&terminal_shared->state) == terminal_free) return;
  atomic_store(&is_shut, 1);
  dup2(nowhere_fd, output_fd);
}

// The drawing was interrupted. Its rest would start with half a sequence or half a character once the terminal is ours
// again, so it is discarded.
static void cut_drawing(void) {
  if (!atomic_load(&is_drawing) || atomic_exchange(&is_cut, 1)) return;
  dup2(nowhere_fd, output_fd);
}

// Passes a signal that reached another thread to the one that draws; otherwise both would write at the same time.
static int is_passed_to_owner(int number) {
  if (!atomic_load(&is_open) || pthread_equal(pthread_self(), owner)) return 0;
  return pthread_kill(owner, number) == 0;
}

static void on_death(int number, siginfo_t *info, void *context) {
  shut_output();
  if (!is_crash(number)) swallow_answers();
  leave();
  if (is_crash(number)) note_crash(&terminal_shared->crash, number, info, context);
  set_default(number);
  // Stays pending until this handler returns; a crash then recurs. Either way the process ends with the signal's own
  // status and, if enabled, a core dump.
  raise(number);
}

static void install(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_mask = all_but_crashes(), .sa_flags = flags};
  sigaction(number, &action, NULL);
}

static void install_death(int number) {
  struct sigaction action = {
      .sa_sigaction = on_death, .sa_mask = all_but_crashes(), .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigaction(number, &action, NULL);
}

static int is_pending(int number) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

static void on_stop(int number) {
  int kept = errno;
  if (is_passed_to_owner(number)) {
    errno = kept;
    return;
  }
  cut_drawing();
  swallow_answers();
  leave();
  set_default(number);
  raise(number);
  // The process stops here, and resumes here when it is continued.
  let_through(number);
  install(number, on_stop, SA_RESTART);
  // Being continued also sends SIGCONT, whose handler takes the terminal again. Without a shell that could continue the
  // process, it was not stopped, so no signal comes.
  if (!is_pending(SIGCONT)) raise(SIGCONT);
  errno = kept;
}

// True if another program has changed the terminal modes while the terminal was ours.
static int has_changed_modes(void) {
  struct termios now;
  if (is_in_background(input_fd) || tcgetattr(input_fd, &now) != 0) return 0;
  return now.c_lflag != modes_ours.c_lflag || now.c_iflag != modes_ours.c_iflag;
}

// Continues the guard, which has stopped with us: a shell continues the whole job, other programs only us. A stopped
// guard would never see our end, so it gets enough time even on a loaded machine; if the guard is gone there is nothing
// to continue.
static void continue_guard(void) {
  struct timespec pause = {0, 1000000};
  for (int tries = 0; tries < 5000 && atomic_load(&terminal_shared->is_guard_stopped); tries++) {
    if (terminal_guard_has_parent() == 0) return;
    // The guard may only be about to stop.
    kill(getppid(), SIGCONT);
    nanosleep(&pause, NULL);
  }
}

static void on_continue(int number) {
  int kept = errno;
  if (is_passed_to_owner(number)) {
    errno = kept;
    return;
  }
  if (atomic_load(&is_open)) {
    if (is_in_background(input_fd)) {
      // A job continued in the background has no terminal and waits until it gets one.
      set_default(SIGTTOU);
      raise(SIGTTOU);
      let_through(SIGTTOU);
    }
    // After a stop that could not be caught, the terminal counts as ours, but the shell has changed its modes and
    // perhaps more: everything is restored and set again.
    if (atomic_load(&terminal_shared->state) == terminal_ours && has_changed_modes()) {
      cut_drawing();
      leave();
    }
    enter();
  }
  continue_guard();
  wake('c');
  errno = kept;
}

static void on_resize(int number) {
  (void)number;
  int kept = errno;
  wake('w');
  errno = kept;
}

// Gives the terminal back at once. The loop that is woken notices the guard's death and ends the program in its own
// way, so that nothing is left behind.
static void on_guard_death(int number) {
  (void)number;
  int kept = errno;
  if (terminal_guard_has_parent() == 0) {
    shut_output();
    leave();
    wake('g');
  }
  errno = kept;
}

void install_crash_handlers(void) {
  static char stack[stack_capacity];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  for (size_t i = 0; i < crash_signal_count; i++) install_death(crash_signals[i]);
}

static void install_all(void) {
  install_crash_handlers();
  for (size_t i = 0; i < death_signal_count; i++) {
    struct sigaction old;
    // A signal that the parent ignores (nohup) stays ignored.
    if (sigaction(death_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    install_death(death_signals[i]);
  }
  install(SIGCONT, on_continue, SA_RESTART);
  install(SIGWINCH, on_resize, SA_RESTART);
  install(guard_death_signal, on_guard_death, SA_RESTART);
}

int terminal_guard_keyboard(int terminal) { return reopened(terminal, O_RDWR); }

static int make_descriptors(void) {
  if (last_words_fd >= 0) close(last_words_fd);
  last_words_fd = reopened(output_fd, O_WRONLY);
  if (picture_fd >= 0) close(picture_fd);
  picture_fd = fcntl(output_fd, F_DUPFD_CLOEXEC, 3);
  if (nowhere_fd < 0) nowhere_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (last_words_fd < 0 || picture_fd < 0 || nowhere_fd < 0) return -1;
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

int terminal_guard_save(int input, int output) {
  input_fd = input;
  output_fd = output;
  owner = pthread_self();
  // Before ncurses starts: it leaves the signal alone if a handler is installed. Otherwise it would ignore the signal
  // while drawing, and a Ctrl-Z pressed at that moment would be lost. Until the terminal is opened, this handler only
  // stops.
  install(SIGTSTP, on_stop, SA_RESTART);
  // Also made here, although they are made again later: if descriptors run out, nothing has been written yet.
  if (make_descriptors() != 0 || tcgetattr(input, &modes_before) != 0) return -1;
  atomic_store(&terminal_shared->has_other_modes, 1);
  return 0;
}

// `exit` called while the terminal is ours, perhaps by a thread other than the one that draws.
static void on_exit_while_open(void) {
  shut_output();
  terminal_guard_close();
}

int terminal_guard_is_ours(void) {
  return atomic_load(&terminal_shared->state) == terminal_ours && !is_in_background(input_fd);
}

int terminal_guard_is_open(void) { return atomic_load(&is_open); }

int terminal_guard_open(const char *enter_bytes, const char *leave_bytes) {
  static int is_registered;
  if (make_descriptors() != 0 || tcgetattr(input_fd, &modes_ours) != 0) return -1;
  // Keys are read one by one and not echoed, Ctrl-S and Ctrl-V are keys; Ctrl-C and Ctrl-Z remain signals, so that they
  // work even if the program hangs.
  modes_ours.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  modes_ours.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  // Without NOFLSH, the kernel discards pending output when it turns such a key into a signal, sometimes including the
  // very bytes with which the handler restores the terminal.
  modes_ours.c_lflag |= ISIG | NOFLSH;
  modes_ours.c_cc[VMIN] = 1;
  modes_ours.c_cc[VTIME] = 0;
  terminal_guard_set_leave(leave_bytes);
  terminal_guard_set_enter(enter_bytes);
  atomic_store(&is_open, 1);
  install_all();
  if (!is_registered) is_registered = atexit(on_exit_while_open) == 0;
  undisturbed(enter);
  // The guard was killed before there was a handler for it.
  if (terminal_guard_has_parent() == 0) wake('g');
  return wake_read;
}

void terminal_guard_set_enter(const char *bytes) {
  int next = 1 - atomic_load(&enter_index);
  copy_sequence(&enter_sequences[next], bytes);
  atomic_store(&enter_index, next);
}

void terminal_guard_set_leave(const char *bytes) {
  int next = 1 - atomic_load(&terminal_shared->leave_index);
  copy_sequence(&terminal_shared->leave[next], bytes);
  atomic_store(&terminal_shared->leave_index, next);
}

void terminal_guard_hold(int is_held) {
  static sigset_t before;
  sigset_t all;
  sigfillset(&all);
  if (is_held)
    pthread_sigmask(SIG_SETMASK, &all, &before);
  else
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int terminal_guard_draw(int begins) {
  atomic_store(&is_drawing, begins);
  if (begins || !atomic_exchange(&is_cut, 0)) return 0;
  dup2(picture_fd, output_fd);
  // A fatal signal on another thread has redirected the output for good.
  if (atomic_load(&is_shut)) dup2(nowhere_fd, output_fd);
  return 1;
}

int terminal_guard_write(const char *bytes, long count) {
  if (count < 0) return -1;
  int was_drawing = atomic_exchange(&is_drawing, 1);
  int result = write_all(output_fd, bytes, (size_t)count, output_patience_ms);
  if (!was_drawing) terminal_guard_draw(0);
  return result;
}

void terminal_guard_expect(int milliseconds) {
  atomic_store(&answers_due, milliseconds > 0 ? steady_milliseconds() + milliseconds : 0);
}

void terminal_guard_lend(int is_lent) {
  static struct sigaction before[2];
  static const int keyboard_signals[2] = {SIGINT, SIGQUIT};
  if (is_lent == !atomic_load(&is_open)) return;
  if (is_lent) {
    // While the terminal is lent, it counts as closed for the handlers.
    atomic_store(&is_open, 0);
    undisturbed(leave);
    for (int i = 0; i < 2; i++) {
      struct sigaction ignored = {.sa_handler = SIG_IGN};
      sigaction(keyboard_signals[i], &ignored, &before[i]);
    }
  } else {
    for (int i = 0; i < 2; i++) sigaction(keyboard_signals[i], &before[i], NULL);
    atomic_store(&is_open, 1);
    undisturbed(enter);
  }
}

void terminal_guard_close(void) {
  atomic_store(&is_open, 0);
  undisturbed(leave);
}
