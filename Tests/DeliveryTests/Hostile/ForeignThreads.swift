import Foundation
import Platform

/// Threads that no task of Swift knows.
enum ForeignThreads {
  /// Runs the work on so many threads at once, each with its number, and returns when all have ended.
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
    let left = Locked(count)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for number in 0..<count {
        Thread {
          work(number)
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }.start()
      }
    }
  }

  /// Waits for a signal, which comes at once, as the thread does that handles the signals of a program.
  static func takeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    pthread_kill(pthread_self(), SIGUSR2)
    var taken: Int32 = 0
    sigwait(&signals, &taken)
  }
}
