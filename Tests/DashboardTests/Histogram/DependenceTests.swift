import Aggregation
import Codecs
import Foundation
import Testing

@testable import DashboardCore
@testable import HistogramScreen

/// Pairs of versions whose samples depend on each other, as real ones do, and what the screen says of them.
@Suite("Verdicts of samples that depend on each other")
struct DependenceTests {
  /// How many pairs of each kind are tried; more where somebody waits for it.
  private static let pairs = ProcessInfo.processInfo.environment["VERDICT_PAIRS"].flatMap(Int.init) ?? 30
  /// The first seed.
  private static let seed = ProcessInfo.processInfo.environment["VERDICT_SEED"].flatMap(UInt64.init) ?? 3

  /// More or fewer pairs where chance allows for it.
  private static let isThorough = pairs >= 200

  /// All kinds whose samples come from one population.
  private static let kinds: [VerdictPairs.Kind] = [
    .independent, .memory(0.5), .memory(0.8), .memory(0.9), .memory(0.95), .memory(0.98), .devices(15),
    .devices(50), .mixed(15, 0.8), .shared(15), .daily, .pareto, .bursts,
  ]

  @Test(
    "the same is called different in at most 5 % of the pairs, however samples depend on each other",
    arguments: kinds + [.walk], [.numbers, .bools, .texts] as [VerdictPairs.Subject])
  func falseClaims(_ kind: VerdictPairs.Kind, of subject: VerdictPairs.Subject) async {
    // The two halves of a walk have other shares of failures in truth.
    if case .walk = kind, subject != .numbers { return }
    let rate = await VerdictPairs(kind: kind, subject: subject).share(of: Self.pairs, from: Self.seed) {
      $0.verdict?.isDifference ?? true
    }
    if Self.isThorough { print("false claims, \(kind), \(subject): \(rate * 100) %") }
    // Of few pairs chance makes more: three deviations.
    let allowed = 0.05 + (Self.pairs >= 1000 ? 0 : 3 * (0.05 * 0.95 / Double(Self.pairs)).squareRoot())
    #expect(rate <= allowed, "\(kind), \(subject): \(rate)")
  }

  /// The share found of pairs in which 2.1 is slower, the more the less there is to know: a third more for series with
  /// memory and few devices.
  @Test(
    "a change that the samples can tell is told, however they depend on each other",
    arguments: [
      (.independent, 1.2, 0.95), (.memory(0.5), 1.2, 0.9), (.memory(0.8), 1.35, 0.8),
      (.memory(0.9), 1.5, 0.7), (.devices(15), 1.5, 0.7), (.devices(50), 1.35, 0.8),
      (.mixed(15, 0.8), 1.6, 0.7), (.daily, 1.2, 0.8),
    ] as [(VerdictPairs.Kind, Double, Double)])
  func power(_ kind: VerdictPairs.Kind, factor: Double, least: Double) async {
    let rate = await VerdictPairs(kind: kind, factor: factor).share(of: Self.pairs, from: Self.seed) {
      $0.verdict?.isDifference ?? false
    }
    if Self.isThorough { print("found, \(kind), \(factor): \(rate * 100) %") }
    #expect(rate >= least - (Self.isThorough ? 0 : 0.15), "\(kind): \(rate)")
  }

  /// Mann and Whitney's test finds 99 % of these at 5 %: of a normal shift of d deviations, Φ(d √(3n / 2π) - 1.96).
  @Test("5 % more is found nearly as often as by the test of ranks", arguments: [(0.25, 0.99)])
  func smallChanges(noise: Double, byRanks: Double) async {
    let rate = await VerdictPairs(noise: noise, factor: 1.05).share(of: Self.pairs, from: Self.seed) {
      $0.verdict?.isDifference ?? false
    }
    if Self.isThorough { print("found, +5 % at \(noise): \(rate * 100) %") }
    #expect(rate >= byRanks - 0.15 - (Self.isThorough ? 0 : 0.15), "\(rate)")
  }

