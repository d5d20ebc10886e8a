import Foundation
import HTTPClient
import JSONLines
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("Packing bodies")
struct BodyCompressionTests {
  @Test("What is packed comes out again, whatever it holds and however long it is")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 17)
    let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let batch = Array(
      #"{"batch":[\#(Array(repeating: #"{"type":"track"}"#, count: 5000).joined(separator: ","))]}"#.utf8)
    let zeros = [UInt8](repeating: 0, count: 5 << 20)
    for body in [[], [0], batch, zeros, noise] + [65_535, 65_536, 65_537].map({ Array(noise.prefix($0)) }) {
      let packed = try BodyCompression.gzip(Data(body))
      let (bytes, file) = try Gunzip().unpack(Array(packed))
      #expect(bytes == body)
      #expect(file.damage == nil)
    }
    #expect(try BodyCompression.gzip(Data(batch)).count < batch.count / 50)
  }

  @Test("Equal bodies give equal bytes, also as a slice of other data")
  func deterministic() throws {
    let body = Data(#"{"batch":[]}"#.utf8)
    let slice = (Data("before".utf8) + body).dropFirst(6)
    #expect(try BodyCompression.gzip(slice) == BodyCompression.gzip(body))
    // No name, no time.
    #expect(try BodyCompression.gzip(body).prefix(8) == Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
  }
}
