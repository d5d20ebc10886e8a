#include "CQuietStart.h"

#ifdef __linux__
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const int handled[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGQUIT};

// The runtime looks at the variable in its own initializer, before `main`. Linked into the program, it does so after
// this one, which has a higher priority; as a library it has done so already, and its handlers are taken out again.
// Whoever has set the variable gets what they asked for, and without a terminal the handler asks nothing.
__attribute__((constructor(101))) static void refuse_prompt(void) {
  if (!isatty(STDOUT_FILENO) || getenv("SWIFT_BACKTRACE") != NULL) return;
  setenv("SWIFT_BACKTRACE", "enable=no", 0);
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
    struct sigaction action;
    if (sigaction(handled[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(handled[i], &action, NULL);
  }
}
#endif