  /// Of a text two shares are compared, which costs some certainty.
  @Test(
    "twice as many failures are found",
    arguments: [(.bools, 0.55), (.texts, 0.4)] as [(VerdictPairs.Subject, Double)])
  func failures(of subject: VerdictPairs.Subject, least: Double) async {
    let pairs = VerdictPairs(subject: subject, count: 2000, failures: (0.01, 0.02))
    let rate = await pairs.share(of: Self.pairs, from: Self.seed) {
      guard let verdict = $0.verdict, verdict.isDifference, let share = verdict.share else { return false }
      return share.a > share.b && (subject == .bools || share.value == "fail")
    }
    if Self.isThorough { print("found, twice the failures, \(subject): \(rate * 100) %") }
    #expect(rate >= least - (Self.isThorough ? 0 : 0.2), "\(rate)")
  }

  @Test("no sentence denies a difference of averages whose margins are apart", arguments: kinds + [.walk])
  func contradictions(_ kind: VerdictPairs.Kind) async {
    for factor in [1.0, 1.05, 1.2] {
      let rate = await VerdictPairs(kind: kind, factor: factor).share(of: Self.pairs, from: Self.seed) {
        content in
        guard let figures = content.figures, let b = figures.b, let verdict = content.verdict else {
          return true
        }
        let formatter = HistogramFormatter(
          unit: .milliseconds, plusMinus: "±", hasBins: false, isClear: verdict.isDifference, isCopied: true)
        let shown = [figures.a, b].map { side in
          formatter.average(side.average()).split(separator: " ").compactMap {
            Double($0.filter { $0.isNumber || $0 == "." })
          }
        }
        let areApart = abs(shown[0][0] - shown[1][0]) > shown[0][1] + shown[1][1]
        return areApart && verdict.sentence.hasPrefix("No difference")
      }
      if Self.isThorough { print("contradictions, \(kind), \(factor): \(rate * 100) %") }
      #expect(rate == 0, "\(kind), \(factor): \(rate)")
    }
  }

  @Test("margins are those of the samples, however far the sides are apart", arguments: [1.0, 1.2, 20])
  func margins(factor: Double) throws {
    let figures = try #require(VerdictPairs(factor: factor).content(seed: 9).figures)
    #expect(figures.a.inflation < 1.35, "\(figures.a.inflation)")
    let alike = try #require(VerdictPairs(kind: .memory(0.9), factor: factor).content(seed: 9).figures)
    #expect((2...8).contains(alike.a.inflation), "\(alike.a.inflation)")
  }

  @Test("a bool is named by its field, with its shares")
  func words() {
    let content = VerdictPairs(subject: .bools, count: 2000, failures: (0.01, 0.04)).content(seed: 1)
    #expect(
      content.verdict?.sentence == "2.1 has failed more often: 3.2% against 1.1%, n 2 000 and 2 000")
    let text = VerdictPairs(subject: .texts, count: 2000, failures: (0.01, 0.04)).content(seed: 1)
    #expect(text.verdict?.sentence == "2.1 has more fail: 3.2% against 1.1%, n 2 000 and 2 000")
  }

  @Test("two devices against three are too few to conclude anything, and the sentence says so")
  func fewDevices() throws {
    var random = SplitMix64(seed: 4)
    var cube = SampleCube(step: 4)
    for index in 0..<1000 {
      let (version, device) = index < 500 ? ("2.0", index % 3) : ("2.1", 3 + index % 2)
      cube.record(
        200 * exp(0.1 * random.normal()) * (index < 500 ? 1 : 2), at: Double(index),
        labels: [.init("version", version), .init("device_id", "d\(device)")])
    }
    let content = HistogramMaker(
      source: .samples(cube, close: nil), options: HistogramOptions(),
      a: .init(name: "2.1", choice: .init(labels: ["version": "2.1"])),
      b: .init(name: "2.0", choice: .init(labels: ["version": "2.0"])), common: SampleCube.Choice(),
      unit: .milliseconds, words: ChangeWords(.milliseconds)
    ).content(on: nil, rows: 14, courseSize: (0, 0))
    #expect(
      content.verdict?.sentence
        == "Too few devices to compare: 2.1 has 2 and 2.0 3, each needs 5 devices")
  }
}
