#include "CQuietStart.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// Each is opened in the mode that its use does not need, so that reading and writing fail as they would without a
// descriptor.
void occupy_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

static int count;
static char **arguments;

// Constructors get them, too: the Swift runtime reads them from /proc, which a chroot may not have.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

char **start_arguments(int *argc) {
  *argc = count;
  return arguments;
}

#ifdef __linux__
#include <signal.h>
#include <stdlib.h>

static const int handled[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGQUIT};

// The runtime installs its handlers before `main`, so they are removed here. Setting its variable SWIFT_BACKTRACE even
// earlier would not work: a static program locates the arguments by their position before the environment, which
// `setenv` moves. If the variable is already set, it is left alone; without a terminal, the handler does not prompt.
void refuse_crash_prompt(void) {
  if (!isatty(STDOUT_FILENO) || getenv("SWIFT_BACKTRACE") != NULL) return;
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
    struct sigaction action;
    if (sigaction(handled[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(handled[i], &action, NULL);
  }
}

// At each start the runtime searches eight places beside the program for `swift-backtrace`, even if backtraces are off.
// The linker redirects that lookup here (`--wrap` in the Makefile); builds without the flag never call this.
extern const char *__real_swift_copyAuxiliaryExecutablePath(const char *name) __attribute__((weak));
const char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
  if (getenv("SWIFT_BACKTRACE") == NULL || __real_swift_copyAuxiliaryExecutablePath == NULL) return NULL;
  return __real_swift_copyAuxiliaryExecutablePath(name);
}
#else
void refuse_crash_prompt(void) {}
#endif
