import Essentials

/// A change that recurs at the same distance, such as a job every five minutes: as usual, not an incident.
struct Recurrence: Sendable, Equatable {
  /// Occurrences that define a period, and how far a distance may be off, as a share of it.
  private static let count = 3
  private static let tolerance = 0.1
  /// Periods after which a change is expected again: one occurrence may have been missed.
  private static let reach = 2.0
  /// Multiple of the largest known magnitude and duration up to which a change is as usual.
  private static let growth = 2.0
  /// Seconds by which a duration may always be longer: detection dates the end by windows.
  private static let slack = 30.0

  /// Seconds between two occurrences.
  let period: Double
  private let last: Double
  private let magnitude: Double
  private let length: Double

  /// The recurrence of some incidents; `nil` if they have no period.
  ///
  /// - Parameter incidents: of one kind in one series, in order of start. Of those that begin within a tenth of a period
  ///   of each other only one counts.
  init?(_ incidents: ArraySlice<Incident>, until now: Double) {
    var rounds: [Incident] = []
    for incident in incidents.reversed() where rounds.count < Self.count {
      let distance = (rounds.last?.start ?? .infinity) - incident.start
      if rounds.count > 1, distance < Self.tolerance * (rounds[0].start - rounds[1].start) { continue }
      rounds.append(incident)
    }
    let distances = zip(rounds, rounds.dropFirst()).map { $0.start - $1.start }
    guard rounds.count == Self.count, let least = distances.min(), let most = distances.max(), least > 0,
      most * (1 - Self.tolerance) <= least * (1 + Self.tolerance)
    else { return nil }
    period = (rounds[0].start - rounds[Self.count - 1].start) / Double(Self.count - 1)
    last = rounds[0].start
    magnitude = rounds.map(\.magnitude).max() ?? 0
    length = rounds.map { $0.length(until: now) }.max() ?? 0
  }

  /// True if an incident is as usual: in time, and not much larger or longer than the known ones.
  func expects(_ incident: Incident, until now: Double) -> Bool {
    let periods = ((incident.start - last) / period).rounded()
    guard (1...Self.reach).contains(periods) else { return false }
    return abs(incident.start - last - periods * period) <= Self.tolerance * period * periods
      && incident.magnitude <= Self.growth * magnitude
      && incident.length(until: now) <= Self.growth * length + Self.slack
  }

  /// Sets the period of the incidents that are as usual.
  ///
  /// - Parameters:
  ///   - entries: in order of start.
  ///   - now: the newest time of all series.
  static func mark(_ entries: inout [IncidentLog.Entry], until now: Double) {
    var known: [Side: [Incident]] = [:]
    for place in entries.indices where !entries[place].incident.isRelease {
      let side = Side(entries[place])
      let before = known[side, default: []].suffix(2 * count)
      if let found = Recurrence(before, until: now), found.expects(entries[place].incident, until: now) {
        entries[place].incident.period = found.period
      }
      known[side, default: []].append(entries[place].incident)
    }
  }

  /// The changes that recur together: rises or falls of numbers, whatever their shape, or one kind of other changes.
  private struct Side: Hashable {
    let series: SeriesIdentity
    let kind: Incident.Kind
    let isRise: Bool
    let outcome: String

    init(_ entry: IncidentLog.Entry) {
      (series, isRise, outcome) = (entry.series, entry.incident.isRise, entry.incident.outcome)
      kind = entry.incident.kind.isOfValues ? .above : entry.incident.kind
    }
  }
}

extension Incident {
  fileprivate func length(until now: Double) -> Double { max(0, (end.time ?? now) - start) }
}
