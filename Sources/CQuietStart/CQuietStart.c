#include "CQuietStart.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// Each in the mode that its own use refuses, so that reading and writing fail as they do without a descriptor.
void occupy_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

#ifdef __linux__
#include <signal.h>
#include <stdlib.h>

static const int handled[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGQUIT};

// The runtime has put its handlers in before `main`. Setting its variable SWIFT_BACKTRACE even earlier would not do: in
// a static program it finds the arguments by their place in front of the environment, which `setenv` moves elsewhere.
// Whoever has set the variable gets what they asked for, and without a terminal the handler asks nothing.
void refuse_crash_prompt(void) {
  if (!isatty(STDOUT_FILENO) || getenv("SWIFT_BACKTRACE") != NULL) return;
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
    struct sigaction action;
    if (sigaction(handled[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(handled[i], &action, NULL);
  }
}

// At each start the runtime looks for `swift-backtrace` in eight places beside the program, even when backtraces are off.
// The linker redirects that lookup here (`--wrap` in the Makefile); builds without the flag never call this.
extern const char *__real_swift_copyAuxiliaryExecutablePath(const char *name) __attribute__((weak));
const char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
  if (getenv("SWIFT_BACKTRACE") == NULL || __real_swift_copyAuxiliaryExecutablePath == NULL) return NULL;
  return __real_swift_copyAuxiliaryExecutablePath(name);
}
#else
void refuse_crash_prompt(void) {}
#endif
