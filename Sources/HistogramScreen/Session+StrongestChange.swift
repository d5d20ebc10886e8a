import Aggregation
import DashboardCore
import Essentials
import Platform

// The metric that changed most between two versions.
extension Session {
  /// The metric of numbers that the last release changed most, of those that tell their version before others; `nil` where
  /// no release is known, or none has enough samples on both sides.
  var strongestChange: SeriesIdentity? {
    let present = present
    guard let release = annotations(from: .distantPast, to: present).last else { return nil }
    let all = store.allSeries.prefix(Self.comparedLimit).compactMap { id in
      store.identity(of: id).map { (id: id, identity: $0) }
    }
    let versioned = Set(
      all.lazy.map(\.identity).filter { $0.field.map(HistogramSource.namesVersion) ?? false }.map(
        \.metricName))
    let changes = all.compactMap {
      id, identity -> (isVersioned: Bool, size: Double, series: SeriesIdentity)? in
      guard !identity.isEngineRecord, isComparable(identity),
        let size = change(of: id, at: release.time, until: present)
      else { return nil }
      return (versioned.contains(identity.metricName), size, identity)
    }
    return changes.max { ($0.isVersioned ? 1 : 0, $0.size) < ($1.isVersioned ? 1 : 0, $1.size) }?.series
  }

  /// More series are not compared one by one.
  private static let comparedLimit = 400

  /// True if a series has numbers, and enough of them to compare.
  func isComparable(_ identity: SeriesIdentity) -> Bool {
    guard isNumeric(identity) || identity.typeName == "PayloadHistogram" else { return false }
    // A series that is not among the newest samples may have any number of them.
    guard let id = store.id(of: identity) else { return true }
    let tally = store.tally(of: id)
    return tally.count == 0 || tally.count >= SideComparison.samplesNeeded
  }

  /// By how many orders of magnitude the median differs from what it was in the hour before a moment.
  private func change(of id: SeriesID, at moment: Timestamp, until end: Timestamp) -> Double? {
    let sides = [(moment - Self.reach, moment), (moment, end)].map { from, to in
      store.summary(of: id, from: from, to: to, percentiles: [50], exactLimit: 0)
    }
    guard sides.allSatisfy({ $0.moments.count >= SideComparison.samplesNeeded }),
      let before = sides[0].quantiles.first?.value, let after = sides[1].quantiles.first?.value,
      before > 0, after > 0
    else { return nil }
    return abs(log(after) - log(before))
  }
}
