import Dispatch
import Foundation
package import JSONLines
import MisterMetrics

/// Turns the signals that end a program into a wish to stop, so that what has to be kept can be saved first.
///
/// The second one ends it at once. Those that whoever started the program had it ignore (`nohup`) stay ignored.
package final class EndingSignals {
  private let sources: [any DispatchSourceSignal]
  /// The first signal that came.
  private let caught: Locked<Int32?>

  /// - Parameter stop: raised when one of the signals comes.
  package init(stop: WakeSignal) {
    let caught = Locked<Int32?>(nil)
    self.caught = caught
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { number in
      // The source only sees what the process does not act upon.
      let before = signal(number, SIG_IGN)
      return unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    }
    sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        caught.withLock { $0 = $0 ?? number }
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
    guard let number = caught.withLock({ $0 }) else { return }
    signal(number, SIG_DFL)
    raise(number)
  }
}
