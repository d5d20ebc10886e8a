import Platform
import Sync

/// What one branch did from a moment on, as far as two branches are compared.
struct SyncCourse: Sendable {
  private(set) var pending: Int
  private(set) var opens = 0
  private(set) var acknowledged = 0
  /// The longest wait of a change for its acknowledgement, in seconds.
  private(set) var longestWait = 0.0
  /// The lengths of the queue, oldest first, and when they began.
  private(set) var depths: [(time: Timestamp, pending: Int)] = []
  private var isOpen: Bool
  /// Since when changes wait, by their ids.
  private var waiting: [String: Timestamp]

  /// A course that begins with a state.
  init(from state: EngineState) {
    pending = state.pending
    isOpen = state.breaker?.value.state == "open"
    waiting = state.waiting
  }

  /// How long the change that waits longest has waited at a moment, in seconds.
  func longestWaiting(at moment: Timestamp) -> Double { max(0, moment - (waiting.values.min() ?? moment)) }

  mutating func handle(_ record: SyncRecord, at time: Timestamp) {
    switch record {
    case .transition(let transition): set(max(0, transition.pending), at: time)
    case .pending(let count): set(max(0, count), at: time)
    case .breaker(let breaker):
      if breaker.state == "open" && !isOpen { opens += 1 }
      isOpen = breaker.state == "open"
    case .mutation(let mutation): handle(mutation, at: time)
    case .run, .fault, .simulation, .configuration, .interval, .event: break
    }
  }

  private mutating func set(_ count: Int, at time: Timestamp) {
    guard count != pending || depths.isEmpty else { return }
    pending = count
    depths.append((time, count))
  }

  private mutating func handle(_ mutation: SyncMutation, at time: Timestamp) {
    switch mutation.state {
    case .queued: if waiting[mutation.id] == nil { waiting[mutation.id] = time }
    case .sent:
      if waiting[mutation.id] == nil { waiting[mutation.id] = min(time, Timestamp(mutation.createdAt)) }
    case .acknowledged:
      acknowledged += 1
      let since = waiting.removeValue(forKey: mutation.id) ?? min(time, Timestamp(mutation.createdAt))
      longestWait = max(longestWait, time - since)
    case .dead, .cleared: waiting[mutation.id] = nil
    }
  }
}

extension SyncLog {
  /// Entries of one branch, by their places in it.
  struct Stretch: Equatable {
    let branch: Int
    let places: Range<Int>
    /// Where the next branch leaves this one.
    let end: Timestamp
  }

  /// Where two branches part, and what each did since then.
  struct Parting: Equatable {
    let moment: Timestamp
    let one: [Stretch]
    let other: [Stretch]
  }

  /// Where two branches part; `nil` unless both are branches of the present session that come from one.
  func parting(of one: Int, and other: Int) -> Parting? {
    let (first, second) = (line(of: one), line(of: other))
    guard one != other,
      // The nearest one that both come from; it may be one of the two.
      let left = first.first(where: { stretch in second.contains { $0.branch == stretch.branch } }),
      let right = second.first(where: { $0.branch == left.branch })
    else { return nil }
    let place = min(left.places.upperBound, right.places.upperBound)
    func since(_ line: [Stretch]) -> [Stretch] {
      line.reversed().drop { $0.branch != left.branch }.map { stretch in
        guard stretch.branch == left.branch else { return stretch }
        return Stretch(
          branch: stretch.branch, places: place..<max(place, stretch.places.upperBound), end: stretch.end)
      }
    }
    return Parting(moment: min(left.end, right.end), one: since(first), other: since(second))
  }

  /// A branch and those that it came from, itself first: which entries of each belong to it.
  private func line(of branch: Int) -> [Stretch] {
    var line: [Stretch] = []
    var next = (branch: branch, place: Int.max, end: Timestamp.distantFuture)
    while let branch = self.branch(next.branch) {
      let places = 0..<min(next.place, branch.count)
      line.append(Stretch(branch: next.branch, places: places, end: next.end))
      guard let origin = branch.origin else { break }
      next = (origin.parent, origin.place, origin.time)
    }
    return line
  }
}
