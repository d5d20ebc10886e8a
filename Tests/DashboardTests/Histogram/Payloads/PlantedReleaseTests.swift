import Aggregation
import Foundation
import History
import TerminalUI
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

/// Releases that are worse in three ways or not at all, as a person first sees them, and as the gate judges them.
@Suite("The overview and the gate on planted releases")
struct PlantedReleaseTests {
  /// More of them where somebody waits for it.
  private static let seeds = ProcessInfo.processInfo.environment["PLANTED_SEEDS"].flatMap(Int.init) ?? 6

  init() { adoptUTF8() }

  private static let conditions = [
    "launch p95 slower than 2.1.0", "memory higher than 2.1.0", "new crash signature",
  ]

  /// The first screen at 120x36, without a key.
  private static func screen(_ archive: PayloadArchive) -> [String] {
    var state = OverviewState()
    let choice = { (version: String) in SampleCube.Choice(labels: ["version": .value(version)]) }
    let key = OverviewSummary.Key(
      payloads: ValueVersion(), a: choice("2.2.0"), b: choice("2.1.0"), names: ["2.2.0", "2.1.0"])
    OverviewFixture.refresh(&state, 120, 36, archive, key: key)
    let frame = ScreenFrame(size: Size(width: 120, height: 36))
    let theme = Theme(capabilities: Capabilities(depth: .none))
    var buffer = Buffer(size: frame.size, repertoire: theme.capabilities.repertoire)
    OverviewView(state: state, theme: theme, step: frame.step).drawBody(in: frame.body, into: &buffer)
    return buffer.lines
  }

  private static func answers(_ archive: PayloadArchive) throws -> [PayloadCheck.Answer.Kind] {
    let conditions = try conditions.map { try PayloadCondition($0) }
    return PayloadCheck(archive).answers(to: conditions).map(\.kind)
  }

  private struct Found {
    var (launch, memory, crash, others) = (0, 0, 0, 0)
    var holding = [0, 0, 0]
    /// Sets of which the screen or the gate names anything.
    var (named, failed) = (0, 0)
  }

  private static func found(isWorse: Bool, count: Int) async throws -> Found {
    try await withThrowingTaskGroup(of: Found.self) { group in
      for core in 0..<2 {
        group.addTask {
          var found = Found()
          for seed in stride(from: core, to: count, by: 2) {
            let archive = PlantedRelease.archive(seed: UInt64(seed) &* 7919 &+ 1, isWorse: isWorse)
            let screen = screen(archive)
            let end = screen.firstIndex { $0.contains("Crashes and hangs") } ?? 0
            let findings = screen[..<end].filter { line in
              ["+", "-", "new", "gone", "only"].contains { line.contains($0) }
                && !line.contains("payload")
            }
            let has = { (words: [String]) in
              findings.contains { line in words.allSatisfy { line.contains($0) } }
            }
            if has(["launch to first draw", "only iPhone12,1 (1 of 5)"]) { found.launch += 1 }
            if has(["peak memory", "only TestFlight"]) { found.memory += 1 }
            if has(["new crash: SIGSEGV in Cart", "30 of 52"]) { found.crash += 1 }
            if findings.count > (isWorse ? 4 : 0) { found.others += 1 }
            if !findings.isEmpty { found.named += 1 }
            let answers = try answers(archive)
            for (place, answer) in answers.enumerated() where answer == .holds { found.holding[place] += 1 }
            if answers.contains(.holds) { found.failed += 1 }
          }
          return found
        }
      }
      return try await group.reduce(into: Found()) { all, part in
        (all.launch, all.memory) = (all.launch + part.launch, all.memory + part.memory)
        (all.crash, all.others) = (all.crash + part.crash, all.others + part.others)
        (all.named, all.failed) = (all.named + part.named, all.failed + part.failed)
        for place in all.holding.indices { all.holding[place] += part.holding[place] }
      }
    }
  }

  @Test("the first screen names the model, TestFlight and the new crash, and the gate fails on each")
  func planted() async throws {
    let found = try await Self.found(isWorse: true, count: Self.seeds)
    let least = Int((0.95 * Double(Self.seeds)).rounded(.down))
    if Self.seeds >= 50 { print("planted releases of \(Self.seeds): \(found)") }
    #expect(min(found.launch, found.memory, found.crash) >= least, "\(found)")
    #expect(found.holding.allSatisfy { $0 >= least }, "\(found)")
  }

  @Test("of releases that differ by chance alone at most 5 % are named or fail")
  func chance() async throws {
    let sets = Self.seeds * 4
    let found = try await Self.found(isWorse: false, count: sets)
    if Self.seeds >= 50 { print("releases without a difference, of \(sets): \(found)") }
    let allowed = 0.05 + (Self.seeds >= 50 ? 0 : 3 * (0.05 * 0.95 / Double(sets)).squareRoot())
    #expect(Double(found.named) <= allowed * Double(sets), "\(found)")
    #expect(Double(found.failed) <= allowed * Double(sets), "\(found)")
  }
}
