/// A form of JSON lines by other programs that is recognized automatically.
package enum ForeignFormat: String, CaseIterable, Sendable {
  case pino, bunyan, zap, logrus, slog, zerolog, structlog
  case pythonJSON = "python-json-logger"
  /// Lines of any program with a time and a level or a message.
  case log = "JSON log"
  case otlp = "OTLP JSON"

  /// The type that its metrics have, as it is shown.
  package var typeName: String { self == .log || self == .otlp ? rawValue : rawValue + " log" }

  /// The format that a type of metrics belongs to.
  package init?(typeName: String) {
    if typeName.hasPrefix("OTLP ") {
      self = .otlp
      return
    }
    guard let format = Self.allCases.first(where: { $0.typeName == typeName }) else { return nil }
    self = format
  }

  /// The name of a metric whose lines name no logger.
  var metricName: String { self == .log ? "log" : rawValue }
}

extension MetricIdentity {
  /// True if it comes from lines that are not those of MisterMetrics, and whether they were recognized or mapped.
  package var isForeign: Bool { foreignFormat != nil || typeName == LineMapping.unnamed }

  /// The format that its lines were recognized as.
  package var foreignFormat: ForeignFormat? { ForeignFormat(typeName: typeName) }
}
