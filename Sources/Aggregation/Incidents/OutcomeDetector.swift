import Essentials

/// Finds periods in which a text or bool had unusual values more often than before.
///
/// A cumulative sum of log-likelihood ratios (CUSUM, Page 1954): an unusual value adds its likelihood ratio under a
/// risen share of unusual values, and a usual value subtracts. A single flip is not an incident, and a series without a
/// usual value has none.
struct OutcomeDetector: Sendable, Equatable {
  /// Number of values before one of them counts as the usual one.
  private static let warmUp = 32
  /// Required log-likelihood ratio of a rise.
  private static let threshold = 13.0
  /// Number of values over which the share of unusual ones is averaged.
  private static let memory = 256.0
  /// Share of unusual values from which there is no usual value.
  private static let mixed = 0.5
  /// Number of consecutive usual values that end an incident.
  private static let calmCount = 8
  /// Number of values in an incident after which the usual value is determined again.
  private static let adoption = 240
  /// Maximum number of values distinguished until then.
  private static let candidates = 8

  private struct Candidate: Sendable, Equatable {
    var outcome: String
    var count: Int
  }

  /// A rise that may become an incident.
  private struct Rise: Sendable, Equatable {
    var start: Double
    var outcome: String
    var evidence: Double
    var count = 0
    var others = 0
  }

  private struct Current: Sendable, Equatable {
    var incident: Incident
    var count: Int
    var others: Int
    var calm = 0
    var lastTime: Double
  }

  private var count = 0
  private var counts: [Candidate] = []
  private var usual: String?
  private var share = 0.0
  private var rise: Rise?
  private var current: Current?
  /// An incident whose outcomes already count as usual, but which continues until the old one returns.
  private var settled: Current?

  /// The ongoing incidents.
  var lasting: [Incident] { [settled?.incident, current?.incident].compactMap(\.self) }

  /// Records a sample.
  ///
  /// - Parameter onEnd: called with an incident that ends with this sample.
  mutating func record(_ outcome: String, at time: Double, onEnd: (Incident) -> Void) {
    waitForReturn(outcome, at: time, onEnd)
    // The outcome that was usual before the incident is not a new incident when it returns.
    if settled?.incident.usualOutcome == outcome { return }
    guard let usual else { return meet(outcome) }
    if current != nil { return follow(isOther: outcome != usual, at: time, onEnd) }
    watch(outcome, usual, at: time)
  }

  private mutating func meet(_ outcome: String) {
    count += 1
    if let place = counts.firstIndex(where: { $0.outcome == outcome }) {
      counts[place].count += 1
    } else if counts.count < Self.candidates {
      counts.append(Candidate(outcome: outcome, count: 1))
    }
    guard count >= Self.warmUp, let most = counts.max(by: { $0.count < $1.count }) else { return }
    (usual, share) = (most.outcome, 1 - Double(most.count) / Double(count))
    (counts, count) = ([], 0)
  }

  private mutating func watch(_ outcome: String, _ usual: String, at time: Double) {
    let isOther = outcome != usual
    let before = share
    share += ((isOther ? 1 : 0) - share) / Self.memory
    guard before < Self.mixed else {
      // If two values alternate, all usual ones end up here, so that only the others would count.
      rise = nil
      // The usual outcome is no longer usual; another one may be.
      if share > 0.9 { self.usual = nil }
      return
    }
    let known = max(before, 1 / Self.memory)
    let raised = min(0.95, max(2.5 * known, known + 0.3))
    let weight = isOther ? log(raised / known) : log((1 - raised) / (1 - known))
    guard rise != nil || isOther else { return }
    var rise = self.rise ?? Rise(start: time, outcome: outcome, evidence: 0)
    rise.evidence += weight
    rise.count += 1
    rise.others += isOther ? 1 : 0
    self.rise = rise.evidence > 0 ? rise : nil
    if rise.evidence > Self.threshold { begin(rise, before, usual, at: time) }
  }

  private mutating func begin(_ rise: Rise, _ before: Double, _ usual: String, at time: Double) {
    var incident = Incident(kind: .outcome, start: rise.start, peak: 1, usual: before)
    (incident.outcome, incident.usualOutcome) = (rise.outcome, usual)
    incident.peak = Double(rise.others) / Double(rise.count)
    current = Current(incident: incident, count: rise.count, others: rise.others, lastTime: time)
    // The share that the rise added does not belong to the usual one.
    (self.rise, share) = (nil, before)
  }

  private mutating func follow(isOther: Bool, at time: Double, _ onEnd: (Incident) -> Void) {
    guard var now = current else { return }
    now.count += 1
    if isOther {
      now.others += 1
      (now.calm, now.lastTime) = (0, time)
    } else {
      now.calm += 1
    }
    now.incident.peak = Double(now.others) / Double(max(1, now.count - now.calm))
    current = now
    if now.calm >= Self.calmCount {
      now.incident.end = .returned(now.lastTime)
      current = nil
      onEnd(now.incident)
    } else if now.count >= Self.adoption {
      (current, usual) = (nil, nil)
      giveUp(onEnd)
      settled = now
    }
  }

  /// Checks whether the usual outcome from before the settled incident returns or is gone for good.
  private mutating func waitForReturn(_ outcome: String, at time: Double, _ onEnd: (Incident) -> Void) {
    guard var waiting = settled else { return }
    if outcome == waiting.incident.usualOutcome {
      waiting.calm += 1
    } else {
      (waiting.calm, waiting.lastTime) = (0, time)
    }
    settled = waiting
    if waiting.calm >= Self.calmCount {
      settled = nil
      (usual, share, rise) = (waiting.incident.usualOutcome, waiting.incident.usual, nil)
      (counts, count) = ([], 0)
      waiting.incident.end = .returned(waiting.lastTime)
      onEnd(waiting.incident)
    } else if time - waiting.incident.start >= LevelDetector.patience {
      giveUp(onEnd)
    }
  }

  /// Ends the settled incident: its outcomes are the new normal.
  private mutating func giveUp(_ onEnd: (Incident) -> Void) {
    guard var waiting = settled else { return }
    settled = nil
    waiting.incident.end = .adopted(waiting.lastTime)
    onEnd(waiting.incident)
  }
}
