package import Essentials

extension Thread {
  /// Starts it so that signals go to other threads.
  ///
  /// A stop gives the terminal back: on the thread that draws, where nothing is drawn meanwhile. Crashes stay, as they
  /// happen on the thread that makes them.
  package func startWithoutSignals() {
    var (held, before) = (sigset_t(), sigset_t())
    sigfillset(&held)
    for number in [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS] { sigdelset(&held, number) }
    // A thread begins with the mask of the one that starts it.
    pthread_sigmask(SIG_BLOCK, &held, &before)
    start()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
