/// Kinds of OpenTelemetry data points.
enum OTLPKind: String, CaseIterable, Sendable {
  case gauge, sum, histogram, summary, log, span

  /// The metric type shown to users.
  var typeName: String { "OTLP " + rawValue }
}
