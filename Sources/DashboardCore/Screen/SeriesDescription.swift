package import Aggregation
package import Codecs

/// A description of a metric's behavior over a time range, for people who cannot see the chart.
///
/// Contains no signs or drawings, so that a screen reader can speak it.
package struct SeriesDescription {
  package let identity: SeriesIdentity
  /// The unit of its numbers.
  package let unit: ValueUnit
  /// The statistics of the time range.
  package let summary: SeriesSummary
  package let median: Double?
  package let p95: Double?
  /// The time range divided into equal parts.
  package let parts: [SeriesColumn?]

  /// Level changes by a smaller share count as none.
  private static let leastChange = 0.2

  /// The figures, for instance `sync.push_ms: last 183ms, median 141ms, 95th percentile 418ms of 240 samples`.
  package var figures: String {
    let name = identity.fullName
    guard summary.count > 0 else { return "\(name) has no samples here" }
    let of = "of \(NumberFormat.grouped(summary.count)) \(summary.count == 1 ? "sample" : "samples")"
    if summary.moments.count > 0 {
      let last = summary.last.map { "last \(unit.text($0)), " } ?? ""
      guard let median, let p95 else { return "\(name): \(last)\(of)" }
      return "\(name): \(last)median \(unit.text(median)), 95th percentile \(unit.text(p95)) \(of)"
    }
    if let share = summary.shareOfTrue {
      return "\(name): true in \(NumberFormat.text(100 * share, decimals: 0)) percent \(of)"
    }
    let texts = summary.texts.prefix(3).map {
      "\($0.text) \(NumberFormat.text(100 * $0.share, decimals: 0)) percent"
    }
    return texts.isEmpty ? "\(name): \(of)" : "\(name): \(texts.joined(separator: ", ")) \(of)"
  }

  /// The trend, for instance `It rose from about 120ms to about 418ms; the lowest was 90ms, the highest 472ms`; `nil`
  /// without numbers.
  package var course: String? {
    guard summary.moments.count > 0 else { return nil }
    let extremes =
      "the lowest was \(unit.text(summary.moments.minimum)), the highest \(unit.text(summary.moments.maximum))"
    let means = parts.compactMap { $0?.mean }
    guard means.count >= 3 else { return "The values: \(extremes)" }
    let third = max(1, means.count / 3)
    let (first, last) = (Self.mean(means.prefix(third)), Self.mean(means.suffix(third)))
    let scale = max(first.magnitude, last.magnitude)
    guard scale > 0, (last - first).magnitude >= Self.leastChange * scale else {
      return "It stayed at about \(unit.text(Self.mean(means[...]))); \(extremes)"
    }
    let verb = last > first ? "rose" : "fell"
    return "It \(verb) from about \(unit.text(first)) to about \(unit.text(last)); \(extremes)"
  }

  private static func mean(_ values: ArraySlice<Double>) -> Double {
    values.isEmpty ? 0 : values.reduce(0) { $0 + $1 / Double(values.count) }
  }

  package init(
    identity: SeriesIdentity, unit: ValueUnit, summary: SeriesSummary, median: Double?, p95: Double?,
    parts: [SeriesColumn?]
  ) {
    self.identity = identity
    self.unit = unit
    self.summary = summary
    self.median = median
    self.p95 = p95
    self.parts = parts
  }
}
