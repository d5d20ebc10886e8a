/// The format of exported samples.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values (RFC 4180).
  case csv
  /// The lines as they were recorded.
  case jsonl
  /// OpenMetrics text 1.0.
  case openmetrics
  /// InfluxDB line protocol.
  case influx
  /// The MetricKit payloads as they were imported, one a line.
  case metrickit

  /// The file extension of the format.
  package var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .jsonl, .metrickit: "jsonl"
    case .openmetrics: "txt"
    case .influx: "lp"
    }
  }
}
