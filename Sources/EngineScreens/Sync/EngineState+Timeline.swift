import Platform
import Sync
import SyncSimulation

// Entries that a record adds to the timeline.
extension EngineState {
  /// Maximum number of requests with a pending answer.
  private static var requestLimit: Int { 2000 }

  /// Adds a record to the timeline; called before it is folded.
  mutating func list(_ record: SyncRecord, at time: Timestamp) {
    switch record {
    case .transition(let decision):
      settleRequests(decision, at: time)
      basics.timeline.add(.decision(decision), at: time, isFailure: decision.isTrouble)
    case .mutation(let change): list(change, at: time)
    case .conflict(let conflict): basics.timeline.add(.conflict(conflict), at: time, isFailure: false)
    case .fault(let fault): basics.timeline.add(.fault(fault), at: time, isFailure: false)
    case .caption(let caption): basics.timeline.add(.story(caption.text), at: time, isFailure: false)
    case .configuration(let new):
      // The first configuration is the initial one; later ones are changes.
      let words = difference(to: new)
      if since != nil, !words.isEmpty { basics.timeline.add(.constants(words), at: time, isFailure: false) }
    case .pending, .breaker, .run, .network, .simulation, .interval, .event: break
    }
  }

  private mutating func list(_ change: SyncMutation, at time: Timestamp) {
    guard change.state != .sent else {
      if requests.count >= Self.requestLimit { (requests, openRequests) = ([:], []) }
      let number = basics.timeline.add(.request(SyncRequest(change: change)), at: time, isFailure: false)
      openRequests.insert(number)
      return requests[change.id] = number
    }
    if change.rewritten == true {
      basics.timeline.add(.change(change), at: time, isFailure: false)
      return
    }
    let request = requests.removeValue(forKey: change.id)
    if let request { answer(request, with: change, at: time) }
    switch change.state {
    case .dead: basics.timeline.add(.change(change), at: time, isFailure: true)
    case .cleared, .superseded, .erased: basics.timeline.add(.change(change), at: time, isFailure: false)
    // The request shows the outcome.
    case .queued, .acknowledged:
      if request == nil { basics.timeline.add(.change(change), at: time, isFailure: false) }
    case .sent: break
    }
  }

  /// Records the answer to a change's request.
  private mutating func answer(_ number: Int, with change: SyncMutation, at time: Timestamp) {
    openRequests.remove(number)
    let failure = SyncRequest.Outcome.failed(change.lastError ?? "no reason is recorded")
    basics.timeline.change(number) { happening in
      guard case .request(var request) = happening.entry else { return }
      request.change = change
      // A decision may have reported the outcome earlier.
      if request.outcome == .open || change.lastError != nil {
        request.outcome =
          switch change.state {
          case .acknowledged: .taken
          case .cleared, .superseded, .erased: .open
          case .queued, .sent, .dead: failure
          }
      }
      happening.settle(request, at: time)
    }
  }

  /// An aborted run leaves requests behind without any further record.
  private mutating func settleRequests(_ decision: SyncTransition, at time: Timestamp) {
    guard !decision.refused, let reason = decision.reason else { return }
    switch SyncEvent.Kind(rawValue: decision.event) {
    case .rateLimited, .pushInterrupted, .runFailed, .runCancelled, .batchFailed: break
    default: return
    }
    defer { openRequests = [] }
    for number in openRequests {
      basics.timeline.change(number) { happening in
        guard case .request(var request) = happening.entry, request.outcome == .open else { return }
        request.outcome = .failed(reason)
        happening.settle(request, at: time)
      }
    }
  }
}

extension EngineHappening<SyncHappening> {
  fileprivate mutating func settle(_ request: SyncRequest, at time: Timestamp) {
    var request = request
    // The first report is the answer.
    if request.seconds == 0 { request.seconds = max(0, time - self.time) }
    entry = .request(request)
    if case .failed = request.outcome { isFailure = true } else { isFailure = false }
    settled = time
  }
}

extension SyncTransition {
  /// True for a real failure, as opposed to a mere refusal.
  var isTrouble: Bool {
    guard !refused else { return false }
    if failure != nil { return true }
    return from != to && (to == SyncState.Kind.error.rawValue || to == SyncState.Kind.rateLimited.rawValue)
  }
}
