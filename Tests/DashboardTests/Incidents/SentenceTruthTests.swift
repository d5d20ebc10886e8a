import Foundation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Aggregation
@testable import DashboardCore

/// Compares the first line at random moments with the samples, by computations of its own.
@Suite("The first line says what the samples say")
struct SentenceTruthTests {
  private static let count = 5
  private static let start = IncidentFixture.start
  /// Files of five metrics and the moments at which each is read.
  private static let files = ProcessInfo.processInfo.environment["SENTENCES"].flatMap(Int.init) ?? 10
  private static let momentsPerFile = 5

  /// A file of five metrics, one of which may change.
  private struct File {
    let changed: Int?
    let change: SeriesRecipe.Change
    let series: [PlantedSeries]

    init(seed: UInt64) {
      let changes: [SeriesRecipe.Change] = [
        .none, .level(2.5, seconds: .infinity), .level(3, seconds: 120), .level(0, seconds: 40),
        .level(0.4, seconds: .infinity), .silence(gaps: 60), .outlier(40), .rate(4, seconds: 180),
        .leak(4, seconds: 600),
      ]
      change = changes[Int(seed) % changes.count]
      let changed = change == .none ? nil : Int(seed) % count
      self.changed = changed
      let change = change
      series = (0..<count).map { place in
        var recipe = SeriesRecipe()
        if place == changed { recipe.change = change }
        return PlantedSeries(recipe, seed: seed &* 31 &+ UInt64(place))
      }
    }

    func session(at moment: Double) -> Session {
      var log = IncidentLog { _ in [.values, .silences] }
      let samples = series.enumerated().flatMap { place, series -> [IncidentFixture.Sample] in
        let identity = SeriesIdentity(bucket: "app", name: "m\(place)", typeName: "Double")
        return series.samples.filter { $0.time <= moment }.map { (identity, start + $0.time, $0.value) }
      }.sorted { $0.time < $1.time }
      for (series, time, value) in samples {
        if let number = log.number(of: series) { log.record(.number(value), at: time, of: number) }
      }
      var model = LiveFixture.model(
        160, 36, depth: .none, now: Timestamp(start + moment), feed: IncidentFixture.feed(samples))
      model.session.limits = LimitSet()
      var news = HistoryNews()
      news.incidents = FoundIncidents(log.entries, isWhole: true)
      news.incidents?.pauses = log.pauses
      news.incidents?.watch = IncidentWatch(count: log.knownCount, changes: log.smallestChanges)
      _ = update(&model, .history(news))
      return model.session
    }
  }

