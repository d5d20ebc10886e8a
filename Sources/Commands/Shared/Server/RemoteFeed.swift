import Aggregation
import ClickHouse
import Codecs
import DashboardCore
import Essentials
import History
import Platform

/// The newest samples of a server, asked for again and again off the main thread.
final class RemoteFeed: Feed {
  /// Seconds between questions, and after one that failed.
  private static let (interval, pause) = (0.5, 2.0)
  /// Questions may take one part in so many of the time.
  private static let share = 4.0
  /// Maximum events kept.
  private static let eventLimit = 100

  private let state: Locked<FeedSnapshot>
  private let scope = Locked(HostScope.all)
  private let wake = WakeSignal()
  private let stopSignal = WakeSignal()
  private let server: ServerOperand
  private let variables: [String: String]
  private let clock: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - name: The address as the user gave it.
  ///   - variables: The environment, with the user and the password.
  init(
    _ server: ServerOperand, name: String, _ variables: [String: String],
    clock: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    (self.server, self.variables, self.clock) = (server, variables, clock)
    var snapshot = FeedSnapshot.unread
    (snapshot.status.sources, snapshot.status.isRemote) = ([name], true)
    state = Locked(snapshot)
  }

  deinit { stop() }

  func start() {
    let (state, scope, wake, stop, clock) = (state, scope, wake, stopSignal, clock)
    let (server, variables) = (server, variables)
    SystemThread.start("live", stackSize: 4 << 20) {
      var (seconds, asked): (LiveSeconds?, HostScope) = (nil, .all)
      while !stop.isRaised {
        let begin = MonotonicInstant.now()
        let wanted = scope.withLock { $0 }
        let source =
          (wanted == asked ? seconds : nil)
          ?? LiveSeconds(of: server, host: wanted.host, variables, stop: stop)
        (seconds, asked) = (source, wanted)
        let outcome = Self.poll(source, wanted, state, at: clock())
        if outcome.isNews { wake.raise() }
        let wait = max(Self.interval, (MonotonicInstant.now() - begin) * Self.share)
        if stop.waits(upTo: .seconds(outcome.isAnswered ? wait : Self.pause)) { return }
      }
    }
  }

  func stop() { stopSignal.raise() }

  func narrow(to scope: HostScope) { self.scope.withLock { $0 = scope } }

  /// Asks once, and waits for the answer.
  func pollOnce() {
    _ = Self.poll(LiveSeconds(of: server, variables, stop: stopSignal), .all, state, at: clock())
  }

  private static func poll(
    _ seconds: LiveSeconds, _ scope: HostScope, _ state: Locked<FeedSnapshot>, at now: Timestamp
  ) -> (isAnswered: Bool, isNews: Bool) {
    let result = Result { try seconds.poll(at: now) }
    return state.withLock { snapshot in
      switch result {
      case .success(let (store, missing)):
        let isSame = snapshot.store.recorded == store.recorded && snapshot.scope == scope
        let isNews = !isSame || !snapshot.status.isLoaded
        (snapshot.store, snapshot.scope, snapshot.status.isLoaded) = (store, scope, true)
        return (true, note(missing?.words, in: &snapshot, at: now) || isNews)
      case .failure(let error):
        return (false, note((error as? ServerProblem)?.words ?? "\(error)", in: &snapshot, at: now))
      }
    }
  }

  /// Notes a problem, or that there is none.
  ///
  /// - Returns: true if that is news.
  private static func note(_ text: String?, in snapshot: inout FeedSnapshot, at now: Timestamp) -> Bool {
    guard let text else {
      defer { snapshot.status.problem = nil }
      return snapshot.status.problem != nil
    }
    guard snapshot.status.problem?.hasPrefix(text + " (since ") != true else { return false }
    snapshot.status.problem = "\(text) (since \(ClockZone.local.time(now)))"
    snapshot.status.events.append(
      FeedEvent(.failed, at: now, source: snapshot.status.sources.first ?? "", text: text))
    snapshot.status.events.removeFirst(max(0, snapshot.status.events.count - eventLimit))
    return true
  }

  var wakeDescriptor: Int32 { wake.descriptor }

  func snapshot() -> FeedSnapshot {
    // Cleared first, so that a later change raises the signal again.
    wake.clear()
    return state.withLock { $0 }
  }
}
