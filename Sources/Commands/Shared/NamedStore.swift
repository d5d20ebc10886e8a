import JSONLines
import MisterMetricsCore

extension MetricFileStore {
  /// The store of a file named by the user.
  ///
  /// - Throws: `MetricError`, also for a packed file: readers would not find lines appended to it.
  static func named(
    _ path: String, options: MetricFileOptions = MetricFileOptions()
  ) throws(MetricError) -> MetricFileStore {
    guard !GzipFile.isPacked(path) else {
      throw MetricError(.fileUnavailable, "\(path) is packed (gzip); unpack it first")
    }
    return try MetricFileStore(path: path, options: options)
  }
}
