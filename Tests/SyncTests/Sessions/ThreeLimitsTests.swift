import Foundation
import SyncSimulation
import Testing

/// What was done by hand and kept in `ThreeLimits.json5` goes as it went then.
@Suite("Session ThreeLimits")
struct ThreeLimitsTests {
  @Test func `The transitions are those that were written down`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("ThreeLimits.json5")
    let session = try Scenario(json5: Data(contentsOf: file))
    for difference in try session.differences() { Issue.record("\(difference)") }
  }
}
