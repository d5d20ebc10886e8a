import Aggregation
import Codecs
import Foundation
import Platform
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("What carries a change")
struct HistogramAttributionTests {
  /// How many seeds are tried; more where somebody waits for it.
  private static let seeds = ProcessInfo.processInfo.environment["VERDICT_SEEDS"].flatMap(Int.init) ?? 24

  /// The screen's verdict on versions 2.1 and 2.0 of some samples.
  private func content(
    _ samples: [(value: Double, labels: [String: String])], a: SampleCube.Choice? = nil,
    unit: ValueUnit = .milliseconds, words: ChangeWords? = nil
  ) -> HistogramContent {
    var cube = SampleCube(step: 60)
    for (index, sample) in samples.enumerated() {
      cube.record(
        sample.value, at: Double(index),
        labels: sample.labels.sorted { $0.key < $1.key }.map { SampleCube.Label($0.key, $0.value) })
    }
    cube.settle()
    func side(_ version: String) -> HistogramMaker.Side {
      .init(name: version, choice: SampleCube.Choice(labels: ["version": .value(version)]))
    }
    let first = a.map { HistogramMaker.Side(name: "all", choice: $0) } ?? side("2.1")
    let maker = HistogramMaker(
      source: .samples(cube, close: nil), options: HistogramOptions(), a: first, b: side("2.0"),
      common: SampleCube.Choice(), unit: unit, words: words ?? ChangeWords(unit))
    return maker.content(on: nil, rows: 14, courseSize: (0, 0))
  }

  // MARK: The cases of the issue

  private func simpson(_ seed: UInt64) -> [(value: Double, labels: [String: String])] {
    var random = SplitMix64(seed: seed)
    return (0..<3000).map { index in
      let version = index < 1500 ? "2.0" : "2.1"
      let isCellular = random.unit() < (version == "2.0" ? 0.2 : 0.59)
      let device = "device-\(Int(random.unit() * 5))"
      let value = (isCellular ? 700 : 120) * exp(0.3 * random.normal()) * (version == "2.1" ? 0.91 : 1)
      return (value, ["version": version, "net": isCellular ? "cellular" : "wifi", "device": device])
    }
  }

  @Test("more users of a slow network are named, and that each network is faster")
  func simpsonsCase() {
    var right = 0
    for seed in 0..<UInt64(Self.seeds) {
      let content = content(simpson(seed))
      guard let attribution = content.verdict?.attribution, attribution.dimension == "net",
        case .mix(let share, .moved(let part, isEach: true)) = attribution.kind
      else { continue }
      if share.value == .value("cellular"), share.a > share.b, part < -0.05, part > -0.13 { right += 1 }
    }
    #expect(Double(right) >= 0.95 * Double(Self.seeds), "\(right) of \(Self.seeds)")
    let sentence = content(simpson(1)).verdict?.sentence ?? ""
    #expect(sentence.contains(" come from more net cellular ("))
    #expect(sentence.contains("; each net is ") && sentence.hasSuffix("% faster"))
  }

  @Test("more old phones are named, and that no phone changed")
  func oldPhones() {
    var right = 0
    for seed in 0..<UInt64(Self.seeds) {
      var random = SplitMix64(seed: seed)
      let samples = (0..<3000).map { index in
        let version = index < 1500 ? "2.0" : "2.1"
        let isOld = random.unit() < (version == "2.0" ? 0.3 : 0.7)
        let value = (isOld ? 620 : 410) * exp(0.25 * random.normal())
        return (value, ["version": version, "phone": isOld ? "old" : "new"])
      }
      guard case .mix(let share, .nothing)? = content(samples).verdict?.attribution?.kind else { continue }
      if share.value == .value("old") { right += 1 }
    }
    #expect(Double(right) >= 0.95 * Double(Self.seeds), "\(right) of \(Self.seeds)")
  }

  private func oneDevice(_ seed: UInt64, factor: Double = 1.6)
    -> [(value: Double, labels: [String: String])]
  {
    var random = SplitMix64(seed: seed)
    return (0..<3000).map { index in
      let version = index < 1500 ? "2.0" : "2.1"
      let device = "device-\(Int(random.unit() * 5))"
      let isSlow = version == "2.1" && device == "device-3"
      let value = 200 * exp(0.4 * random.normal()) * (isSlow ? factor : 1)
      let net = random.unit() < 0.5 ? "wifi" : "cellular"
      return (value, ["version": version, "net": net, "device": device])
    }
  }

  @Test("a regression on one device model of five is named, and its row comes first")
  func oneDeviceCase() {
    var right = 0
    for seed in 0..<UInt64(Self.seeds) {
      let content = content(oneDevice(seed))
      guard case .one(let value, of: 5, let a, let b)? = content.verdict?.attribution?.kind,
        content.verdict?.attribution?.dimension == "device"
      else { continue }
      if value == .value("device-3"), a > 1.3 * b, content.group == "device",
        content.groups.first?.value == value
      {
        right += 1
      }
    }
    #expect(Double(right) >= 0.95 * Double(Self.seeds), "\(right) of \(Self.seeds)")
    let sentence = content(oneDevice(1)).verdict?.sentence ?? ""
    #expect(sentence.contains("; only device device-3 changed (1 of 5): avg "))
  }

