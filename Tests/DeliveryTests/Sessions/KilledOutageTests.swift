import Delivery
import Foundation
import Testing

/// What was done by hand and kept in `KilledOutage.json5` goes as it went then.
@Suite("Session KilledOutage")
struct KilledOutageTests {
  @Test func `The decisions are those that were written down`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("KilledOutage.json5")
    let session = try DeliveryScenario(json5: Data(contentsOf: file))
    for difference in try session.differences() { Issue.record("\(difference)") }
  }
}