  @Test("the metric, the numbers, the factor, the start and the end are those of the samples")
  func truth() {
    var wrong: [String] = []
    var random = SeededGenerator(seed: 50)
    for seed in 0..<UInt64(Self.files) {
      let file = File(seed: seed)
      for _ in 0..<Self.momentsPerFile {
        let moment = Double.random(in: 900..<2400, using: &random)
        let session = file.session(at: moment)
        let sentence = AlertSentence(session: session).spoken
        if let reason = Claim(sentence).contradiction(
          in: file.series, changed: file.changed, file.change, at: moment)
        {
          wrong.append("file \(seed) \(file.change) at \(Int(moment)): \(sentence): \(reason)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }
}

/// A sentence taken apart, and checked against samples.
private struct Claim {
  private let words: [Substring]
  private let text: String
  /// 13:20:00, when the files begin, in seconds of the day.
  private static let midnight = 48_000.0

  init(_ text: String) { (self.text, words) = (text, text.split(separator: " ")) }

  /// The reason why the sentence is false; `nil` if it is true.
  func contradiction(
    in series: [PlantedSeries], changed: Int?, _ change: SeriesRecipe.Change, at moment: Double
  ) -> String? {
    if text.contains(" as usual") { return quietContradiction(series, changed, change, moment) }
    guard let name = words.first, let place = Int(name.dropFirst("app.m".count)), place < series.count else {
      return "no subject"
    }
    guard let (start, end) = times else { return "no time" }
    let samples = series[place].samples.filter { $0.time <= moment }
    if changed != place { return "nothing changed in it" }
    if start < series[place].start - 60 { return "it began at \(series[place].start), not at \(start)" }
    let own = samples.filter { $0.time >= start - 0.5 && $0.time <= (end ?? moment) + 1 }
    if text.contains("silent for") { return silence(samples, start, end, moment) }
    if text.contains(" sample") { return outlier(own) }
    if text.contains("/s ") || text.contains("/min ") { return rate(samples, start, end ?? moment) }
    // Of a leak, the level lies between that of all samples since the start and the present one.
    if case .leak = change {
      let lagging = level(samples, own[...], start, end, moment)
      return lagging == nil ? nil : level(samples, own.suffix(40), start, end, moment)
    }
    return level(samples, own[...], start, end, moment)
  }

  /// The times after `since`, or around a hyphen, in seconds of the file.
  private var times: (Double, Double?)? {
    func seconds(_ text: Substring) -> Double? {
      let parts = text.split(separator: ":").compactMap { Double($0) }
      return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] - Self.midnight : nil
    }
    for (place, word) in words.enumerated() {
      if word == "since", place + 1 < words.count, let start = seconds(words[place + 1]) {
        return (start, nil)
      }
      let parts = word.split(separator: "-")
      if parts.count == 2, let start = seconds(parts[0]), let end = seconds(parts[1]) { return (start, end) }
    }
    return nil
  }

  /// A number such as `1.2k`, `84.3` or `12m`.
  private static func number(_ text: Substring) -> Double? {
    let factors: [Character: Double] = ["k": 1e3, "M": 1e6, "m": 1e-3, "µ": 1e-6]
    if let last = text.last, let factor = factors[last] { return Double(text.dropLast()).map { $0 * factor } }
    return Double(text)
  }

  /// The seconds of `38ms`, `4.1s`, `50m15s`.
  private static func duration(_ text: Substring) -> Double? {
    if text.hasSuffix("ms") { return Double(text.dropLast(2)).map { $0 / 1000 } }
    guard text.hasSuffix("s") else { return nil }
    let parts = text.dropLast().split(separator: "m").compactMap { Double($0) }
    return parts.count == 2 ? parts[0] * 60 + parts[1] : parts.first
  }

  private func number(before word: String) -> Double? {
    words.firstIndex(of: Substring(word)).flatMap { $0 > 0 ? Self.number(words[$0 - 1]) : nil }
  }

  private func median(_ samples: some Sequence<PlantedSeries.Sample>) -> Double? {
    let sorted = samples.map(\.value).sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  private func quietContradiction(
    _ series: [PlantedSeries], _ changed: Int?, _ change: SeriesRecipe.Change, _ moment: Double
  ) -> String? {
    guard let count = words.first.flatMap({ Int($0) }) else { return "no count" }
    if count != series.count { return "not \(series.count) metrics" }
    guard let changed, case .level(_, let length) = change else { return nil }
    let age = moment - series[changed].start
    return age > 120 && age < length ? "a level changed \(age) s ago" : nil
  }

  private func silence(
    _ samples: [PlantedSeries.Sample], _ start: Double, _ end: Double?, _ moment: Double
  ) -> String? {
    let lengths = zip(samples, samples.dropFirst()).map { $1.time - $0.time }
    let open = moment - (samples.last?.time ?? moment)
    let longest = end == nil ? open : lengths.max() ?? 0
    let told = words.firstIndex(of: "for").map { words[$0 + 1] } ?? ""
    guard let seconds = Self.duration(told) else { return "no length in \(told)" }
    return abs(seconds - longest) > max(1, longest / 10) ? "silent for \(longest) s" : nil
  }

  private func outlier(_ own: [PlantedSeries.Sample]) -> String? {
    guard let told = number(before: "(usually") else { return "no value" }
    return own.contains { abs($0.value - told) <= 0.02 * $0.value } ? nil : "no such sample"
  }

  private func rate(_ samples: [PlantedSeries.Sample], _ start: Double, _ end: Double) -> String? {
    func told(_ text: Substring) -> Double? {
      text.hasSuffix("/s") ? Double(text.dropLast(2)) : Double(text.dropLast(4)).map { $0 / 60 }
    }
    guard let arrow = words.firstIndex(of: "→"), let before = told(words[arrow - 1]),
      let after = told(words[arrow + 1])
    else { return "no rates" }
    func perSecond(_ from: Double, _ to: Double) -> Double {
      Double(samples.count { $0.time >= from && $0.time < to }) / max(1, to - from)
    }
    let (was, became) = (perSecond(start - 600, start), perSecond(start, end))
    if abs(before / was - 1) > 0.25 { return "before, \(was) a second" }
    return abs(after / became - 1) > 0.3 ? "then, \(became) a second" : nil
  }

  private func level(
    _ samples: [PlantedSeries.Sample], _ own: ArraySlice<PlantedSeries.Sample>, _ start: Double,
    _ end: Double?,
    _ moment: Double
  ) -> String? {
    guard let arrow = words.firstIndex(of: "→"), let before = Self.number(words[arrow - 1]),
      let after = Self.number(words[arrow + 1])
    else { return "no levels" }
    guard let was = median(samples.filter { $0.time < start && $0.time >= start - 300 }),
      let became = median(own)
    else { return "no samples" }
    if abs(before / was - 1) > 0.25 { return "before, \(was)" }
    if abs(after - became) > 0.25 * max(abs(became), 0.1 * was) { return "then, \(became)" }
    if let factor = factor, after > 0, abs(factor / (after / before) - 1) > 0.1 { return "factor" }
    let last = median(samples.suffix(25)) ?? 0
    let isLasting = abs(last - became) < abs(last - was)
    if end == nil, !isLasting, moment - start > 60 { return "it is over: \(last)" }
    return end != nil && isLasting && moment - (end ?? 0) > 60 ? "it lasts: \(last)" : nil
  }

  /// The factor in parentheses, as a multiple of before.
  private var factor: Double? {
    guard let word = words.first(where: { $0.hasPrefix("(") && ($0.contains("×") || $0.contains("/")) })
    else {
      return nil
    }
    let inner = word.dropFirst().prefix { $0 != ")" && $0 != "×" }
    let parts = inner.split(separator: "/")
    return parts.count == 2 ? Double(parts[1]).map { 1 / $0 } : Double(inner)
  }
}
