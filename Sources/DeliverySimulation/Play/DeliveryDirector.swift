import SimulationKit

/// Says what happens next from outside of the client: the script, and events that come at random.
struct DeliveryDirector: Sendable {
  /// Something that is due.
  enum Occurrence: Hashable, Sendable {
    /// The next act of the script.
    case script(DeliveryTimedAct)
    /// An event of the app.
    case arrival
  }

  private let acts: [DeliveryTimedAct]
  private var position = 0
  private var perMinute = 0.0
  private var nextArrival: Duration?
  private var random: SimulationRandom

  init(acts: [DeliveryTimedAct], random: SimulationRandom) {
    self.acts = acts
    self.random = random
  }

  /// The next thing due, and when; of two at one moment the script comes first.
  var next: (at: Duration, what: Occurrence)? {
    let script = acts.indices.contains(position) ? acts[position] : nil
    if let nextArrival, script.map({ nextArrival < $0.at }) ?? true { return (nextArrival, .arrival) }
    return script.map { ($0.at, .script($0)) }
  }

  /// Takes note that what was due happens now.
  mutating func take(_ what: Occurrence, at now: Duration) {
    switch what {
    case .script: position += 1
    case .arrival: nextArrival = now + pause()
    }
  }

  /// Lets events come so many times a minute on average; 0 ends that.
  mutating func generate(perMinute: Double, at now: Duration) {
    self.perMinute = perMinute
    nextArrival = perMinute > 0 ? now + pause() : nil
  }

  /// The time to the next event, in whole milliseconds so that it is the same on every machine.
  private mutating func pause() -> Duration {
    let milliseconds = (random.pause(perSecond: perMinute / 60) * 1000).rounded()
    return .milliseconds(milliseconds < 1e12 ? max(1, Int64(milliseconds)) : 1_000_000_000_000)
  }
}

extension DeliveryDirector.Occurrence {
  /// The thing that is due, in a few words.
  var words: String {
    switch self {
    case .script(let timed): timed.act.words
    case .arrival: "an event"
    }
  }
}
