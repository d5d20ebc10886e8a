import Essentials

/// Detects a value of a text or bool that becomes more frequent, such as a rising error ratio.
///
/// Each of the first values has a CUSUM of log-likelihood ratios (Page 1954) against three larger shares in parallel,
/// because the size of the rise is unknown. The previous share has a Beta prior (Jeffreys 1946) instead of a warm-up of
/// 400 samples, plus half a standard error. Failures that come in rows are judged as a Markov chain (`OutcomeRise`).
struct OutcomeDetector: Sendable, Equatable {
  /// Samples before alarms are raised.
  private static let warmUp: Float = 60
  /// Maximum number of distinct values; the rest count as one.
  private static let limit = 5
  /// Maximum length of a distinct value in bytes.
  private static let longest = 64
  /// Samples over which shares are averaged.
  private static let memory: Float = 4000

  private var values: [OutcomeShare] = []
  private var rest = OutcomeShare(text: "")
  private var count: Float = 0
  private var lastTime = -Double.infinity
  private var gap: Float = 0
  private var open: [OpenOutcome] = []

  /// True once alarms are possible.
  var isKnown: Bool { count > Self.warmUp }

  /// Ongoing incidents.
  var lasting: [Incident] { open.map(\.incident) }

  /// Records a sample.
  ///
  /// - Parameter onEnd: called with each incident that ends with the sample.
  mutating func record(
    _ outcome: String, at time: Double, _ budget: DetectionBudget, onEnd: (Incident) -> Void
  ) {
    let passed = time - lastTime
    if passed >= 0, passed < 1e6 { gap += (Float(passed) - gap) / min(count + 1, 500) }
    lastTime = time
    let place = place(of: outcome)
    if !open.isEmpty { return follow(place, at: time, onEnd) }
    count = min(count + 1, Self.memory)
    let isReady = count > Self.warmUp
    let most = mostFrequent
    for index in 0...values.count {
      let isHit = index == place
      let isIdle = index < values.count ? values[index].isIdle : rest.isIdle
      guard isHit || !isIdle || index == most else {
        learn(index, false)
        continue
      }
      if index == most || !isReady {
        learn(index, isHit)
      } else if watch(index, isHit, outcome, at: time, budget) {
        return
      }
    }
  }

  /// Index of an outcome among the distinct values, or their count if it is not one of them.
  private mutating func place(of outcome: String) -> Int {
    if let known = values.firstIndex(where: { $0.text == outcome }) { return known }
    guard values.count < Self.limit, outcome.utf8.count <= Self.longest else { return values.count }
    values.append(OutcomeShare(text: outcome))
    return values.count - 1
  }

  /// Index of the usual outcome; `nil` if no outcome has two fifths of the samples.
  private var mostFrequent: Int? {
    var (best, place) = (Float(0.4) * count, nil as Int?)
    for index in values.indices where values[index].hits > best {
      (best, place) = (values[index].hits, index)
    }
    return place
  }

  private mutating func miss(_ index: Int) {
    if count < Self.memory { return }
    if index < values.count { values[index].decay(Self.memory) } else { rest.decay(Self.memory) }
  }

  private mutating func learn(_ index: Int, _ isHit: Bool) {
    if index < values.count { values[index].learn(isHit) } else { rest.learn(isHit) }
    miss(index)
  }

  /// Weighs a sample as evidence for one of the values; true if it begins an incident.
  private mutating func watch(
    _ index: Int, _ isHit: Bool, _ outcome: String, at time: Double, _ budget: DetectionBudget
  ) -> Bool {
    let samplesPerHour = 3600 / max(1e-3, gap)
    var share = index < values.count ? values[index] : rest
    let rise = share.weigh(isHit, of: count, at: time, threshold: budget, samplesPerHour)
    if index < values.count { values[index] = share } else { rest = share }
    guard let rise else {
      learn(index, isHit)
      return false
    }
    let usual = mostFrequent.map { values[$0].text } ?? ""
    var incident = Incident(
      kind: .outcome, start: rise.start, peak: Double((rise.since.hits - 1) / max(1, rise.since.count - 1)),
      usual: Double(rise.usual))
    (incident.outcome, incident.usualOutcome) = (index < values.count ? share.text : outcome, usual)
    (incident.found, incident.median) = (time, incident.peak)
    let before = max(incident.usual, 0.001)
    incident.score =
      (incident.peak - before)
      / (before * (1 - min(0.999, before)) / Double(max(1, rise.since.count))).squareRoot()
    open = [OpenOutcome(incident, place: index, rise, at: time)]
    for index in values.indices { values[index].reset() }
    rest.reset()
    return true
  }

  private mutating func follow(_ place: Int, at time: Double, _ onEnd: (Incident) -> Void) {
    guard var now = open.first else { return }
    now.add(isHit: place == now.place, at: time)
    if place < values.count { values[place].since += 1 } else { rest.since += 1 }
    open = [now]
    guard now.incident.end != .none else { return }
    if case .adopted = now.incident.end {
      let all = max(1, values.reduce(rest.since) { $0 + $1.since })
      count = min(all, 500)
      for index in values.indices { values[index].adopt(of: all, as: count) }
      rest.adopt(of: all, as: count)
    }
    for index in values.indices { values[index].since = 0 }
    rest.since = 0
    open = []
    onEnd(now.incident)
  }
}
