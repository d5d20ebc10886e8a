import Essentials

/// Samples and the hits among them.
struct HitCount: Sendable, Equatable {
  var hits: Float = 0
  var count: Float = 0

  /// Log-likelihood ratio of two shares versus one, if the share has risen since; else 0.
  ///
  /// The likelihood ratio of two binomial samples (Wilks 1938), which accounts for the uncertainty of the previous
  /// share; the prior is half a hit (Jeffreys 1946). A CUSUM alone, with a fixed previous share, caused 47 false lines
  /// in 1,000 hours at 1 % failures, because that share is often poorly known; with the ratio there are 2.
  func rise(to since: HitCount) -> Float {
    let (some, all) = (hits + 0.5, count + 1)
    guard since.hits * all > some * since.count else { return 0 }
    let pooled = (some + since.hits) / (all + since.count)
    return Self.likelihood(some, all, pooled) + Self.likelihood(since.hits, since.count, pooled)
  }

  private static func likelihood(_ hits: Float, _ count: Float, _ pooled: Float) -> Float {
    let misses = max(0, count - hits)
    let first = hits > 0 ? hits * log(hits / count / pooled) : 0
    return first + (misses > 0 ? misses * log(misses / count / (1 - pooled)) : 0)
  }
}

/// A rise in the share of an outcome that may become an incident.
struct OutcomeRise: Sendable, Equatable {
  /// Misses after a hit that are assumed before any are seen: rows are rarer than single hits.
  private static let rarity: Float = 3
  /// Log-likelihood ratios of a hit and of a miss.
  fileprivate struct Weights: Sendable, Equatable {
    var hit: Float = 0
    var miss: Float = 0

    init() {}

    init(from share: Float, to raised: Float) {
      (hit, miss) = (log(raised / share), log((1 - raised) / (1 - share)))
    }
  }

  fileprivate(set) var evidence: Float = 0
  fileprivate(set) var start = 0.0
  /// Samples before the rise began and since, and those of them that follow a hit.
  fileprivate(set) var before = HitCount()
  fileprivate(set) var beforeAgain = HitCount()
  fileprivate(set) var since = HitCount()
  fileprivate var sinceAgain = HitCount()
  fileprivate var fresh = Weights()
  fileprivate var again = Weights()

  /// Share before the rise.
  var usual: Float { before.hits / max(1, before.count) }

  /// Log-likelihood ratio of a rise, of samples after a miss and after a hit.
  ///
  /// Where failures come in rows, the next one of a row says little: the ratio of a Markov chain (Anderson and Goodman
  /// 1957), if that is smaller. A design effect instead left 580 false lines in 1,000 hours of 2 % failures in rows of
  /// two; with the chain there are 40.
  var likelihood: Float {
    min(
      before.rise(to: since),
      before.without(beforeAgain).rise(to: since.without(sinceAgain))
        + beforeAgain.with(misses: Self.rarity).rise(to: sinceAgain))
  }
}

extension HitCount {
  fileprivate func with(misses: Float) -> HitCount { HitCount(hits: hits, count: count + misses) }

  fileprivate func without(_ other: HitCount) -> HitCount {
    HitCount(hits: max(0, hits - other.hits), count: max(0, count - other.count))
  }

  fileprivate mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }
}

/// Frequency of one outcome of a series, and the evidence for a rise.
struct OutcomeShare: Sendable, Equatable {
  /// Logarithm of the tests of a series of numbers over those of outcomes: shares, rate and silence.
  private static let fewerTests: Float = 0.69
  private static let sizes: [(factor: Float, step: Float)] = [(2.5, 0.02), (5, 0.06), (20, 0.5)]

  let text: String
  private(set) var hits: Float = 0
  /// Hits that immediately followed another.
  private var pairs: Float = 0
  private var isAfterHit = false
  /// Hits since an incident began.
  var since: Float = 0
  private var rises = [OutcomeRise](repeating: OutcomeRise(), count: 3)
  private(set) var isIdle = true

  init(text: String) { self.text = text }

  /// Counts a sample of the series.
  mutating func learn(_ isHit: Bool) {
    if isHit {
      hits += 1
      if isAfterHit { pairs += 1 }
    }
    isAfterHit = isHit
  }

  mutating func decay(_ memory: Float) {
    hits *= 1 - 1 / memory
    pairs *= 1 - 1 / memory
  }

  mutating func adopt(of all: Float, as count: Float) { hits = since / all * count }

