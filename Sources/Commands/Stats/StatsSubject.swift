import Codecs
import DashboardCore
import Platform
import QueryLanguage

/// A row of `stats` as a query sees it.
struct StatsSubject: QuerySubject {
  let row: StatsRow
  /// The time range of all samples read: rates are per second of it, and ages count back from its end.
  let span: ClosedRange<Timestamp>?

  /// The user's units, by `bucket.name`.
  let units: [String: ValueUnit]
  /// All rows by full name, if a query calculates with other rows.
  var rows: [String: StatsRow] = [:]

  var name: String { row.fullName }

  var unit: ValueUnit {
    units[name] ?? row.unit.flatMap { ValueUnit(payloadUnit: $0, of: row.name) } ?? ValueUnit(name: row.name)
  }

  func figure(_ figure: QueryFigure) -> Double? {
    switch figure {
    case .now: row.newest
    case .p50: row.percentile(50)
    case .p95: row.percentile(95)
    case .p99: row.percentile(99)
    case .max: row.maximum?.approximation
    case .min: row.minimum?.approximation
    case .mean: row.mean
    case .n: Double(row.count)
    case .rate: rate
    case .age: span.map { $0.upperBound - row.last }
    }
  }

  func figure(of reference: FigureReference) -> ReferencedFigure? {
    for (metric, figure) in reference.candidates {
      for name in [row.bucket.map { "\($0).\(metric)" }, metric].lazy.compactMap({ $0 }) {
        guard let found = rows[name] else { continue }
        let other = StatsSubject(row: found, span: span, units: units)
        return ReferencedFigure(name: name, figure: figure, unit: other.unit, value: other.figure(figure))
      }
    }
    return nil
  }

  /// Samples per second; `nil` if all samples have the same time.
  private var rate: Double? {
    let seconds = span.map { $0.upperBound - $0.lowerBound } ?? 0
    return seconds > 0 ? Double(row.count) / seconds : nil
  }

  /// Always false: queries for a state are rejected when they are parsed.
  func isInState(_ state: QueryState) -> Bool { false }

  /// The row contains only selected samples.
  func hasSamples(where comparison: FieldComparison) -> Bool { true }
}

extension StatsRow {
  /// `bucket.name`, or the name alone.
  var fullName: String { bucket.map { "\($0).\(name)" } ?? name }

  fileprivate func percentile(_ wanted: Double) -> Double? {
    Self.percentiles.firstIndex(of: wanted).flatMap { percentiles[$0] }
  }
}

extension ExactNumber {
  /// The nearest double.
  var approximation: Double {
    switch self {
    case .double(let value): value
    case .integer(let value): value.approximation
    }
  }
}
