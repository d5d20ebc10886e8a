import Platform

/// The progress of an engine's queue in one branch from a moment on, as far as two branches are compared.
package struct EngineProgress: Sendable {
  /// How much waits.
  private(set) var pending: Int
  /// How often the breaker opened.
  private(set) var opens = 0
  /// How much the server took.
  var acknowledged = 0
  /// The longest wait that is over, in seconds.
  private(set) var longestWait = 0.0
  /// The lengths of the queue, oldest first, and when they began.
  private(set) var depths: [(time: Timestamp, pending: Int)] = []
  private var isOpen: Bool
  /// Since when things wait, by what tells them apart.
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

  /// Something waits from a moment on, unless it does already.
  mutating func begin(_ id: String, at time: Timestamp) {
    if waiting[id] == nil { waiting[id] = time }
  }

  /// Something waits no more, and nothing became of it.
  mutating func forget(_ id: String) { waiting[id] = nil }

  /// A wait is over.
  ///
  /// - Parameter start: When it began, where that is not known.
  mutating func end(_ id: String, at time: Timestamp, since start: Timestamp) {
    longestWait = max(longestWait, time - (waiting.removeValue(forKey: id) ?? start))
  }

  /// Other things wait than before.
  mutating func replaceWaiting(_ waiting: [String: Timestamp], at time: Timestamp) {
    longestWait = max(longestWait, longestWaiting(at: time))
    self.waiting = waiting
  }

  /// How long what waits longest has waited at a moment, in seconds.
  func longestWaiting(at moment: Timestamp) -> Double { max(0, moment - (waiting.values.min() ?? moment)) }
}
