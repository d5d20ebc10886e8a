import TelemetryCore
import TestSupport
import Testing

@testable import Symbolication

@Suite("Kept symbols")
struct KnownPlacesTests {
  private let module: ModuleIdentifier
  private var known = KnownPlaces(hasLines: true)

  init() throws {
    module = try #require(ModuleIdentifier(ObjectFixture.digits))
    let (inner, outer) = (
      KnownPlaces.Symbol(function: "twice \"x\"\n", file: "/a/é.c", line: 4),
      KnownPlaces.Symbol(function: "outer", file: "", line: nil)
    )
    known.places = [0: [], 16: [inner, outer], .max: [outer]]
  }

  @Test("are read as they were written")
  func roundTrip() throws {
    let bytes = known.bytes(of: module)
    #expect(KnownPlaces(bytes, of: module) == known)
    #expect(
      KnownPlaces(KnownPlaces(hasLines: false).bytes(of: module), of: module) == KnownPlaces(hasLines: false))
  }

  @Test("of another build are not used, nor are damaged ones")
  func damaged() throws {
    let bytes = known.bytes(of: module)
    let other = try #require(ModuleIdentifier("ffffffffffffffffffffffffffffffff"))
    #expect(KnownPlaces(bytes, of: other) == nil)
    for end in bytes.indices { #expect(KnownPlaces(Array(bytes[..<end]), of: module) == nil) }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3_000 {
      var bytes = bytes
      for _ in 0...2 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0x20...0x7E, using: &random)
      }
      _ = KnownPlaces(bytes, of: module)
    }
  }
}
