import Platform

/// The progress of an engine's queue in one branch since a moment, as needed to compare two branches.
package struct EngineProgress: Sendable {
  /// Length of the queue.
  private(set) var pending: Int
  /// Number of times the breaker opened.
  private(set) var opens = 0
  /// Number of items the server accepted.
  var acknowledged = 0
  /// The longest completed wait, in seconds.
  private(set) var longestWait = 0.0
  /// The lengths of the queue, oldest first, with their start times.
  private(set) var depths: [(time: Timestamp, pending: Int)] = []
  private var isOpen: Bool
  /// Start of each current wait, by the item's id.
  private(set) var waiting: [String: Timestamp]

  init(pending: Int, breaker: (some BreakerStatement)?, waiting: [String: Timestamp]) {
    self.pending = pending
    isOpen = breaker?.isOpen == true
    self.waiting = waiting
  }

  mutating func handle(_ breaker: some BreakerStatement) {
    if breaker.isOpen && !isOpen { opens += 1 }
    isOpen = breaker.isOpen
  }

  mutating func setPending(_ count: Int, at time: Timestamp) {
    guard count != pending || depths.isEmpty else { return }
    pending = count
    depths.append((time, count))
  }

  /// Starts a wait, unless the item waits already.
  mutating func begin(_ id: String, at time: Timestamp) {
    if waiting[id] == nil { waiting[id] = time }
  }

  /// Drops a wait without an outcome.
  mutating func forget(_ id: String) { waiting[id] = nil }

  /// Completes a wait.
  ///
  /// - Parameter start: The start to assume if none is known.
  mutating func end(_ id: String, at time: Timestamp, since start: Timestamp) {
    longestWait = max(longestWait, time - (waiting.removeValue(forKey: id) ?? start))
  }

  /// Replaces all current waits.
  mutating func replaceWaiting(_ waiting: [String: Timestamp], at time: Timestamp) {
    longestWait = max(longestWait, longestWaiting(at: time))
    self.waiting = waiting
  }

  /// The longest current wait at a moment, in seconds.
  func longestWaiting(at moment: Timestamp) -> Double { max(0, moment - (waiting.values.min() ?? moment)) }
}
