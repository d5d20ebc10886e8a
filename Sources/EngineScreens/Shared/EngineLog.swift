package import DashboardCore
package import Platform

/// The kept record of an engine, and the state it leads to at any moment.
///
/// Entries arrive in file order. Each branch of a simulation is folded separately: it begins with its parent's state at
/// the fork. A restarted simulation begins another session; earlier sessions remain available for looking back.
package struct EngineLog<Engine: FoldedEngine>: Sendable {
  /// Maximum number of kept entries; the oldest are dropped first.
  package static var limit: Int { 60_000 }
  /// Maximum number of branches per session; the main branch and the newest ones stay.
  package static var branchLimit: Int { 64 }
  /// Maximum number of sessions.
  private static var sessionLimit: Int { 100 }
  /// Maximum number of evicted branches, after which a session accepts no more branches.
  private static var dismissalLimit: Int { 1000 }

  /// Entries recorded from one start of an engine to the next.
  private struct EngineSession: Sendable {
    /// The time of its first entry.
    let start: Timestamp
    var branches: [Int: EngineBranch<Engine>] = [:]
    /// The branches except the main one, in order of their start.
    var order: [Int] = []
    /// Evicted branches.
    var dismissed: Set<Int> = []
    /// Arrival of the newest entry of each branch, except entries present at the opening.
    var arrivals: [Int: Timestamp] = [:]
  }

  private var sessions: [EngineSession] = []
  private var kept = 0
  private var lastBranch = 0
  /// Number of entries whose value does not match their metric.
  package private(set) var unreadable = 0

  package init() {}

  /// True if there is no record of an engine.
  package var isEmpty: Bool { sessions.isEmpty }

  /// The branches of the current session, the main one first.
  package var branches: [Int] { sessions.last?.branches.keys.sorted() ?? [] }

  /// Start of the current session.
  package var start: Timestamp? { sessions.last?.start }

  // MARK: Adding entries

  package mutating func append(_ new: some Sequence<RawEngineEntry>) {
    for raw in new {
      guard let record = Engine.Record(raw) else {
        unreadable += 1
        continue
      }
      // An entry without a branch belongs to the branch written last.
      let branch = record.branch ?? lastBranch
      lastBranch = branch
      if let simulation = record.simulation { begin(simulation, at: raw.time) }
      if sessions.isEmpty { sessions.append(EngineSession(start: raw.time)) }
      append(record, raw, to: branch)
      if kept > Self.limit { shrink() }
    }
  }

  private mutating func append(_ record: Engine.Record, _ raw: RawEngineEntry, to branch: Int) {
    let last = sessions.count - 1
    if sessions[last].branches[branch] == nil {
      // The start of the branch is missing, because the file was truncated or the branch was evicted.
      guard !sessions[last].dismissed.contains(branch) else { return }
      add(EngineBranch<Engine>(from: Engine(), at: max(raw.time, sessions[last].start)), as: branch)
    }
    guard sessions[last].branches[branch] != nil else { return }
    sessions[last].branches[branch]?.append(record, at: raw.time)
    sessions[last].arrivals[branch] = raw.arrival
    kept += 1
  }

  /// Begins another session or branch if a simulation's statement says so.
  private mutating func begin(_ new: Engine.Record.Simulation, at time: Timestamp) {
    guard let session = sessions.last else { return }
    if new.branch == 0 {
      guard isStart(new, of: session) else { return }
      sessions.append(EngineSession(start: time))
      if sessions.count > Self.sessionLimit { forgetSession() }
      return
    }
    if let known = session.branches[new.branch] {
      // Steps only increase: this is another branch with the same number.
      guard let step = known.latest.simulation?.step, new.step < step else { return }
      remove(new.branch)
    }
    var number = new.parent ?? 0
    // Steps before the start of the parent are inherited from the parent's parent.
    while let origin = sessions.last?.branches[number]?.origin, new.step <= origin.step {
      number = origin.parent
    }
    guard number != new.branch, let parent = sessions.last?.branches[number],
      sessions.last?.dismissed.contains(new.branch) == false
    else { return }
    let place = parent.place(afterStep: new.step)
    let start = max(time, session.start)
    let origin = EngineBranch<Engine>.Origin(parent: number, step: new.step, time: start, place: place)
    add(EngineBranch<Engine>(from: parent.state(after: place), origin: origin, at: start), as: new.branch)
  }

  /// True if a statement of the main branch cannot continue its previous one.
  ///
  /// At the first step there may be several statements, for instance after a change of speed.
  private func isStart(_ new: Engine.Record.Simulation, of session: EngineSession) -> Bool {
    guard let main = session.branches[0] else {
      let known = session.branches.values.lazy.compactMap(\.latest.simulation).first
      return new.step == 0 || known.map { !Self.isSame($0, new) } ?? false
    }
    guard let old = main.latest.simulation else { return new.step == 0 }
    return !Self.isSame(old, new) || new.step < old.step
  }

  private static func isSame(_ one: Engine.Record.Simulation, _ other: Engine.Record.Simulation) -> Bool {
    one.scenario == other.scenario && one.seed == other.seed
  }

  // MARK: Bounds

  private mutating func add(_ branch: EngineBranch<Engine>, as number: Int) {
    let last = sessions.count - 1
    guard sessions[last].dismissed.count < Self.dismissalLimit else { return }
    if sessions[last].branches.count >= Self.branchLimit, number != 0, let oldest = sessions[last].order.first
    {
      kept -= sessions[last].branches.removeValue(forKey: oldest)?.kept ?? 0
      sessions[last].order.removeFirst()
      sessions[last].dismissed.insert(oldest)
    }
    sessions[last].branches[number] = branch
    if number != 0 { sessions[last].order.append(number) }
  }

  /// Removes a branch and its descendants.
  private mutating func remove(_ branch: Int) {
    let last = sessions.count - 1
    var gone: Set = [branch]
    // A branch always starts after its parent.
    for number in sessions[last].order {
      if let origin = sessions[last].branches[number]?.origin, gone.contains(origin.parent) {
        gone.insert(number)
      }
    }
    for number in gone { kept -= sessions[last].branches.removeValue(forKey: number)?.kept ?? 0 }
    sessions[last].order.removeAll(where: gone.contains)
  }

  /// Drops the oldest piece of the longest branch of the oldest session, or that session.
  private mutating func shrink() {
    let longest = sessions[0].branches.max { $0.value.kept < $1.value.kept }?.key ?? 0
    let gone = sessions[0].branches[longest]?.shrink() ?? 0
    kept -= gone
    if gone == 0, sessions.count > 1 { forgetSession() }
  }

  private mutating func forgetSession() {
    kept -= sessions.removeFirst().branches.values.reduce(0) { $0 + $1.kept }
  }

  // MARK: Queries

  /// The known state of the engine at a moment, or now.
  ///
  /// Before the start of a branch, the state of its parent; before the current session, the state of the earlier
  /// session's main branch.
  ///
  /// - Parameters:
  ///   - branch: The number of the branch.
  ///   - moment: `nil` for the end of the record.
  package func state(of branch: Int = 0, at moment: Timestamp? = nil) -> Engine {
    guard let moment else { return sessions.last?.branches[branch]?.latest ?? Engine() }
    guard let place = sessions.lastIndex(where: { $0.start <= moment }) else { return Engine() }
    let session = sessions[place]
    var number = place == sessions.count - 1 ? branch : session.branches.keys.min() ?? 0
    guard var found = session.branches[number] else { return Engine() }
    while let origin = found.origin, moment < origin.time {
      number = origin.parent
      // If the parent was evicted, the initial state of its child is all that is left.
      guard let parent = session.branches[number] else { break }
      found = parent
    }
    return found.state(at: moment)
  }

  /// The fork point of a branch of the current session; `nil` for the main branch.
  package func origin(of branch: Int) -> (parent: Int, step: Int, time: Timestamp)? {
    self.branch(branch)?.origin.map { ($0.parent, $0.step, $0.time) }
  }

  /// A description of the first manual act in a branch.
  package func change(of branch: Int) -> String { self.branch(branch)?.change?.text ?? ChangeRule.none }

  /// The arrival of a branch's newest entry, by the wall clock; `nil` if it was present at the opening.
  func arrival(of branch: Int) -> Timestamp? { sessions.last?.arrivals[branch] }

  /// A branch of the current session.
  func branch(_ number: Int) -> EngineBranch<Engine>? { sessions.last?.branches[number] }
}
