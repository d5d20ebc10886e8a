import Codecs
package import DeliverySimulation
package import SimulationKit
import Sync
package import SyncSimulation

/// A fault of an engine's simulation, as listed on the engine's screen.
package protocol EngineFault: DrivenFault {
  /// The fault in a few words.
  var words: String { get }
  /// A shorter form, for faults side by side.
  var shortWords: String { get }
  /// The meaning of a recorded scope, as the end of a sentence.
  static func scopeWords(_ scope: String) -> String
}

extension EngineFault {
  /// An amount clamped to the valid range.
  func bounded(_ amount: Double) -> Double { FaultAmount.bounded(amount, to: measure.range) }

  private static var keys: [Character] { Array("123456789abcdefghijklmnopqrstuvwxyz") }

  /// The key of a fault after `f`: 1 to 9, then letters.
  var key: String {
    guard let place = Array(Self.allCases).firstIndex(of: self), place < Self.keys.count else { return "" }
    return String(Self.keys[place])
  }

  /// The last fault key.
  static var lastKey: String { Array(Self.allCases).last?.key ?? "" }

  /// `300 ms`, or empty for a fault without an amount.
  func text(_ amount: Double) -> String {
    // A status needs no unit.
    measure.unit.isEmpty
      ? ""
      : NumberFormat.text(amount, decimals: amount == amount.rounded() ? 0 : 2)
        + (measure.unit == "status" ? "" : " \(measure.unit)")
  }
}

extension SimulatedFault: EngineFault {
  package var shortWords: String {
    switch self {
    case .rateLimitRetryAfter: "429 wait"
    case .disconnect: "reset after"
    default: words
    }
  }
  package static func scopeWords(_ scope: String) -> String {
    let scope = FaultScope(scope) ?? FaultScope()
    return scope == FaultScope() ? "all calls" : scope.description
  }
}

extension EndpointFault: EngineFault {
  package var shortWords: String {
    switch self {
    case .rateLimitRetryAfter: "429 wait"
    case .disconnect: "reset after"
    case .status: "status"
    case .retryDate: "503 until"
    default: words
    }
  }
  package static func scopeWords(_ scope: String) -> String {
    switch EndpointFaultScope(rawValue: scope) ?? .all {
    case .all: "all batches"
    case .memory: "batches from memory"
    case .disk: "batches from disk"
    }
  }
}
