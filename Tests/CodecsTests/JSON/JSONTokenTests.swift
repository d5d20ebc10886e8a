import Foundation
import Testing

@testable import Codecs

/// Members of structs against what Foundation reads.
@Suite struct JSONTokenTests {
  private func members(_ json: some Sequence<UInt8>) -> [(name: String, value: String)]? {
    var found: [(String, String)] = []
    let isObject = Array(json).withUnsafeBytes { bytes in
      JSONToken.forEachMember(of: bytes) { name, value in
        let words: String =
          switch value {
          case .null: "null"
          case .bool(let claim): "\(claim)"
          case .number(let digits): String(decoding: digits, as: UTF8.self)
          case .text(let text): text.string
          case .object(let json), .array(let json): String(decoding: json, as: UTF8.self)
          }
        found.append((name.string, words))
      }
    }
    return isObject ? found : nil
  }

  @Test func `every kind of member comes in the order of writing`() throws {
    let json = #" {"a": 1.5e3 ,"b":null,"\u0063":[1,{"x":[]}],"d":{"e":"f"},"a":true,"":"ü\n"} "#
    let found = try #require(members(json.utf8))
    #expect(found.map(\.name) == ["a", "b", "c", "d", "a", ""])
    #expect(found.map(\.value) == ["1.5e3", "null", #"[1,{"x":[]}]"#, #"{"e":"f"}"#, "true", "ü\n"])
  }

  @Test(arguments: [
    "", "[]", "7", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1}x"#, #"{"a":[1}"#, #"{"a":tru}"#,
    #"{"a":"\q"}"#,
  ])
  func `what is no object is told`(_ json: String) {
    #expect(members(json.utf8) == nil)
  }

  @Test func `an array that nests without end is refused`() {
    let deep = #"{"a":"# + String(repeating: "[", count: 100_000)
    #expect(members(deep.utf8) == nil)
  }

  @Test func `whatever stands where in a text, it is read as Foundation reads it`() throws {
    let signs = ["\"", "\\\"", "\\n", "\\u00e9", "é", "\u{1}", "\u{7F}", "😀", " ", "\u{80}", "\\"]
    for length in 0..<26 {
      for place in 0...length {
        for sign in signs {
          let text =
            String(repeating: "a", count: place) + sign + String(repeating: "b", count: length - place)
          let json = Data("{\"k\":\"\(text)\",\"n\":3}".utf8)
          let expected = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any]
          let found = members(json)
          #expect((found == nil) == (expected == nil), "\(length) \(place) \(sign)")
          #expect(found?.first?.value == expected?["k"] as? String)
        }
      }
    }
  }
}
