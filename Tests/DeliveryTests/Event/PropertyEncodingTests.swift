import DeliveryCore
import Foundation
import Testing

@Suite("Values of any Encodable type as properties")
struct PropertyEncodingTests {
  private struct Song: Encodable {
    var title = "Long Tall Sally"
    var seconds = 128
    var rating = 3.0
    var gain: Float = 0.1
    var isLive = true
    var album: String?
    var tags = ["rock", "1956"]
    var writers = [Writer(name: "Blackwell"), Writer(name: "Johnson")]
    var released = Date(timeIntervalSince1970: 0)
    var page = URL(string: "https://example.com/a")
    var price = Decimal(string: "1.25")
    var plays = UInt64.max
    var nothing: [Int: Double] = [:]
  }

  private struct Writer: Encodable { var name: String }

  @Test("Members become values of their own type")
  func members() throws {
    let values = try [String: PropertyValue](encoding: Song())
    #expect(values["title"] == "Long Tall Sally" && values["seconds"] == .integer(128))
    #expect(
      values["rating"] == .double(3) && values["gain"] == .double(0.1) && values["isLive"] == .bool(true))
    #expect(values["album"] == nil && values["tags"] == ["rock", "1956"])
    #expect(values["writers"] == [["name": "Blackwell"], ["name": "Johnson"]])
    #expect(values["released"] == "1970-01-01T00:00:00.000Z" && values["page"] == "https://example.com/a")
    #expect(values["price"] == .double(1.25) && values["plays"] == .double(Double(UInt64.max)))
    #expect(values["nothing"] == [:])
  }

  @Test("Dictionaries, optionals and enums are what they encode")
  func others() throws {
    enum Plan: String, Encodable { case family }
    #expect(try [String: PropertyValue](encoding: ["plan": Plan.family]) == ["plan": "family"])
    #expect(try PropertyValue(encoding: [1, nil, 3]) == [1, nil, 3])
    #expect(try PropertyValue(encoding: Int?.none) == .null)
    #expect(try PropertyValue(encoding: ["a": ["b": [true]]]) == ["a": ["b": [true]]])
  }

  private final class Chain: Encodable {
    var next: Chain?
    init(_ depth: Int) { next = depth > 1 ? Chain(depth - 1) : nil }
  }

  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test("What no event can hold is refused")
  func limits() throws {
    #expect(throws: EncodingError.self) { try PropertyValue(encoding: ["a": Double.nan]) }
    #expect(throws: EncodingError.self) { try PropertyValue(encoding: Chain(100)) }
    #expect(throws: EncodingError.self) { try PropertyValue(encoding: Endless()) }
    #expect(throws: EncodingError.self) {
      try PropertyValue(encoding: String(repeating: "a", count: 5 << 20))
    }
    #expect(throws: EncodingError.self) { try [String: PropertyValue](encoding: [1, 2]) }
    #expect(try PropertyValue(encoding: Chain(60)) != .null)
  }
}
