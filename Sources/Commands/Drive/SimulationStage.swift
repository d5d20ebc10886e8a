import Foundation
import MisterMetrics
import Sync

/// The futures of one play and what they have recorded: takes orders, and lets time pass in bounded pieces.
///
/// It neither waits nor writes; who drives it says what time it is and keeps ``takeEntries()``, in order.
final class SimulationStage {
  /// Entries that are written at once.
  static let block = 1_000
  /// Steps that one future takes before the others have their turn and orders are looked at.
  private static let stride = 256
  /// Seconds of our time that a play may be late before it goes on from where it is.
  private static let longestLag = 1.0

  /// What can be played.
  let repertoire: Repertoire
  /// The futures, the trunk first.
  var futures: [Simulation] = []
  /// The futures that have not begun yet: each repeats its past first.
  var coming: [ComingFuture] = []
  var clock: PlayClock
  /// Whether futures that are behind go on even while all stands still.
  var isCatchingUp = false
  /// The number of the newest future.
  var lastNumber = 0
  /// Sessions that are to be written as tests.
  var unwritten: [UnwrittenTest] = []
  /// The time of the newest entry, in seconds since 2001.
  private(set) var newest = -Double.infinity
  /// When somebody is going to look, by ``nextTurn(after:pause:)``.
  private var expected: Double?
  private var entries: [MetricEntry] = []
  /// The future whose entries were recorded last.
  private var writer: Int?

  /// A stage without a play.
  init(repertoire: Repertoire, at now: Double) {
    self.repertoire = repertoire
    clock = PlayClock(at: now)
  }

  // MARK: - Time

  /// Lets pass what time has passed, or a piece of it: ``isBehind`` says whether there is more.
  ///
  /// - Parameters:
  ///   - now: The time, in seconds since 2001.
  ///   - isLive: Whether somebody watches, for whom a play that is too late goes on from where it is.
  func pass(until now: Double, isLive: Bool = true) {
    look(at: now)
    for future in coming { advance(future, steps: Self.stride * 2) }
    guard clock.isRunning || isCatchingUp else { return }
    for future in futures where isBehind(future) {
      record(future) { $0.run(until: clock.moment, steps: Self.stride) }
    }
    isCatchingUp = isCatchingUp && isBehind
    if isLive { slip() }
  }

  /// Takes note of the time; what the machine has slept, the simulated devices have slept.
  func look(at now: Double) {
    if let slept = clock.sleep(until: now, expected: expected) {
      for future in futures { record(future) { $0.perform(byHand: .leap(slept)) } }
      clock.look(at: now)
      clock.move(to: futures.map(\.now).max() ?? clock.moment)
    }
    clock.look(at: now)
    expected = nil
  }

  /// Lets a future come nearer to where it begins; once it is there it catches up with the others.
  func advance(_ future: ComingFuture, steps: Int) {
    guard let begun = future.advance(steps: steps) else { return }
    coming.removeAll { $0 === future }
    futures.append(begun)
    isCatchingUp = true
    record(begun) {
      // Since it was wanted, a person may have wanted more.
      if $0.speed != clock.speed { $0.setSpeed(clock.speed) }
      if $0.isRunning != clock.isRunning { $0.setRunning(clock.isRunning) }
    }
  }

  /// Goes on from where the play is when the machine is too slow for it.
  private func slip() {
    guard clock.isRunning, let first = futures.map(\.now).max() else { return }
    guard futures.allSatisfy(isBehind), (clock.moment - first) / .seconds(1) > Self.longestLag * clock.speed
    else { return }
    clock.move(to: first)
  }

  /// Whether something was due that has not happened.
  var isBehind: Bool {
    !coming.isEmpty || (clock.isRunning || isCatchingUp) && futures.contains(where: isBehind)
  }

  private func isBehind(_ future: Simulation) -> Bool {
    future.next.map { $0.at <= clock.moment } ?? false
  }

  /// Whether a future has to catch up, or stands still before the moment that others have come to.
  func isLate(_ future: Simulation) -> Bool {
    future.next.map { (clock.moment - $0.at) / .seconds(1) > (clock.isRunning ? clock.speed : 0) } ?? false
  }

  /// Lets no time pass, as long as nothing can be written.
  func hold(at now: Double) {
    clock.hold(at: now)
    expected = nil
  }

  /// Seconds until something is due; `nil` when nothing is until somebody wants something.
  ///
  /// - Parameters:
  ///   - now: The time, in seconds since 2001.
  ///   - pause: How many seconds it is at least, so that what comes thick comes together.
  func nextTurn(after now: Double, pause: Double) -> Double? {
    let soonest = futures.compactMap { $0.next.flatMap { clock.time(of: $0.at) } }.min()
    let seconds = soonest.map { min(max($0 - now, pause), 86_400) }
    expected = seconds.map { now + $0 }
    return seconds
  }

  // MARK: - Record

  /// Does something to a future and takes what it records behind all that was recorded before.
  ///
  /// Not every entry says whose it is; so a future that writes behind another one begins with a statement of its own.
  func record(_ future: Simulation, _ body: (Simulation) -> Void) {
    let opening = writer == nil || writer == future.branch ? nil : future.statement()
    body(future)
    let new = future.takeEntries()
    guard let first = new.first, let last = new.last else { return }
    if let opening, first.metric != opening.metric { entries.append(opening) }
    writer = future.branch
    newest = max(newest, last.timestamp.timeIntervalSinceReferenceDate)
    entries += new
  }

  /// Takes out what was recorded since.
  func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// A future by its number.
  func future(_ number: Int) -> Simulation? {
    futures.first { $0.branch == number }
  }
}
