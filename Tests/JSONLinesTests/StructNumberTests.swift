import Codecs
import TestSupport
import Testing

@testable import JSONLines

/// Numbers in structs against the standard library.
@Suite struct StructNumberTests {
  @Test(arguments: [
    ("0", 0), ("-7", -7), ("123456789012345678", 123_456_789_012_345_678), ("3.0", 3), ("1e3", 1000),
    ("9223372036854775807", Int.max), ("9223372036854775808", Int.max), ("1e30", Int.max), ("-1e30", Int.min),
    ("1.5", nil), ("1e400", nil),
  ])
  func `a whole number is one however it is written`(_ digits: String, _ expected: Int?) {
    let isObject = Array("{\"n\":\(digits)}".utf8).withUnsafeBytes { bytes in
      JSONToken.forEachMember(of: bytes) { _, value in #expect(value.integer == expected) }
    }
    #expect(isObject)
  }

  @Test func `the numbers of a struct are those that the standard library reads`() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let usual = (Double.random(in: -1e6...1e6, using: &generator) * 1000).rounded() / 1000
      for value in [number, usual, number.rounded()] where value.isFinite {
        var found: Double?
        StructFields.forEach(in: Array("{\"n\":\(value)}".utf8)[...]) { _, read in
          if case .number(let read) = read { found = read }
        }
        #expect(found == value)
      }
    }
  }
}
