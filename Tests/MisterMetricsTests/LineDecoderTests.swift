import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@Suite("Reading a line")
struct LineDecoderTests {
  static let usual =
    #"{"metric":{"bucket":"app","name":"n","valueTypeString":"Double"},"timestamp":1.5,"value":"NDI4LjU="}"#

  static let lines = [
    usual,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":816918481.1333374,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":8.169e8,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":-0,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":01,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1.,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":"1","value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"NDI"}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"ND=I"}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":""}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"\/\/\/+"}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"//+="}"#,
    #"{"metric":{"name":"a\"b\u0041\/","valueTypeString":"Int"},"timestamp":1,"value":"NDI="}"#,
    #"{"metric":{"name":"é🚀","valueTypeString":"Int"},"timestamp":1,"value":"NDI="}"#,
    #"{ "value" : "NDI=", "timestamp" : 1, "metric" : { "valueTypeString" : "Int", "name" : "n" }, "more": [] }"#,
    #"{"metric":{"bucket":null,"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"NDI="}"#,
    #"{"metric":{"name":"n"},"timestamp":1,"value":"NDI="}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"NDI="}}"#,
    #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":1,"value":"NDI="} "#,
    usual + "\r", "", "{}", "[]", "null", "not JSON", "\u{0}\u{0}\u{0}",
  ]

  @Test("gives what Foundation's decoder gives", arguments: lines)
  func agreement(_ line: String) {
    expectFoundation(Array(line.utf8))
  }

  @Test("gives what Foundation's decoder gives, for 20,000 damaged lines")
  func damage() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      var bytes = Array(Self.usual.utf8)
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: index)
        }
      }
      expectFoundation(bytes)
    }
  }

  private func expectFoundation(_ bytes: [UInt8]) {
    let expected = try? JSONDecoder().decode(MetricEntry.self, from: Data(bytes))
    let found = bytes.withUnsafeBytes { LineDecoder().entry($0) }
    #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
  }
}
