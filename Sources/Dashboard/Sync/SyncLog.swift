import Sync

/// The record of a sync engine as far as it is kept, and what it came to at any moment of it.
///
/// Entries come in the order of the file. Each future of a simulation is folded by itself: it begins with the picture
/// of the future that it came from, and its entries begin again at the moment at which it left that one. A simulation
/// that starts anew begins another play; the plays before it are there for who looks back.
package struct SyncLog: Sendable {
  /// So many entries are kept; the oldest go first.
  package static let limit = 60_000
  /// So many futures of one play are kept; the trunk and the newest stay.
  package static let futureLimit = 64
  /// So many plays are kept.
  private static let playLimit = 100
  /// After so many futures that did not stay, a play takes no more.
  private static let dismissalLimit = 1000

  /// What was recorded from one start of an engine to the next.
  private struct Play: Sendable {
    /// The time of its first entry, in seconds since 2001.
    let start: Double
    var futures: [Int: SyncFuture] = [:]
    /// The futures besides the trunk, in the order in which they began.
    var order: [Int] = []
    /// Those that had to make room.
    var dismissed: Set<Int> = []
    /// When the newest entry of a future came in, for those that came in while somebody looked.
    var arrivals: [Int: Double] = [:]
  }

  private var plays: [Play] = []
  private var kept = 0
  private var lastBranch = 0
  /// Entries whose value is not what their metric promises.
  package private(set) var unreadable = 0

  package init() {}

  /// Whether there is no record of a sync engine.
  package var isEmpty: Bool { plays.isEmpty }

  /// The futures of the present play, the trunk first.
  package var branches: [Int] { plays.last?.futures.keys.sorted() ?? [] }

  /// When the present play began, in seconds since 2001.
  package var start: Double? { plays.last?.start }

  // MARK: Taking in

  /// Takes entries in.
  package mutating func append(_ new: some Sequence<RawSyncEntry>) {
    for raw in new {
      guard let record = raw.record else {
        unreadable += 1
        continue
      }
      // What does not say belongs to the future that was written last.
      let branch = record.branch ?? lastBranch
      lastBranch = branch
      if case .simulation(let simulation) = record { begin(simulation, at: raw.time) }
      if plays.isEmpty { plays.append(Play(start: raw.time)) }
      take(record, raw, into: branch)
      if kept > Self.limit { shrink() }
    }
  }

  private mutating func take(_ record: SyncRecord, _ raw: RawSyncEntry, into branch: Int) {
    let last = plays.count - 1
    if plays[last].futures[branch] == nil {
      // Its beginning is not in the record, as of a file that was cut; or it had to make room.
      guard !plays[last].dismissed.contains(branch) else { return }
      add(SyncFuture(from: SyncPicture(), at: max(raw.time, plays[last].start)), as: branch)
    }
    guard plays[last].futures[branch] != nil else { return }
    plays[last].futures[branch]?.append(record, at: raw.time)
    plays[last].arrivals[branch] = raw.arrival
    kept += 1
  }

  /// Begins another play or another future where a simulation says that it is one.
  private mutating func begin(_ new: SyncSimulation, at time: Double) {
    guard let play = plays.last else { return }
    if new.branch == 0 {
      guard isStart(new, of: play) else { return }
      plays.append(Play(start: time))
      if plays.count > Self.playLimit { forgetPlay() }
      return
    }
    if let known = play.futures[new.branch] {
      // Steps are counted up: this is another future under the same number.
      guard let step = known.latest.simulation?.step, new.step < step else { return }
      remove(new.branch)
    }
    var number = new.parent ?? 0
    // What lies before its parent began, its parent has from the one that it came from.
    while let origin = plays.last?.futures[number]?.origin, new.step <= origin.step { number = origin.parent }
    guard number != new.branch, let parent = plays.last?.futures[number],
      plays.last?.dismissed.contains(new.branch) == false
    else { return }
    let place = parent.place(afterStep: new.step)
    let start = max(time, play.start)
    let origin = SyncFuture.Origin(parent: number, step: new.step, time: start, place: place)
    add(SyncFuture(from: parent.picture(after: place), origin: origin, at: start), as: new.branch)
  }

  /// Whether what the trunk says of itself cannot go on with what it said before.
  ///
  /// At its first step it may say so more than once, as when its speed is changed.
  private func isStart(_ new: SyncSimulation, of play: Play) -> Bool {
    guard let trunk = play.futures[0] else {
      let known = play.futures.values.lazy.compactMap(\.latest.simulation).first
      return new.step == 0 || known.map { !Self.isSame($0, new) } ?? false
    }
    guard let old = trunk.latest.simulation else { return new.step == 0 }
    return !Self.isSame(old, new) || new.step < old.step
  }

  private static func isSame(_ one: SyncSimulation, _ other: SyncSimulation) -> Bool {
    one.scenario == other.scenario && one.seed == other.seed
  }

  // MARK: Bounds

  private mutating func add(_ future: SyncFuture, as branch: Int) {
    let last = plays.count - 1
    guard plays[last].dismissed.count < Self.dismissalLimit else { return }
    if plays[last].futures.count >= Self.futureLimit, branch != 0, let oldest = plays[last].order.first {
      kept -= plays[last].futures.removeValue(forKey: oldest)?.kept ?? 0
      plays[last].order.removeFirst()
      plays[last].dismissed.insert(oldest)
    }
    plays[last].futures[branch] = future
    if branch != 0 { plays[last].order.append(branch) }
  }

  /// Removes a future and those that came from it.
  private mutating func remove(_ branch: Int) {
    let last = plays.count - 1
    var gone: Set = [branch]
    // Who came from another one began after it.
    for number in plays[last].order {
      if let origin = plays[last].futures[number]?.origin, gone.contains(origin.parent) {
        gone.insert(number)
      }
    }
    for number in gone { kept -= plays[last].futures.removeValue(forKey: number)?.kept ?? 0 }
    plays[last].order.removeAll(where: gone.contains)
  }

  /// Forgets the oldest part of the longest future of the oldest play, or that play.
  private mutating func shrink() {
    let longest = plays[0].futures.max { $0.value.kept < $1.value.kept }?.key ?? 0
    let gone = plays[0].futures[longest]?.shrink() ?? 0
    kept -= gone
    if gone == 0, plays.count > 1 { forgetPlay() }
  }

  private mutating func forgetPlay() {
    kept -= plays.removeFirst().futures.values.reduce(0) { $0 + $1.kept }
  }

  // MARK: Asking

  /// What was known at a moment, or is now.
  ///
  /// Before a future began it is what was known in the one that it came from; before the present play, that play's
  /// trunk.
  ///
  /// - Parameters:
  ///   - branch: The future.
  ///   - moment: In seconds since 2001; `nil` for the end of the record.
  package func picture(of branch: Int = 0, at moment: Double? = nil) -> SyncPicture {
    guard let moment else { return plays.last?.futures[branch]?.latest ?? SyncPicture() }
    guard let place = plays.lastIndex(where: { $0.start <= moment }) else { return SyncPicture() }
    let play = plays[place]
    var number = place == plays.count - 1 ? branch : play.futures.keys.min() ?? 0
    guard var future = play.futures[number] else { return SyncPicture() }
    while let origin = future.origin, moment < origin.time {
      number = origin.parent
      // It may have had to make room; what is known then is what its child began with.
      guard let parent = play.futures[number] else { break }
      future = parent
    }
    return future.picture(at: moment)
  }

  /// Where a future of the present play left the one that it came from; `nil` for the trunk.
  package func origin(of branch: Int) -> (parent: Int, step: Int, time: Double)? {
    future(branch)?.origin.map { ($0.parent, $0.step, $0.time) }
  }

  /// What was done by hand first in a future, in words.
  package func change(of branch: Int) -> String { future(branch)?.change?.words ?? SyncChange.none }

  /// When the newest entry of a future came in, on the wall clock in seconds since 2001; `nil` when it was there at the
  /// opening.
  func arrival(of branch: Int) -> Double? { plays.last?.arrivals[branch] }

  /// A future of the present play.
  func future(_ branch: Int) -> SyncFuture? { plays.last?.futures[branch] }
}
