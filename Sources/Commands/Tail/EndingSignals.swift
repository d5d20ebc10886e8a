import Dispatch
import Foundation
package import JSONLines

/// Turns the signals that end a program into a wish to stop, so that what has to be kept can be saved first.
///
/// The second one ends it at once. Those that whoever started the program had it ignore (`nohup`) stay ignored.
package final class EndingSignals {
  private let sources: [any DispatchSourceSignal]
  private let caught: Caught

  /// The signal that came; written on the queue of the sources, read after the work.
  private final class Caught: @unchecked Sendable {
    // Safe: touched under the lock only.
    private let lock = NSLock()
    private var signal: Int32?

    var first: Int32? { lock.withLock { signal } }
    func note(_ new: Int32) { lock.withLock { signal = signal ?? new } }
  }

  /// - Parameter stop: raised when one of the signals comes.
  package init(stop: WakeSignal) {
    let caught = Caught()
    self.caught = caught
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { number in
      // The source only sees what the process does not act upon.
      let before = signal(number, SIG_IGN)
      return unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    }
    sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        caught.note(number)
        // The work may hang, in a write that nobody takes for one.
        for number in numbers { signal(number, SIG_DFL) }
        stop.raise()
      }
      source.resume()
      return source
    }
  }

  /// Ends the process by the signal that came, as it would have ended without all this; returns if none came.
  package func dieOfSignal() {
    for source in sources { source.cancel() }
    guard let number = caught.first else { return }
    signal(number, SIG_DFL)
    raise(number)
  }
}
