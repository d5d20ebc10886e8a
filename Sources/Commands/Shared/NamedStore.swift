import JSONLines
import MisterMetricsCore

extension MetricFileStore {
  /// The store of the file that a person has named.
  ///
  /// - Throws: `MetricError` for a packed file too: no reader would find what stands behind its end.
  static func named(
    _ path: String, options: MetricFileOptions = MetricFileOptions()
  ) throws(MetricError) -> MetricFileStore {
    guard !GzipFile.isPacked(path) else {
      throw MetricError(.fileUnavailable, "\(path) is packed (gzip); unpack it first")
    }
    return try MetricFileStore(path: path, options: options)
  }
}
