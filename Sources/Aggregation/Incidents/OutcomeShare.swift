import Essentials

/// A rise in the share of an outcome that may become an incident.
struct OutcomeRise: Sendable, Equatable {
  fileprivate(set) var evidence: Float = 0
  fileprivate(set) var count: Float = 0
  fileprivate(set) var hits: Float = 0
  fileprivate(set) var start = 0.0
  /// Hits and samples before the rise began.
  fileprivate(set) var hitsBefore: Float = 0
  fileprivate(set) var countBefore: Float = 0
  /// Number of consecutive hits worth as much as one isolated hit.
  fileprivate(set) var effect: Float = 1
  /// Weights of a hit and of a miss.
  fileprivate var hit: Float = 0
  fileprivate var miss: Float = 0

  /// Share before the rise.
  var usual: Float { hitsBefore / max(1, countBefore) }

  /// Log-likelihood ratio of two shares versus one.
  ///
  /// The likelihood ratio of two binomial samples (Wilks 1938), which accounts for the uncertainty of the previous
  /// share; the prior is half a hit (Jeffreys 1946). A CUSUM alone, with a fixed previous share, caused 47 false lines
  /// in 1,000 hours at 1 % failures, because that share is often poorly known; with the ratio there are 4.
  var likelihood: Float {
    let (some, all, more, since) = (hitsBefore + 0.5, countBefore + 1, hits, count)
    guard more * all > some * since else { return 0 }
    let pooled = (some + more) / (all + since)
    return (Self.likelihood(some, all, pooled) + Self.likelihood(more, since, pooled)) / effect
  }

  private static func likelihood(_ hits: Float, _ count: Float, _ pooled: Float) -> Float {
    let misses = max(0, count - hits)
    let first = hits > 0 ? hits * log(hits / count / pooled) : 0
    return first + (misses > 0 ? misses * log(misses / count / (1 - pooled)) : 0)
  }
}

/// Frequency of one outcome of a series, and the evidence for a rise.
struct OutcomeShare: Sendable, Equatable {
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
  /// The evidence's peaks before it fell back to zero.
  private var peaks = SumPeaks(ordinary: 1, memory: 60)

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

  /// Factor by which consecutive hits widen the spread of a count: (1 + r) ÷ (1 − r) for a correlation of r between
  /// neighbours (design effect, Kish 1965), with r reduced by its standard error.
  private var effect: Float {
    let all = max(1, hits)
    let again = pairs / all
    let correlation = min(0.9, max(0, again - (again * (1 - again) / all).squareRoot()))
    return hits < 3 ? 1 : (1 + correlation) / (1 - correlation)
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
    let needed =
      (budget.odds + log(max(1, share * samplesPerHour)) - 2.7)
      * max(1, peaks.inflation)
    for place in rises.indices where isHit || rises[place].evidence > 0 {
      if rises[place].evidence <= 0 { begin(place, share, of: count, at: time) }
      rises[place].evidence = max(0, rises[place].evidence + (isHit ? rises[place].hit : rises[place].miss))
      rises[place].count += 1
      rises[place].hits += isHit ? 1 : 0
      let evidence = rises[place].evidence
      if evidence > 0 { isIdle = false }
      peaks.note(evidence)
      guard isHit, rises[place].hits >= 3, evidence > 0.3 * needed else { continue }
      let likelihood = rises[place].likelihood
      if likelihood > needed, likelihood > bestLikelihood {
        (best, bestLikelihood) = (rises[place], likelihood)
      }
    }
    if isIdle { peaks.close() }
    return best
  }

  /// Begins a rise; the share so far determines its weights.
  private mutating func begin(_ place: Int, _ share: Float, of count: Float, at time: Double) {
    let size = Self.sizes[place]
    let raised = min(
      0.99, max(share + (1 - share) * size.step / 2, min(0.95, max(size.factor * share, share + size.step))))
    rises[place] = OutcomeRise()
    (rises[place].start, rises[place].hitsBefore, rises[place].countBefore) = (time, hits, count)
    rises[place].effect = effect
    rises[place].hit = log(raised / share)
    rises[place].miss = log((1 - raised) / (1 - share))
  }

  /// Discards the evidence.
  mutating func reset() {
    for place in rises.indices { rises[place].evidence = 0 }
    isIdle = true
    peaks.reset()
  }
}

/// A reported rise of a share, until it falls back.
struct OpenOutcome: Sendable, Equatable {
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
    hitsBefore = rise.hitsBefore
    before = min(0.98, (rise.hitsBefore + 0.5) / (rise.countBefore + 1))
    (count, hits, lastHit) = (rise.count, rise.hits, time)
  }

  mutating func add(isHit: Bool, at time: Double) {
    let after = min(0.95, max(hits / max(1, count), before + 0.01))
    calm = max(0, calm + (isHit ? log(before / after) : log((1 - before) / (1 - after))))
    calmCount = calm > 0 ? calmCount + 1 : 0
    count += 1
    if isHit { (hits, lastHit) = (hits + 1, time) }
    // Excludes the samples since the share fell, and the first hit, which determined the start.
    incident.peak = Double(min(1, max(0, hits - 1) / max(1, count - calmCount - 1)))
    incident.median = incident.peak
    incident.margin = Double(exp(1.645 * min(20, (1 / max(1, hits) + 1 / max(0.5, hitsBefore)).squareRoot())))
    if calm > Self.threshold {
      incident.end = .returned(lastHit)
    } else if time - incident.start >= OpenChange.adoption {
      incident.end = .adopted(time)
    }
  }
}
