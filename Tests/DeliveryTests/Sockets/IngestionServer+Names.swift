import TestSupport

extension IngestionServer {
  /// The names of the events that an endpoint took, in their order.
  func names(_ name: String) throws -> [String] {
    try bodies(name).flatMap { try CoreRig.events(in: $0) }.map { $0["event"] as? String ?? "?" }
  }
}

/// The names of events with these numbers.
func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\($0)" } }
