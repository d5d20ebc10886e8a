import Essentials
import MisterMetricsCore
import Platform
import SimulationKit

/// The branches of one session and their recorded entries: executes orders, and advances time in bounded pieces.
///
/// It neither waits nor writes: its driver passes in the time and stores the entries from ``takeEntries()``, in order.
final class SimulationHost<World: HostedWorld> {
  /// Maximum number of entries written at once.
  static var block: Int { 1_000 }
  /// Maximum number of steps of one branch before the next branch gets its turn and orders are read.
  private static var stride: Int { 256 }
  /// Maximum lag of a session, in seconds of real time, before it skips the delay.
  private static var longestLag: Double { 1 }

  /// The scenarios that can be run.
  let catalog: ScenarioCatalog<World>
  /// The branches, the main branch first.
  var branches: [SimulationSession<World>] = []
  /// Branches that have not begun, because they repeat their past first.
  var coming: [ComingBranch<World>] = []
  var clock: SessionClock
  /// True if branches that are behind continue even while the session is paused.
  var isCatchingUp = false
  /// The number of the newest branch.
  var lastNumber = 0
  /// Sessions to write as tests.
  var pendingTests: [PendingTest<World>] = []
  /// The time of the newest entry.
  private(set) var newest = Timestamp.distantPast
  /// The due time of the next turn, as of ``nextTurn(after:pause:)``.
  private var expected: Timestamp?
  private var entries: [MetricEntry] = []
  /// The branch that recorded the last entries.
  private var writer: Int?

  /// A host without a session.
  init(catalog: ScenarioCatalog<World>, at now: Timestamp) {
    self.catalog = catalog
    clock = SessionClock(at: now)
  }

  // MARK: - Time

  /// Runs the events that are due, or some of them: ``isBehind`` is true while there are more.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isLive: True if a user is watching, so that a session that lags too far behind skips the delay.
  func pass(until now: Timestamp, isLive: Bool = true) {
    update(at: now)
    for branch in coming { advance(branch, steps: Self.stride * 2) }
    guard clock.isRunning || isCatchingUp else { return }
    for simulation in branches where isBehind(simulation) {
      record(simulation) { $0.run(until: clock.moment, steps: Self.stride) }
    }
    isCatchingUp = isCatchingUp && isBehind
    if isLive { slip() }
  }

  /// Advances the clock; if the machine has slept, so have the simulated devices.
  func update(at now: Timestamp) {
    if let slept = clock.sleep(until: now, expected: expected) {
      for simulation in branches { record(simulation) { $0.perform(byHand: .leap(slept)) } }
      clock.update(at: now)
      clock.move(to: branches.map(\.now).max() ?? clock.moment)
    }
    clock.update(at: now)
    expected = nil
  }

  /// Repeats part of the past of a branch that has not begun; after that, the branch catches up with the others.
  func advance(_ branch: ComingBranch<World>, steps: Int) {
    guard let begun = branch.advance(steps: steps) else { return }
    coming.removeAll { $0 === branch }
    branches.append(begun)
    isCatchingUp = true
    record(begun) {
      // The speed may have changed since the order.
      if $0.speed != clock.speed { $0.setSpeed(clock.speed) }
      if $0.isRunning != clock.isRunning { $0.setRunning(clock.isRunning) }
    }
  }

  /// Skips the delay if the machine is too slow for the session.
  private func slip() {
    guard clock.isRunning, let first = branches.map(\.now).max() else { return }
    guard branches.allSatisfy(isBehind), (clock.moment - first) / .seconds(1) > Self.longestLag * clock.speed
    else { return }
    clock.move(to: first)
  }

  /// True if due events have not happened yet.
  var isBehind: Bool {
    !coming.isEmpty || (clock.isRunning || isCatchingUp) && branches.contains(where: isBehind)
  }

  private func isBehind(_ simulation: SimulationSession<World>) -> Bool {
    simulation.next.map { $0.at <= clock.moment } ?? false
  }

  /// True if a branch has to catch up, or is paused before the moment of the others.
  func isLate(_ simulation: SimulationSession<World>) -> Bool {
    simulation.next.map { (clock.moment - $0.at) / .seconds(1) > (clock.isRunning ? clock.speed : 0) }
      ?? false
  }

  /// Stops time while writing is impossible.
  func hold(at now: Timestamp) {
    clock.hold(at: now)
    expected = nil
  }

  /// Seconds until the next event is due; `nil` if there is none before the next order.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - pause: The minimum result, so that a burst is written together.
  func nextTurn(after now: Timestamp, pause: Double) -> Double? {
    let soonest = branches.compactMap { $0.next.flatMap { clock.time(of: $0.at) } }.min()
    let seconds = soonest.map { min(max($0 - now, pause), 86_400) }
    expected = seconds.map { now + $0 }
    return seconds
  }

  // MARK: - Record

  /// Performs an action on a branch and appends the recorded entries.
  ///
  /// Not every entry names its branch, so a branch that records after another one starts with a statement of its own.
  func record(_ simulation: SimulationSession<World>, _ body: (SimulationSession<World>) -> Void) {
    let opening = writer == nil || writer == simulation.branch ? nil : simulation.statement()
    body(simulation)
    let new = simulation.takeEntries()
    guard let first = new.first, let last = new.last else { return }
    if let opening, first.metric != opening.metric { entries.append(opening) }
    writer = simulation.branch
    newest = max(newest, Timestamp(last.timestamp))
    entries += new
  }

  /// Removes and returns the entries recorded since the last call.
  func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// The branch with a given number.
  func simulation(_ number: Int) -> SimulationSession<World>? {
    branches.first { $0.branch == number }
  }
}
