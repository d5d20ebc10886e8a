/// Kinds of OpenTelemetry data points.
enum OTLPKind: String, CaseIterable, Sendable {
  case gauge, sum, histogram, summary, log, span

  /// The type of its metrics, as it is shown.
  var typeName: String { "OTLP " + rawValue }
}
