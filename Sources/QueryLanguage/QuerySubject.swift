package import Codecs

/// A metric, or one field of a metric of structs, that a query may choose.
///
/// Costly values are asked for last, and only where a query needs them.
package protocol QuerySubject {
  /// The whole name: `bucket.name` or `bucket.name.field`.
  var name: String { get }
  /// The unit of ``figure(_:)``, except for `n`, `rate` (per second) and `age` (seconds).
  var unit: ValueUnit { get }
  /// A figure; `nil` where the metric has none, which no comparison holds for.
  func figure(_ figure: QueryFigure) -> Double?
  /// A figure of a metric of the same bucket, or of that whole name; `nil` where there is no such metric.
  func figure(of reference: FigureReference) -> ReferencedFigure?
  /// True if the metric is in a state.
  func isInState(_ state: QueryState) -> Bool
  /// True if the metric has a sample that a comparison holds for.
  func hasSamples(where comparison: FieldComparison) -> Bool
}

extension QuerySubject {
  package func figure(of reference: FigureReference) -> ReferencedFigure? { nil }
}

/// A sample that a query may choose.
package protocol QuerySample {
  /// The whole name of its metric: `bucket.name`.
  var name: String { get }
  /// The value of a field by its name, `outer.inner` for inner structs; `nil` where there is none.
  func field(_ name: String) -> QueryValue?
}

/// The value of a field of a struct.
package enum QueryValue: Sendable, Equatable {
  case number(Double)
  case bool(Bool)
  case text(String)
  case null
}
