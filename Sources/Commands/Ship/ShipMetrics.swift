import MisterMetricsCore

/// The figures of a shipper about itself.
enum ShipMetrics {
  private static let bucket = Bucket("ship")
  /// Samples that the server has confirmed since the last record.
  static let delivered = bucket.intMetric("delivered")
  /// Bytes of the files that were not read, or not confirmed.
  static let lagBytes = bucket.intMetric("lag_bytes", unit: .bytes)
  /// The time for which the oldest sample has been waiting.
  static let lagSeconds = bucket.doubleMetric("lag", unit: .seconds)
}