  @Test("what changed everywhere is carried by no field")
  func everywhere() {
    var named = 0
    for seed in 0..<UInt64(Self.seeds) {
      var random = SplitMix64(seed: seed &+ 99)
      let samples = (0..<3000).map { index in
        let version = index < 1500 ? "2.0" : "2.1"
        let device = "device-\(Int(random.unit() * 5))"
        let value = 200 * exp(0.4 * random.normal()) * (version == "2.1" ? 1.3 : 1)
        return (value, ["version": version, "device": device, "net": random.unit() < 0.5 ? "a" : "b"])
      }
      let verdict = content(samples).verdict
      #expect(verdict?.comparison.verdict.finding == .middle(.up))
      if verdict?.attribution != nil { named += 1 }
    }
    #expect(Double(named) <= 0.05 * Double(Self.seeds), "\(named) of \(Self.seeds)")
  }

  @Test("the parts of a change are the whole of it, whatever the groups are")
  func parts() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let parts = (0..<Int.random(in: 2...6, using: &random)).map { value in
        let part = { (random: inout SplitMix64) in
          ChangeDecomposition<Int>.Part(
            count: Double(Int.random(in: 0...50, using: &random)), mean: random.normal() * 100,
            variance: random.unit() * 100)
        }
        return (value, part(&random), part(&random))
      }
      guard let found = ChangeDecomposition(parts) else { continue }
      #expect(abs(found.mix + found.within - found.change) < 1e-6)
      #expect(abs(found.groups.reduce(0) { $0 + $1.mix + $1.within } - found.change) < 1e-6)
    }
    #expect(ChangeDecomposition([(1, ChangeDecomposition<Int>.Part.none, .none)]) == nil)
  }

  // MARK: Sides that overlap

  @Test("sides that share samples are not compared, and the sentence says why")
  func overlap() throws {
    let verdict = try #require(content(simpson(3), a: SampleCube.Choice()).verdict)
    #expect(verdict.overlap == 1500 && !verdict.isDifference && verdict.attribution == nil)
    #expect(
      verdict.sentence
        == "A and B overlap: 1 500 samples are on both sides, so nothing can be concluded")
    let others = content(simpson(3), a: SampleCube.Choice(labels: ["net": .value("wifi")]))
    #expect((others.verdict?.overlap ?? 0) > 1000)
    #expect(content(simpson(3)).verdict?.overlap == 0)
  }

  // MARK: Words

  @Test(
    "a rise and a fall are called as the unit wants",
    arguments: [
      ("call_ms", nil, "slower", "faster", true), ("db.size_bytes", nil, "larger", "smaller", true),
      ("ui.fps", nil, "higher", "lower", false), ("cache.hit_rate", nil, "higher", "lower", false),
      ("cache.hit_rate_percent", nil, "higher", "lower", false),
      ("queue.depth", nil, "higher", "lower", true),
      ("queue.depth", .higher, "higher", "lower", false),
    ] as [(String, BetterDirection?, String, String, Bool)])
  func words(name: String, told: BetterDirection?, rise: String, fall: String, isRiseWorse: Bool) {
    let words = ChangeWords(ValueUnit(name: name), name: name, told: told)
    #expect(words.rise == rise && words.fall == fall)
    #expect(words.isWorse(rising: true) == isRiseWorse && words.isWorse(rising: false) != isRiseWorse)
  }

  @Test("fewer frames a second are lower and worse, more bytes are larger")
  func sentences() throws {
    var random = SplitMix64(seed: 9)
    let frames = (0..<1000).map { index in
      let isNew = index >= 500
      return ((isNew ? 40 : 58) + random.normal(), ["version": isNew ? "2.1" : "2.0"])
    }
    let words = ChangeWords(.plain, name: "ui.fps")
    let slow = try #require(content(frames, unit: .plain, words: words).verdict)
    #expect(slow.sentence.hasPrefix("2.1 is lower: p50 40") && slow.isWorse == true)
    let bytes = frames.map { ($0.0 * 2e6, $0.1) }
    let sizes = try #require(content(bytes, unit: .bytes).verdict)
    #expect(sizes.sentence.hasPrefix("2.1 is smaller: p50 ") && sizes.isWorse == false)
  }

  // MARK: One decision

  @Test("sentence and marks agree over seeded pairs: what it names is marked, what it does not is not")
  func marks() throws {
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      let (shift, stretch) = ([1.0, 1.03, 1.2][seed % 3], [1.0, 1.4][seed / 3 % 2])
      let samples = (0..<1200).map { index in
        let isNew = index >= 600
        var value = 200 * exp(0.4 * random.normal())
        if isNew { value = (value > 280 ? 280 + (value - 280) * stretch : value) * shift }
        return (value, ["version": isNew ? "2.1" : "2.0"])
      }
      let content = content(samples)
      let verdict = try #require(content.verdict)
      let found = try #require(content.figures).percentiles.filter(\.isFound).map(\.percentile)
      let place = Comment(rawValue: "\(seed): \(verdict.sentence), \(found)")
      if !verdict.isDifference { #expect(found.isEmpty, place) }
      if verdict.sentence.contains("in the tail only") {
        #expect(found.allSatisfy { $0 > 75 } && found.contains(95), place)
      }
      if case .middle = verdict.comparison.verdict.finding { #expect(found.contains(50), place) }
      for (percentile, pair) in [(50.0, verdict.median), (95, verdict.tail)] {
        if pair?.isFound == false { #expect(!found.contains(percentile), place) }
      }
    }
  }
}
