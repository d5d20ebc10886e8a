/// A JSON lines format of other programs that is recognized automatically.
package enum ForeignFormat: String, CaseIterable, Sendable {
  case pino, bunyan, zap, logrus, slog, zerolog, structlog
  case pythonJSON = "python-json-logger"
  /// Lines of any program that have a time and a level, a message or a number.
  case log = "JSON log"
  case otlp = "OTLP JSON"
  case mongodb = "MongoDB"
  case loguru, log4j2
  case unifiedLog = "Apple unified"
  case journald
  case emf = "EMF"
  case k6
  case goTest = "go test"
  case hyperfine
  case pytestBenchmark = "pytest-benchmark"
  case locust = "Locust"
  case jmeter = "JMeter"
  case logfmt
  case accessLog = "access"

  /// The metric type shown to users.
  package var typeName: String {
    switch self {
    case .log, .otlp, .emf, .k6, .goTest, .hyperfine, .pytestBenchmark, .locust, .jmeter: rawValue
    case .pino, .bunyan, .zap, .logrus, .slog, .zerolog, .structlog, .pythonJSON, .mongodb, .loguru, .log4j2,
      .unifiedLog, .journald, .logfmt, .accessLog:
      rawValue + " log"
    }
  }

  /// The format that a metric type belongs to.
  package init?(typeName: String) {
    if typeName.hasPrefix("OTLP ") {
      self = .otlp
      return
    }
    guard let format = Self.allCases.first(where: { $0.typeName == typeName }) else { return nil }
    self = format
  }

  /// The metric name for lines that name no logger.
  var metricName: String { self == .log ? "log" : rawValue }
}

extension MetricIdentity {
  /// True if it comes from lines of other programs, recognized or mapped.
  package var isForeign: Bool { foreignFormat != nil || typeName == LineMapping.unnamed }

  /// The format by which its lines were recognized.
  package var foreignFormat: ForeignFormat? { ForeignFormat(typeName: typeName) }
}
