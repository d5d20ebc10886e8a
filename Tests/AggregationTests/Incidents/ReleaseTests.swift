import Testing

@testable import Aggregation

@Suite("Releases")
struct ReleaseTests {
  /// The releases told of versions that come once a second, as `before → after at start`.
  private static func releases(_ versions: [String]) -> [String] {
    var (detector, told) = (SeriesDetector(), [String]())
    for (second, version) in versions.enumerated() {
      detector.record(.text(version), at: Double(second)) { incident in
        told.append("\(incident.usualOutcome) → \(incident.outcome) at \(Int(incident.start))")
      }
    }
    return told
  }

  private static func run(_ version: String, _ count: Int) -> [String] {
    [String](repeating: version, count: count)
  }

  @Test("each of many versions replaces the one before it, at its first sample")
  func sequence() {
    let versions = (0..<20).flatMap { Self.run("2.4.\($0)", 100) }
    #expect(Self.releases(versions) == (1..<20).map { "2.4.\($0 - 1) → 2.4.\($0) at \($0 * 100)" })
  }

  @Test("versions of several devices alternate without a release each time")
  func devices() {
    let mixed = (0..<1000).map { $0 * 7 % 11 < 5 ? "1.0.0" : "1.0.1" }
    #expect(Self.releases(mixed).isEmpty)
    #expect(
      Self.releases(mixed + (0..<1000).map { ["1.0.0", "1.1.0", "1.1.0", "1.1.0"][$0 % 4] })
        == ["1.0.1 → 1.1.0 at 1001"])
  }

  @Test("a version that returns after an absence is a release again, a single sample is none")
  func absence() {
    let versions = Self.run("1.0.0", 300) + Self.run("1.1.0", 300) + Self.run("1.0.0", 300)
    #expect(Self.releases(versions) == ["1.0.0 → 1.1.0 at 300", "1.1.0 → 1.0.0 at 600"])
    #expect(Self.releases(Self.run("1.0.0", 300) + ["9.9.9"] + Self.run("1.0.0", 300)).isEmpty)
  }
}
