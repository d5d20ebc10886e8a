extension Bucket {
  /// A metric of any type in this bucket.
  ///
  /// ```swift
  /// let breakdown: Metric<StartupBreakdown> = app.metric("startup_breakdown")
  /// ```
  ///
  /// - Parameter name: The metric's name.
  public func metric<T>(_ name: String) -> Metric<T> {
    Metric(name: name, in: self)
  }

  /// A metric of any type in this bucket, with a unit.
  ///
  /// ```swift
  /// let size: Metric<Int> = app.metric("cache_size", unit: .bytes)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The metric's name.
  ///   - unit: The unit of its values.
  public func metric<T>(_ name: String, unit: MetricUnit?) -> Metric<T> {
    Metric(name: name, in: self, unit: unit)
  }

  /// A metric of Booleans.
  ///
  /// - Parameter name: The metric's name.
  public func boolMetric(_ name: String) -> Metric<Bool> {
    metric(name)
  }

  /// A metric of strings.
  ///
  /// - Parameter name: The metric's name.
  public func stringMetric(_ name: String) -> Metric<String> {
    metric(name)
  }

  /// A metric of integers.
  ///
  /// - Parameter name: The metric's name.
  public func intMetric(_ name: String) -> Metric<Int> {
    metric(name)
  }

  /// A metric of integers with a unit.
  ///
  /// - Parameters:
  ///   - name: The metric's name.
  ///   - unit: The unit of its values.
  public func intMetric(_ name: String, unit: MetricUnit?) -> Metric<Int> {
    metric(name, unit: unit)
  }

  /// A metric of numbers.
  ///
  /// - Parameter name: The metric's name.
  public func doubleMetric(_ name: String) -> Metric<Double> {
    metric(name)
  }

  /// A metric of numbers with a unit.
  ///
  /// - Parameters:
  ///   - name: The metric's name.
  ///   - unit: The unit of its values.
  public func doubleMetric(_ name: String, unit: MetricUnit?) -> Metric<Double> {
    metric(name, unit: unit)
  }
}
