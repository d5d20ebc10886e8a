import Platform

/// Notices from drivers to the dashboard's user, and the signal that wakes the dashboard for them.
final class SimulatorNotices: Sendable {
  private let sentences = Locked<[String]>([])
  /// Readable while there are notices.
  private let signal = WakeSignal()

  /// Readable while there are notices.
  var wakeDescriptor: Int32 { signal.descriptor }

  /// Posts notices.
  func post(_ new: [String]) {
    guard !new.isEmpty else { return }
    sentences.withLock { $0 += new }
    signal.raise()
  }

  /// Removes and returns all notices.
  func take() -> [String] {
    signal.clear()
    return sentences.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }
}
