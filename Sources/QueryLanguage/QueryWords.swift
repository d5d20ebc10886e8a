/// A figure of a metric that a query compares.
package enum QueryFigure: String, CaseIterable, Sendable {
  /// The newest value.
  case now
  case p50, p95, p99
  case max, min, mean
  /// Number of samples.
  case n
  /// Samples per second.
  case rate
  /// Seconds since the newest sample.
  case age

  /// The percentile as a number; `nil` for other figures.
  package var percent: Double? {
    switch self {
    case .p50: 50
    case .p95: 95
    case .p99: 99
    case .now, .max, .min, .mean, .n, .rate, .age: nil
    }
  }

  /// True if it is one of the metric's values, and so in its unit.
  package var isOfValues: Bool {
    switch self {
    case .now, .p50, .p95, .p99, .max, .min, .mean: true
    case .n, .rate, .age: false
    }
  }
}

/// A state of a metric.
package enum QueryState: String, CaseIterable, Sendable {
  /// Over a limit, or in an ongoing incident.
  case firing
  /// Without the samples that it usually has.
  case silent
  /// Different from before.
  case changed
}

/// A comparison operator.
package enum QueryOperator: String, CaseIterable, Sendable {
  case greater = ">"
  case greaterOrEqual = ">="
  case less = "<"
  case lessOrEqual = "<="
  case equal = "="
  case notEqual = "!="

  /// True if the operator compares order, which texts do not support here.
  package var isOrder: Bool { self != .equal && self != .notEqual }

  /// True if the comparison holds; always false for NaN.
  func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .equal: left == right
    case .notEqual: left < right || left > right
    }
  }
}

/// Keywords that join terms.
enum QueryKeyword: String, CaseIterable, Sendable {
  case and, or, not
}
