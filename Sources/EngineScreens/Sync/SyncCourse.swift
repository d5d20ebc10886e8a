package import Platform
import Sync

/// The actions of one branch from a moment on, as far as two branches are compared.
package struct SyncCourse: EngineCourse {
  package typealias Record = SyncRecord

  package private(set) var pending: Int
  package private(set) var opens = 0
  package private(set) var acknowledged = 0
  /// The longest wait of a change for its acknowledgement, in seconds.
  package private(set) var longestWait = 0.0
  /// The lengths of the queue, oldest first, and when they began.
  package private(set) var depths: [(time: Timestamp, pending: Int)] = []
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
  package func longestWaiting(at moment: Timestamp) -> Double {
    max(0, moment - (waiting.values.min() ?? moment))
  }

  package mutating func handle(_ record: SyncRecord, at time: Timestamp) {
    switch record {
    case .transition(let transition): set(max(0, transition.pending), at: time)
    case .pending(let count): set(max(0, count), at: time)
    case .breaker(let breaker):
      if breaker.state == "open" && !isOpen { opens += 1 }
      isOpen = breaker.state == "open"
    case .mutation(let mutation): handle(mutation, at: time)
    case .run, .conflict, .fault, .caption, .simulation, .configuration, .interval, .event: break
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
