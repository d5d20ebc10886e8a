import Delivery
import TestSupport

/// Events of tests: each tells its number.
enum EventSamples {
  static func event(_ number: Int, padding: Int = 0) -> QueuedEvent {
    let fill = String(repeating: "x", count: padding)
    return QueuedEvent(
      messageID: "1700000000000-\(number)", timestamp: "2026-01-01T00:00:00.000Z",
      json: Array("{\"event\":\"e\(number)\",\"fill\":\"\(fill)\"}".utf8))
  }

  static func events(_ numbers: Range<Int>, padding: Int = 0) -> [QueuedEvent] {
    numbers.map { event($0, padding: padding) }
  }
}

extension QueuedEvent {
  /// The number of a sample.
  var number: Int { Int(messageID.split(separator: "-").last ?? "") ?? -1 }
}
