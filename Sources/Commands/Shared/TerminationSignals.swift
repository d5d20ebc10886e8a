import Essentials
package import Platform

/// Turns the signals that end a program into a request to stop, so that it can save its state first.
///
/// A second signal ends the program at once, unless it is a duplicate: `timeout` sends its signal to the program and
/// then to the whole process group. Signals that were ignored when the program started (`nohup`) stay ignored.
///
/// The signals are blocked and received by a thread, so that none is lost however early it arrives. Create the value
/// before any other thread: later threads inherit the blocked signals.
package final class TerminationSignals {
  /// The first signal received.
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
        // The work may be stuck, for example in a write to a pipe that no one reads.
        case .die: Self.die(by: number)
        }
      }
    }
  }

  /// Ends the process by the signal received, as if it had not been handled; returns if there was none.
  package func dieOfSignal() {
    caught.withLock { $0 }.map(Self.die)
  }

  /// Blocks the signals.
  ///
  /// - Returns: The signals that are not ignored.
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

/// Decides how to respond to the signals received.
struct TerminationRequests {
  enum Action {
    /// The first request.
    case stop
    /// A duplicate of the first request.
    case ignore
    /// A second request: its sender does not want to wait any longer.
    case die
  }

  /// In seconds; no one presses a key twice this quickly.
  private static let repetition = 0.1

  private var first: (number: Int32, at: MonotonicInstant)?

  /// Records a signal received at a time.
  mutating func receive(_ number: Int32, at now: MonotonicInstant) -> Action {
    guard let first else {
      first = (number, now)
      return .stop
    }
    return number == first.number && now - first.at < Self.repetition ? .ignore : .die
  }
}
