import Foundation
import Sync
import Testing

@Suite("Values of entities")
struct SyncValueTests {
  @Test(
    "any JSON survives a round trip, whole numbers beyond 2^53 included",
    arguments: [
      "9007199254740993", "-1.5", "null", "true", "\"é\"", "[1,[],{}]", #"{"a":null,"b":[1.25,"x"]}"#,
    ])
  func roundTrip(json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let value = try JSONDecoder().decode(SyncValue.self, from: Data(json.utf8))
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
  }
}
