import Aggregation
import DashboardCore
import Essentials
import Platform

// The metric that changed most between two versions.
extension Session {
  /// The numeric metric that the last release changed most, preferring metrics that record their version.
  ///
  /// `nil` if no release is known, or if no metric has enough samples on both sides.
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

  /// Maximum number of series that are compared.
  private static let comparedLimit = 400

  /// True if a series has enough numbers to compare.
  func isComparable(_ identity: SeriesIdentity) -> Bool {
    guard isNumeric(identity) || identity.typeName == "PayloadHistogram" else { return false }
    // A series without recent samples may have any number of older ones.
    guard let id = store.id(of: identity) else { return true }
    let tally = store.tally(of: id)
    return tally.count == 0 || tally.count >= SideComparison.samplesNeeded
  }

  /// The absolute log ratio of the medians after a moment and in the hour before it.
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
