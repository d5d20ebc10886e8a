import Essentials
package import Platform

/// Turns the signals that end a program into a request to stop, so that it can save its state first.
///
/// The second signal ends it at once, unless it is the same once more: `timeout` sends it to the program and then to its whole
/// group. Signals that were ignored when the program started (`nohup`) stay ignored.
///
/// The signals are blocked and a thread waits for them, so that none is lost however early it comes. Create it before any
/// other thread: later threads inherit the blocked signals.
package final class TerminationSignals {
  /// The first signal that came.
  private let caught = Locked<Int32?>(nil)

  /// - Parameter stop: Raised when one of the signals comes.
  package init(stop: WakeSignal) {
    let numbers = Self.block()
    guard !numbers.isEmpty else { return }
    SystemThread.start("signals", takesSignals: true) { [caught] in
      var requests = TerminationRequests()
      while true {
        let number = Self.next(numbers)
        switch requests.receive(number, at: .now()) {
        case .stop:
          caught.withLock { $0 = number }
          stop.raise()
        case .ignore: break
        // The work may hang, for example in a write to a pipe that no one reads.
        case .die: Self.die(by: number)
        }
      }
    }
  }

  /// Ends the process by the signal that came, as it would have ended without all this; returns if none came.
  package func dieOfSignal() {
    caught.withLock { $0 }.map(Self.die)
  }

  /// Blocks the signals.
  ///
  /// - Returns: Those that are not ignored.
  private static func block() -> [Int32] {
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    mask(numbers, SIG_BLOCK)
    let ignored = numbers.filter { number in
      let before = signal(number, SIG_DFL)
      let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { signal(number, SIG_IGN) }
      return isIgnored
    }
    mask(ignored, SIG_UNBLOCK)
    return numbers.filter { !ignored.contains($0) }
  }

  /// Waits for one of the signals.
  private static func next(_ numbers: [Int32]) -> Int32 {
    var set = signalSet(numbers)
    var number: Int32 = 0
    sigwait(&set, &number)
    return number
  }

  private static func die(by number: Int32) {
    mask([number], SIG_UNBLOCK)
    raise(number)
  }

  private static func mask(_ numbers: [Int32], _ how: Int32) {
    var set = signalSet(numbers)
    pthread_sigmask(how, &set, nil)
  }

  private static func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}

/// Decides what the signals that come mean.
struct TerminationRequests {
  enum Action {
    /// The first request.
    case stop
    /// The same request once more.
    case ignore
    /// Another request: its sender does not want to wait.
    case die
  }

  /// No one presses a key twice in so few seconds.
  private static let repetition = 0.1

  private var first: (number: Int32, at: MonotonicInstant)?

  /// Takes a signal into account that came at a moment.
  mutating func receive(_ number: Int32, at now: MonotonicInstant) -> Action {
    guard let first else {
      first = (number, now)
      return .stop
    }
    return number == first.number && now - first.at < Self.repetition ? .ignore : .die
  }
}
