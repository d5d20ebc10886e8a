import Platform

/// Notices from drivers to the person at the dashboard, and the signal that wakes the dashboard for them.
final class SimulatorNotices: Sendable {
  private let sentences = Locked<[String]>([])
  /// Readable while there are sentences.
  private let signal = WakeSignal()

  /// Readable while there is something to say.
  var wakeDescriptor: Int32 { signal.descriptor }

  /// Says something.
  func post(_ new: [String]) {
    guard !new.isEmpty else { return }
    sentences.withLock { $0 += new }
    signal.raise()
  }

  /// Takes out what is to be said.
  func take() -> [String] {
    signal.clear()
    return sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}
