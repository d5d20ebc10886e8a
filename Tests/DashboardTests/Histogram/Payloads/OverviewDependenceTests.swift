import Aggregation
import Foundation
import History
import Platform
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

/// Pages of payloads on which nothing is different, and what the overview says of them.
@Suite("The overview of payloads that depend on each other")
struct OverviewDependenceTests {
  /// How many pages of each kind are tried; more where somebody waits for it.
  private static let pages = ProcessInfo.processInfo.environment["VERDICT_PAIRS"].flatMap(Int.init) ?? 20

  private static let figures = 21

  /// Payloads of two versions with 21 figures, the first of which is a histogram of launches.
  ///
  /// - Parameters:
  ///   - devices: of each version, every one with its own speed; `nil` for days that have nothing in common.
  ///   - change: by what the figures of version 2.1 are larger.
  private static func archive(
    days: Int, devices: Int?, change: Double = 1, _ random: inout SplitMix64
  ) -> PayloadArchive {
    var archive = PayloadArchive()
    archive.figures = [.init(name: PayloadFixture.launches, unit: "ms")]
    archive.figures += (1..<figures).map { .init(name: "future.figure\($0)", unit: "things") }
    for version in ["2.0", "2.1"] {
      let speeds = (0..<(devices ?? 1)).map { _ in (0..<figures).map { _ in 0.3 * random.normal() } }
      for day in 0..<days {
        let device = day % (devices ?? 1)
        var payload = PayloadArchive.Payload()
        payload.version = version
        payload.source = "\(version)-\(day).json#\(day)"
        payload.time = Timestamp(800_000_000 + Double(day) * 86_400)
        payload.facts = ["kind": "metric"]
        if devices != nil { payload.facts["deviceID"] = "\(version)-\(device)" }
        let factor = version == "2.1" ? change : 1
        payload.values = (0..<figures).map { figure in
          let speed = devices == nil ? 0 : speeds[device][figure]
          let value = { (random: inout SplitMix64) in
            500 * factor * exp(speed + 0.25 * random.normal())
          }
          guard figure == 0 else { return (figure, .number(value(&random))) }
          let launches = TimeHistogram(samples: (0..<8).map { _ in value(&random) }, width: 10)
          return (0, .bins(launches.bins.map { .init(start: $0.start, end: $0.end, count: $0.count) }))
        }
        archive.payloads.append(payload)
      }
    }
    return archive
  }

  private static func overview(_ archive: PayloadArchive) -> PayloadOverview {
    let choice = { (version: String) in
      (name: version, choice: SampleCube.Choice(labels: ["version": .value(version)]))
    }
    var overview = PayloadOverview(archive, a: choice("2.1"), b: choice("2.0"))
    while !overview.isDone { overview.summarize(.max) }
    return overview
  }

  private static func real(_ overview: PayloadOverview) -> Int {
    overview.rows.count { $0.verdict?.isDifference ?? false }
  }

  private static func pagesWithFindings(days: Int, devices: Int?) async -> (pages: Double, launches: Double) {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let found = await withTaskGroup(of: (Int, Int).self) { group in
      for core in 0..<cores {
        group.addTask {
          var found = (0, 0)
          for page in stride(from: core, to: pages, by: cores) {
            var random = SplitMix64(seed: UInt64(page) &* 104_729 &+ 5)
            let overview = overview(archive(days: days, devices: devices, &random))
            if real(overview) > 0 { found.0 += 1 }
            if overview.rows.first(where: \.isHistogram)?.verdict?.isDifference ?? false { found.1 += 1 }
          }
          return found
        }
      }
      return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }
    return (Double(found.0) / Double(pages), Double(found.1) / Double(pages))
  }

  @Test(
    "of pages with 21 figures on which nothing is different at most 5 % name anything",
    arguments: [(60, nil), (90, 15), (150, 50)] as [(Int, Int?)])
  func falsePages(days: Int, devices: Int?) async {
    let found = await Self.pagesWithFindings(days: days, devices: devices)
    let kind = devices.map { "\($0) devices" } ?? "independent days"
    if Self.pages >= 500 {
      print("pages with a false claim, \(kind): \(found.pages * 100) %, launches \(found.launches * 100) %")
    }
    let allowed = 0.05 + (Self.pages >= 1000 ? 0 : 3 * (0.05 * 0.95 / Double(Self.pages)).squareRoot())
    #expect(found.pages <= allowed && found.launches <= allowed, "\(kind): \(found)")
  }

  @Test("figures that rose by a half are found on a page of 21, of independent days and of 15 devices")
  func power() {
    var random = SplitMix64(seed: 12)
    #expect(Self.real(Self.overview(Self.archive(days: 60, devices: nil, change: 1.5, &random))) == 21)
    #expect(Self.real(Self.overview(Self.archive(days: 90, devices: 15, change: 1.5, &random))) >= 17)
  }

  @Test("payloads that name no user are units of their own, and so are those in a file of several models")
  func unnamed() {
    var random = SplitMix64(seed: 12)
    var archive = Self.archive(days: 60, devices: nil, change: 1.5, &random)
    for place in archive.payloads.indices {
      if place % 3 == 0 { archive.payloads[place].facts["user"] = "u\(place)" }
      archive.payloads[place].facts["device"] = "model \(place % 4)"
      if place % 2 == 0 { archive.payloads[place].source = "log.ndjson#\(place)" }
    }
    #expect(Self.real(Self.overview(archive)) == 21)
  }

  @Test("sides that share payloads are not compared, and B says so")
  func overlap() {
    var random = SplitMix64(seed: 3)
    let archive = Self.archive(days: 20, devices: nil, change: 2, &random)
    var overview = PayloadOverview(
      archive, a: ("all", SampleCube.Choice()), b: ("2.0", SampleCube.Choice(labels: ["version": "2.0"])))
    while !overview.isDone { overview.summarize(.max) }
    #expect(overview.rows.allSatisfy { $0.verdict == nil })
    #expect(overview.b?.words == "20 metric payloads, 20 on both sides: nothing is compared")
  }

  // MARK: Counts

  private func verdict(
    _ a: (crashes: Int, days: Int), _ b: (crashes: Int, days: Int)
  ) -> ComparisonVerdict.Finding {
    // Spread as evenly as whole numbers allow.
    let stretches = [b, a].map { (side: (crashes: Int, days: Int)) -> [RateComparison.Tally] in
      (0..<side.days).map { day in
        let upTo = { (day: Int) in day * side.crashes / side.days }
        return RateComparison.Tally(count: Double(upTo(day + 1) - upTo(day)))
      }
    }
    let verdict = RateComparison(stretches[0], stretches[1]).verdict
    return verdict.believed(upTo: 0.05).finding
  }

  @Test("80 crashes on 100 device-days against 40 on 200 are more, and as many in proportion are not")
  func counts() {
    #expect(verdict((80, 100), (40, 200)) == .middle(.up))
    #expect(verdict((40, 200), (80, 100)) == .middle(.down))
    #expect(verdict((80, 200), (40, 100)) == .noDifference)
    #expect(verdict((4, 4), (40, 100)) == .tooFew)
    // So rare that no percentile of a day sees it.
    #expect(verdict((9, 1000), (0, 1000)) == .middle(.up))
  }

  @Test("one device that crashes all the time is no change of the version")
  func loop() {
    let days = { (crashes: [Double]) in crashes.map { RateComparison.Tally(count: $0) } }
    let quiet = Array(repeating: 0.0, count: 99)
    let verdict = RateComparison(days([0] + quiet), days([80] + quiet)).verdict
    #expect(verdict.believed(upTo: 0.05).finding == .noDifference)
  }
}
