package import Codecs

/// A metric, or one field of a struct metric, that a query may choose.
///
/// Expensive values are requested last, and only if a query needs them.
package protocol QuerySubject {
  /// The full name: `bucket.name` or `bucket.name.field`.
  var name: String { get }
  /// The unit of ``figure(_:)``, except for `n`, `rate` (per second) and `age` (seconds).
  var unit: ValueUnit { get }
  /// A figure; `nil` if the metric does not have it, so that no comparison holds.
  func figure(_ figure: QueryFigure) -> Double?
  /// A figure of a metric in the same bucket, or with that full name; `nil` if there is no such metric.
  func figure(of reference: FigureReference) -> ReferencedFigure?
  /// True if the metric is in a state.
  func isInState(_ state: QueryState) -> Bool
  /// True if a comparison holds for any sample of the metric.
  func hasSamples(where comparison: FieldComparison) -> Bool
}

extension QuerySubject {
  package func figure(of reference: FigureReference) -> ReferencedFigure? { nil }
}

/// A sample that a query may choose.
package protocol QuerySample {
  /// The full name of its metric: `bucket.name`.
  var name: String { get }
  /// The value of a field by its name, `outer.inner` for inner structs; `nil` if there is none.
  func field(_ name: String) -> QueryValue?
}

/// The value of a field of a struct.
package enum QueryValue: Sendable, Equatable {
  case number(Double)
  case bool(Bool)
  case text(String)
  case null
}
