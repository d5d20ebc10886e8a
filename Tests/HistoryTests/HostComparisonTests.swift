import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

/// The comparison of hosts as a value, without files.
@Suite struct HostComparisonTests {
  private let focus = SeriesIdentity(bucket: "net", name: "request_ms", typeName: "Double")
  private let all = HostsQuery(limit: 5000, cells: 0..<0)

  private func host(_ name: String, _ values: [Double], last: Double? = nil) -> HostComparison.Host {
    var cell = IndexCell()
    for value in values {
      cell.numbers += 1
      cell.minimum = min(cell.minimum, value)
      cell.maximum = max(cell.maximum, value)
      cell.sketch.record(value, limit: 48)
    }
    return HostComparison.Host(name: name, cell: cell, lastTime: last.map { Timestamp($0) })
  }

  /// Values spread like latencies around a middle.
  private func latencies(_ count: Int, around middle: Double, _ generator: inout SeededGenerator) -> [Double]
  {
    (0..<count).map { _ in
      let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      return middle * exp(0.3 * (sum - 6))
    }
  }

  private func compared(_ hosts: [HostComparison.Host], _ query: HostsQuery? = nil) -> HostsAnswer {
    HostComparison(of: hosts, by: focus).answer(query ?? all)
  }

  @Test func `the largest share that a host can have grows with the number of hosts`() throws {
    let values = (1...100).map(Double.init)
    for count in [2, 5, 40] {
      let slow = host("slow", values.map { $0 * 10 })
      let answer = compared([slow] + (1..<count).map { host("h\($0)", values) })
      let first = try #require(answer.rows.first)
      let most = min(1, 0.05 * Double(count))
      let mostShare = try #require(first.mostShare)
      #expect(first.name == "slow" && abs(mostShare - most) < 1e-9)
      let share = try #require(first.share)
      #expect(share <= most + 1e-9 && share > most * 0.75)
    }
  }

  @Test func `of 12 hosts the two slow ones come first, the slowest at the top`() {
    var generator = SeededGenerator(seed: 1)
    let middles = [40.0, 40, 40, 90, 40, 40, 40, 150, 40, 40, 40, 40]
    let answer = compared(
      middles.enumerated().map { host("h\($0)", latencies(500, around: $1, &generator)) })
    #expect(answer.total == 12 && answer.count == 6000 && answer.rows.count == 12)
    #expect(answer.rows.prefix(2).map(\.name) == ["h7", "h3"])
    #expect(answer.rows.dropFirst(2).allSatisfy { ($0.share ?? 1) < HostsAnswer.usualShare })
    #expect(answer.rows.first?.p50.map { abs($0 - 150) < 15 } == true)
  }

  @Test func `11 of 1 000 hosts with 3.3 times the latency are the first 11 rows`() {
    var generator = SeededGenerator(seed: 2)
    let slow = Set((0..<11).map { 17 + $0 * 89 })
    let answer = compared(
      (0..<1000).map { number in
        host("h\(number)", latencies(100, around: slow.contains(number) ? 132 : 40, &generator))
      })
    #expect(Set(answer.rows.prefix(11).map(\.name)) == Set(slow.map { "h\($0)" }))
    #expect(answer.rows.prefix(11).allSatisfy { ($0.share ?? 0) > 0.5 })
    #expect(answer.rows.dropFirst(11).allSatisfy { ($0.share ?? 1) < 0.2 })
  }

  @Test(
    "a host is odd even if all its values are equal, zero, negative, or the whole fleet's are",
    arguments: [(1.0, 1000.0), (0, 1), (-5, -1), (-1000, 0)])
  func equalValues(usual: Double, odd: Double) {
    let usuals = (0..<11).map { host("h\($0)", Array(repeating: usual, count: 50)) }
    let answer = compared(usuals + [host("odd", Array(repeating: odd, count: 50))])
    #expect(answer.rows.first?.name == "odd" && answer.rows.first?.share ?? 0 > 0.5)
    #expect(answer.rows.dropFirst().allSatisfy { $0.share == 0 })
    let alike = compared(usuals)
    #expect(alike.rows.allSatisfy { abs(($0.share ?? 0) - HostsAnswer.usualShare) < 1e-9 })
  }

  @Test func `exactly 5 % of the fleet lie above its bound`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let count = Int.random(in: 1...300, using: &generator)
      let values = latencies(count, around: 40, &generator).map { Bool.random(using: &generator) ? $0 : -$0 }
      let bins = host("h", values).cell.sketch.intervals
      let bound = try #require(FleetBound(bins))
      #expect(abs((bound.share(of: bins) ?? 0) - HostsAnswer.usualShare) < 1e-9)
    }
    #expect(FleetBound([]) == nil)
  }

  @Test func `silent hosts come last by their last time, unless all are silent`() {
    let hosts = [
      host("a", [1, 2], last: 100), host("b", [50, 60], last: 60), host("c", [], last: 99),
      host("d", [], last: 80), host("e", [3, 4], last: 98), host("f", []),
    ]
    func order(_ silentBefore: Double?) -> [String] {
      var query = all
      query.silentBefore = silentBefore.map { Timestamp($0) }
      return compared(hosts, query).rows.map(\.name)
    }
    #expect(order(nil) == ["b", "a", "e", "c", "d", "f"])
    #expect(order(90) == ["a", "e", "c", "d", "b", "f"])
    #expect(order(1000) == order(nil))
  }

  @Test func `bools count as 0 and 1, and the number of rows is limited`() {
    var cells = [IndexCell(), IndexCell()]
    (cells[0].trues, cells[0].falses) = (1, 99)
    (cells[1].trues, cells[1].falses) = (40, 60)
    let answer = compared(
      [HostComparison.Host(name: "a", cell: cells[0]), HostComparison.Host(name: "b", cell: cells[1])],
      HostsQuery(limit: 1, cells: 0..<0))
    #expect(answer.total == 2 && answer.rows.map(\.name) == ["b"] && answer.rows.first?.count == 100)
  }
}
