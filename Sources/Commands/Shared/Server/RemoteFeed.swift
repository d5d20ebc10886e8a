import Aggregation
import ClickHouse
import DashboardCore
import Essentials
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
  private let wake = WakeSignal()
  private let stopSignal = WakeSignal()
  private let address: ServerAddress
  private let variables: [String: String]
  private let clock: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - name: The address as the user gave it.
  ///   - variables: The environment, with the user and the password.
  init(
    _ address: ServerAddress, name: String, _ variables: [String: String],
    clock: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    (self.address, self.variables, self.clock) = (address, variables, clock)
    var snapshot = FeedSnapshot.unread
    snapshot.status.sources = [name]
    state = Locked(snapshot)
  }

  deinit { stop() }

  func start() {
    let (state, wake, stop, clock) = (state, wake, stopSignal, clock)
    let (address, variables) = (address, variables)
    SystemThread.start("live", stackSize: 4 << 20) {
      let seconds = LiveSeconds(at: address, variables, stop: stop)
      while !stop.isRaised {
        let begin = MonotonicInstant.now()
        let isAnswered = Self.poll(seconds, state, at: clock())
        wake.raise()
        let wait = max(Self.interval, (MonotonicInstant.now() - begin) * Self.share)
        if stop.waits(upTo: .seconds(isAnswered ? wait : Self.pause)) { return }
      }
    }
  }

  func stop() { stopSignal.raise() }

  /// Asks once, and waits for the answer.
  func pollOnce() {
    _ = Self.poll(LiveSeconds(at: address, variables, stop: stopSignal), state, at: clock())
  }

  private static func poll(_ seconds: LiveSeconds, _ state: Locked<FeedSnapshot>, at now: Timestamp) -> Bool {
    let result = Result { try seconds.poll(at: now) }
    return state.withLock { snapshot in
      switch result {
      case .success(let store):
        snapshot.store = store
        (snapshot.status.isLoaded, snapshot.status.problem) = (true, nil)
        return true
      case .failure(let error):
        let text = (error as? ServerProblem)?.words ?? "\(error)"
        let isKnown = snapshot.status.problem == text
        snapshot.status.problem = text
        guard !isKnown else { return false }
        snapshot.status.events.append(
          FeedEvent(.failed, at: now, source: snapshot.status.sources.first ?? "", text: text))
        snapshot.status.events.removeFirst(max(0, snapshot.status.events.count - eventLimit))
        return false
      }
    }
  }

  var wakeDescriptor: Int32 { wake.descriptor }

  func snapshot() -> FeedSnapshot {
    // Cleared first, so that a later change raises the signal again.
    wake.clear()
    return state.withLock { $0 }
  }
}
