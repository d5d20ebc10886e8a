import DeliverySimulation

/// A constant of a client that another branch may have differently.
enum DeliveryTuning: CaseIterable {
  case breakerFailures, breakerSeconds, flushSeconds, batchSize, memory, disk, diskFlush

  /// The constant's name where branches are told apart.
  var name: String {
    switch self {
    case .breakerFailures: "breaker.threshold"
    case .breakerSeconds: "breaker.base"
    case .flushSeconds: "flush"
    case .batchSize: "batch"
    case .memory: "memory"
    case .disk: "disk"
    case .diskFlush: "disk.flush"
    }
  }

  private var path: WritableKeyPath<DeliveryConstants, Int> {
    switch self {
    case .breakerFailures: \.breakerFailures
    case .breakerSeconds: \.breakerSeconds
    case .flushSeconds: \.flushIntervalSeconds
    case .batchSize: \.batchSize
    case .memory: \.maxQueueEvents
    case .disk: \.maxDiskEvents
    case .diskFlush: \.diskFlushEvents
    }
  }

  /// Values that are offered.
  var alternatives: [Int] {
    switch self {
    case .breakerFailures: [1, 5, 10]
    case .breakerSeconds: [1, 30, 60]
    case .flushSeconds: [1, 30, 60]
    case .batchSize: [10, 50]
    case .memory: [100, 500]
    case .disk: [100, 1_000]
    case .diskFlush: [20, 100]
    }
  }

  /// The values that make sense.
  var range: ClosedRange<Int> {
    switch self {
    case .breakerFailures: 1...100
    case .breakerSeconds, .flushSeconds: 1...3_600
    case .batchSize: 1...1_000
    case .memory, .disk, .diskFlush: 1...100_000
    }
  }

  func value(in constants: DeliveryConstants) -> Int { constants[keyPath: path] }

  /// The constants with another value of this one.
  func setting(_ value: Int, in constants: DeliveryConstants) -> DeliveryConstants {
    var new = constants
    new[keyPath: path] = value
    return new
  }

  /// A value with its unit.
  func text(_ value: Int) -> String {
    switch self {
    case .breakerSeconds, .flushSeconds: "\(value) s"
    case .breakerFailures, .batchSize, .memory, .disk, .diskFlush: "\(value)"
    }
  }

  /// `breaker.base 10 s -> 30 s`, for each that is not the same.
  static func difference(_ old: DeliveryConstants, _ new: DeliveryConstants) -> String {
    allCases.filter { $0.value(in: old) != $0.value(in: new) }
      .map { "\($0.name) \($0.text($0.value(in: old))) -> \($0.text($0.value(in: new)))" }
      .joined(separator: ", ")
  }
}
