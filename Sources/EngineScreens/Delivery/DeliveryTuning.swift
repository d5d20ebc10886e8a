import DeliverySimulation

/// The tunable constants of a delivery client.
enum DeliveryTuning {
  static let all = [
    tuning("breaker.threshold", [1, 5, 10], upTo: 100, \.breakerFailures),
    tuning("breaker.base", unit: "s", [1, 30, 60], upTo: 3_600, \.breakerSeconds),
    tuning("flush", unit: "s", [1, 30, 60], upTo: 3_600, \.flushIntervalSeconds),
    tuning("batch", [10, 50], upTo: 1_000, \.batchSize),
    tuning("memory", [100, 500], upTo: 100_000, \.maxQueueEvents),
    tuning("disk", [100, 1_000], upTo: 100_000, \.maxDiskEvents),
    tuning("disk.flush", [20, 100], upTo: 100_000, \.diskFlushEvents),
  ]

  private static func tuning(
    _ name: String, unit: String = "", _ alternatives: [Double], upTo most: Double,
    _ path: any WritableKeyPath<DeliveryConstants, Int> & Sendable
  ) -> EngineTuning<DeliveryConstants> {
    EngineTuning(
      name: name, unit: unit, alternatives: alternatives, range: 1...most,
      value: { Double($0[keyPath: path]) }, change: { $0[keyPath: path] = Int($1) })
  }

  static func facts(_ constants: DeliveryConstants) -> [EngineFact] { all.map { $0.fact(in: constants) } }
}
