/// Schedules events from outside the engine: the script and recurring events.
package struct SimulationDirector<Act: DrivenAct, Source: CaseIterable & Hashable & Sendable>: Sendable {
  /// An event that is due.
  package enum Occurrence: Hashable, Sendable {
    /// The next act of the script.
    case script(DrivenTimedAct<Act>)
    /// A recurring event.
    case recurring(Source)
  }

  /// The interval between recurrences.
  private enum Pause {
    case random(perMinute: Double)
    case regular(Duration)
  }

  private let acts: [DrivenTimedAct<Act>]
  private var position = 0
  private var sources: [Source: (pause: Pause, next: Duration)] = [:]
  private var random: SimulationRandom

  package init(acts: [DrivenTimedAct<Act>], random: SimulationRandom) {
    self.acts = acts.inOrder()
    self.random = random
  }

  /// The next event and its time; at the same time, the script comes first.
  package var next: (at: Duration, what: Occurrence)? {
    var soonest: (at: Duration, what: Occurrence)?
    if acts.indices.contains(position) { soonest = (acts[position].at, .script(acts[position])) }
    for source in Source.allCases {
      guard let moment = sources[source]?.next, soonest.map({ moment < $0.at }) ?? true else { continue }
      soonest = (moment, .recurring(source))
    }
    return soonest
  }

  /// Marks an event as happening now.
  package mutating func take(_ what: Occurrence, at now: Duration) {
    switch what {
    case .script: position += 1
    case .recurring(let source):
      let pause = pause(sources[source]?.pause)
      sources[source]?.next = now + pause
    }
  }

  /// Starts random events at an average rate per minute; 0 stops them.
  package mutating func generate(_ source: Source, perMinute: Double, at now: Duration) {
    let pause = Pause.random(perMinute: perMinute)
    sources[source] = perMinute > 0 ? (pause, now + self.pause(pause)) : nil
  }

  /// Starts periodic events, the first one now; `nil` stops them.
  package mutating func `repeat`(_ source: Source, every period: Duration?, at now: Duration) {
    sources[source] = period.map { (.regular($0), now) }
  }

  /// The time to the next event, rounded to milliseconds so that it is the same on every machine.
  private mutating func pause(_ pause: Pause?) -> Duration {
    switch pause {
    case nil: return .zero
    case .regular(let period): return period
    case .random(let perMinute):
      let milliseconds = (random.pause(perSecond: perMinute / 60) * 1000).rounded()
      return .milliseconds(milliseconds < 1e12 ? max(1, Int64(milliseconds)) : 1_000_000_000_000)
    }
  }
}