  /// Previous share under a Beta prior, plus half a standard error.
  func before(_ count: Float) -> Float {
    min(0.98, (hits + 0.5 + 0.5 * (hits + 0.25).squareRoot()) / (count + 1))
  }

  /// Adds a sample to the evidence; returns the strongest rise that is now certain, if any.
  mutating func weigh(
    _ isHit: Bool, of count: Float, at time: Double, threshold budget: DetectionBudget,
    _ samplesPerHour: Float
  ) -> OutcomeRise? {
    let share = before(count)
    isIdle = true
    var (best, bestLikelihood) = (nil as OutcomeRise?, Float(0))
    let needed = budget.odds - Self.fewerTests + log(max(1, share * samplesPerHour))
    for place in rises.indices where isHit || rises[place].evidence > 0 {
      if rises[place].evidence <= 0 { begin(place, share, of: count, at: time) }
      let weights = isAfterHit ? rises[place].again : rises[place].fresh
      rises[place].evidence = max(0, rises[place].evidence + (isHit ? weights.hit : weights.miss))
      rises[place].since.add(isHit)
      if isAfterHit { rises[place].sinceAgain.add(isHit) }
      let evidence = rises[place].evidence
      if evidence > 0 { isIdle = false }
      guard isHit, rises[place].since.hits >= 3, evidence > 0.3 * needed else { continue }
      let likelihood = rises[place].likelihood
      if likelihood > needed, likelihood > bestLikelihood {
        (best, bestLikelihood) = (rises[place], likelihood)
      }
    }
    return best
  }

  /// Begins a rise; the share so far determines its weights.
  private mutating func begin(_ place: Int, _ share: Float, of count: Float, at time: Double) {
    let size = Self.sizes[place]
    let raised = min(
      0.99, max(share + (1 - share) * size.step / 2, min(0.95, max(size.factor * share, share + size.step))))
    var rise = OutcomeRise()
    (rise.start, rise.before) = (time, HitCount(hits: hits, count: count))
    rise.beforeAgain = HitCount(hits: min(pairs, hits), count: hits)
    let shareAgain = min(0.98, max(share, (pairs + 0.5 + 0.5 * (pairs + 0.25).squareRoot()) / (hits + 1)))
    rise.fresh = OutcomeRise.Weights(from: share, to: raised)
    rise.again = OutcomeRise.Weights(from: shareAgain, to: max(raised, shareAgain))
    rises[place] = rise
  }

  /// Discards the evidence.
  mutating func reset() {
    for place in rises.indices { rises[place].evidence = 0 }
    isIdle = true
  }
}

/// A reported rise of a share, until it falls back.
struct OpenOutcome: Sendable, Equatable {
  /// Standard errors of the margin: more than 1.645 for 90 %, because a rise is told when its share looks large.
  private static let wide: Float = 2
  /// Log-likelihood ratio in favor of the old share that ends the incident.
  private static let threshold: Float = 10

  var incident: Incident
  let place: Int
  private let before: Float
  private let hitsBefore: Float
  private var count: Float
  private var hits: Float
  private var calm: Float = 0
  private var calmCount: Float = 0
  private var lastHit: Double

  init(_ incident: Incident, place: Int, _ rise: OutcomeRise, at time: Double) {
    (self.incident, self.place) = (incident, place)
    hitsBefore = rise.before.hits
    before = min(0.98, (rise.before.hits + 0.5) / (rise.before.count + 1))
    (count, hits, lastHit) = (rise.since.count, rise.since.hits, time)
  }

  mutating func add(isHit: Bool, at time: Double) {
    let after = min(0.95, max(hits / max(1, count), before + 0.01))
    calm = max(0, calm + (isHit ? log(before / after) : log((1 - before) / (1 - after))))
    calmCount = calm > 0 ? calmCount + 1 : 0
    count += 1
    if isHit { (hits, lastHit) = (hits + 1, time) }
    // Excludes the samples since the share fell, and the first hit, which determined the start.
    incident.peak = Double(
      min(1, max(0, hits - 1) / max(1, count - (calm > Self.threshold / 2 ? calmCount : 0) - 1)))
    incident.median = incident.peak
    incident.margin = Double(
      exp(Self.wide * min(20, (1 / max(1, hits) + 1 / max(0.5, hitsBefore)).squareRoot())))
    if calm > Self.threshold {
      incident.end = .returned(lastHit)
    } else if time - incident.start >= OpenChange.adoption {
      incident.end = .adopted(time)
    }
  }
}
