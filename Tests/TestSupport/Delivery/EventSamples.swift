package import DeliveryCore

/// Test events that can be recognized by their numbers.
package enum EventSamples {
  package static func event(_ number: Int, padding: Int = 0) -> QueuedEvent {
    QueuedEvent(
      messageID: "1700000000000-\(number)", timestamp: "2026-01-01T00:00:00.000Z",
      json: Array(
        "{\"event\":\"\(mark(of: number))\",\"fill\":\"\(String(repeating: "x", count: padding))\"}".utf8))
  }

  package static func events(_ numbers: Range<Int>, padding: Int = 0) -> [QueuedEvent] {
    numbers.map { event($0, padding: padding) }
  }

  /// Text that locates an event's record in the bytes of a file.
  static func mark(of number: Int) -> String { "e\(number)e" }
}

extension QueuedEvent {
  /// The number of a sample.
  package var number: Int { Int(messageID.split(separator: "-", maxSplits: 1).last ?? "") ?? .min }
}
