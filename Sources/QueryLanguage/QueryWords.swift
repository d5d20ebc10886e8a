/// A figure of a metric that a query compares.
package enum QueryFigure: String, CaseIterable, Sendable {
  /// The newest value.
  case now
  case p50, p95, p99
  case max, min, mean
  /// How many samples there are.
  case n
  /// Samples per second.
  case rate
  /// Seconds since the newest sample.
  case age

  /// The percentile that it is; `nil` for what is none.
  package var percent: Double? {
    switch self {
    case .p50: 50
    case .p95: 95
    case .p99: 99
    case .now, .max, .min, .mean, .n, .rate, .age: nil
    }
  }

  /// True if it is in the unit of the metric, among whose values it lies.
  package var isOfValues: Bool {
    switch self {
    case .now, .p50, .p95, .p99, .max, .min, .mean: true
    case .n, .rate, .age: false
    }
  }
}

/// A condition that a metric is in.
package enum QueryState: String, CaseIterable, Sendable {
  /// Over a limit, or in an incident that lasts.
  case firing
  /// Without the samples that it usually has.
  case silent
  /// Different from before.
  case changed
}

/// How two values are compared.
package enum QueryOperator: String, CaseIterable, Sendable {
  case greater = ">"
  case greaterOrEqual = ">="
  case less = "<"
  case lessOrEqual = "<="
  case equal = "="
  case notEqual = "!="

  /// True if the comparison asks for an order, which texts do not have here.
  package var isOrder: Bool { self != .equal && self != .notEqual }

  /// True if the comparison holds; never for what is no number.
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

/// The words that join terms.
enum QueryKeyword: String, CaseIterable, Sendable {
  case and, or, not
}
