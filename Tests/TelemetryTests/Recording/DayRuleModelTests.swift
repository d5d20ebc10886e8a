import Foundation
import TestSupport
import Testing

@testable import TelemetryCore

/// Whatever clocks, zones, versions, disks and kills do: every figure is in one payload, and no day has two.
@Suite("The rule of the day, at random")
struct DayRuleModelTests {
  private static let zones = [
    "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati", "UTC",
  ]
  private static let sources: [PayloadSource] = [.app, .diskSpace, "other"]

  private struct Run {
    var bench = LedgerBench()
    var random: SeededGenerator
    var moment = Date(timeIntervalSince1970: 1_790_000_000)
    var recorded: [String: Int] = [:]

    /// One thing that happens.
    mutating func step() throws {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5: record()
      case 5, 6: move(by: Double.random(in: 0..<7_200, using: &random))
      case 7: move(by: Double.random(in: 0..<3 * 86_400, using: &random))
      case 8: move(by: Double.random(in: -3 * 86_400..<0, using: &random))
      case 9: bench.zone = zones.randomElement(using: &random).flatMap(TimeZone.init(identifier:)) ?? .gmt
      case 10: try bench.restart(version: "\(Int.random(in: 1..<4, using: &random)).0")
      default: leap()
      }
    }

    private mutating func record() {
      let source = sources.randomElement(using: &random) ?? .app
      guard bench.record(.duration(.hang, .milliseconds(300)), source: source) else { return }
      recorded[source.identifier, default: 0] += 1
    }

    private mutating func move(by seconds: Double) {
      moment += seconds
      // Now and then the disk takes nothing.
      if Int.random(in: 0..<5, using: &random) == 0 { bench.skip(to: moment) } else { bench.set(moment) }
    }

    /// A clock that is years off for a moment.
    private mutating func leap() {
      let right = moment
      moment += [-1e8, 1e8].randomElement(using: &random) ?? 0
      bench.set(moment)
      record()
      moment = right
      bench.set(moment)
    }
  }

  @Test("every figure comes once, and no day of a source twice", arguments: 0..<60 as Range<UInt64>)
  func anything(_ seed: UInt64) throws {
    var run = Run(random: SeededGenerator(seed: seed))
    for _ in 0..<300 { try run.step() }
    // In the end all clocks are right and all days are over.
    run.bench.set(Date(timeIntervalSince1970: 3_000_000_000))
    #expect(run.bench.ledger.open.isEmpty)
    var counted: [String: Int] = [:]
    for (source, payload) in run.bench.closed {
      let count = try #require(
        payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.count)
      counted[source, default: 0] += count
    }
    #expect(counted == run.recorded)
    let days = run.bench.closed.map { "\($0.source) \($0.payload.timeStampBegin?.calendarDay ?? "")" }
    #expect(Set(days).count == days.count)
  }
}
