/// In which form samples are written out.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values (RFC 4180).
  case csv
  /// The lines as they were recorded.
  case jsonl
  /// OpenMetrics text 1.0.
  case openmetrics
  /// InfluxDB line protocol.
  case influx

  /// The extension of files of this form.
  package var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .jsonl: "jsonl"
    case .openmetrics: "txt"
    case .influx: "lp"
    }
  }
}
