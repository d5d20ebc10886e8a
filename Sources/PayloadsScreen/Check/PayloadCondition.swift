import Codecs

/// A condition on payloads, as in `launch p95 slower than 2.4.0`, `peak memory p95 > 300MB` or `new crash signature`.
package struct PayloadCondition: Sendable, Hashable {
  /// Kinds of diagnostics by the word for them.
  static let diagnostics = [
    "crash": "crashDiagnostics", "hang": "hangDiagnostics", "cpu": "cpuExceptionDiagnostics",
    "disk": "diskWriteExceptionDiagnostics", "launch": "appLaunchDiagnostics",
    "memory": "memoryExceptionDiagnostics",
  ]

  /// The property of a figure's samples or days.
  package enum Measure: Sendable, Hashable {
    case mean
    case percentile(Double)
  }

  /// The part of the payloads that it is about.
  enum Subject: Sendable, Hashable {
    case figure(name: String, Measure)
    /// The diagnostics of a kind, or of some of its families, by device-day or by foreground hour.
    case rate(kind: String, Families)
    /// Diagnostics of a kind with a signature that the other side does not have.
    case newSignature(kind: String)
  }

  /// The families of a kind of diagnostics that a rate counts.
  enum Families: Sendable, Hashable {
    case all
    /// Each family by itself.
    case each
    /// Those whose reason or frames have a text in them.
    case mentioning(String)
  }

  enum Test: Sendable, Hashable {
    /// A limit in seconds, bytes or plain numbers; of rates per 1,000 device-days, or per 1,000 foreground hours.
    case limit(isAbove: Bool, Double, isHourly: Bool)
    case change(isHigher: Bool)
  }

  /// The condition as written.
  package let text: String
  let subject: Subject
  let test: Test
  /// The version, file or state to compare with; `nil` for the version before.
  package let than: String?

  /// The reason why a text is not a condition.
  package struct Problem: Error, Equatable {
    /// The character at which it was noticed, from 1.
    package let place: Int
    package let text: String
  }

  private static let rising = ["slower": true, "higher": true, "more": true, "larger": true, "worse": true]
    .merging(["faster": false, "lower": false, "less": false, "fewer": false, "smaller": false]) { first, _ in
      first
    }
  private static let measures: [String: Measure] = [
    "mean": .mean, "average": .mean, "median": .percentile(50), "p50": .percentile(50),
    "p95": .percentile(95),
  ]

  /// Parses a condition; the names of figures are looked up later, among those of the payloads.
  package init(_ text: String) throws(Problem) {
    self.text = text
    let words = text.replacing(/[<>]/) { " \($0.0) " }.split(separator: " ").map(String.init)
    func problem(_ word: String?, _ message: String) -> Problem {
      let place = word.flatMap { text.firstRange(of: $0)?.lowerBound }.map {
        text.distance(from: text.startIndex, to: $0)
      }
      return Problem(place: (place ?? text.count) + 1, text: message)
    }
    if words.count == 3, words[0].lowercased() == "new", words[2].lowercased() == "signature" {
      guard let kind = Self.diagnostics[words[1].lowercased()] else {
        throw problem(words[1], "expected one of \(Self.diagnostics.keys.sorted().joined(separator: ", "))")
      }
      (subject, test, than) = (.newSignature(kind: kind), .change(isHigher: true), nil)
      return
    }
    guard
      let place = words.firstIndex(where: { $0 == "<" || $0 == ">" || Self.rising[$0.lowercased()] != nil })
    else {
      throw problem(nil, "expected a comparison: slower, faster, higher, lower, < or >")
    }
    let (sign, after) = (words[place], Array(words[(place + 1)...]))
    subject = try Self.subject(Array(words[..<place]), before: sign, problem)
    guard let isHigher = Self.rising[sign.lowercased()] else {
      let isRate = if case .rate = subject { true } else { false }
      guard let limit = Self.limit(after.joined(), isRate: isRate) else {
        let example = isRate ? "5 or 5/1000d (per 1,000 device-days), or 0.2/h" : "300MB or 1.5s"
        throw problem(after.first ?? sign, "expected a number with a unit, such as \(example)")
      }
      (test, than) = (.limit(isAbove: sign == ">", limit.value, isHourly: limit.isHourly), nil)
      return
    }
    test = .change(isHigher: isHigher)
    guard let first = after.first else {
      than = nil
      return
    }
    guard first.lowercased() == "than", after.count > 1 else {
      throw problem(first, "expected than and a version, file or state")
    }
    than = after.dropFirst().joined(separator: " ")
  }

  /// The figure or the rate before a comparison.
  private static func subject(
    _ words: [String], before sign: String, _ problem: (String?, String) -> Problem
  ) throws(Problem) -> Subject {
    var words = words
    var measure = Measure.mean
    if let last = words.last, let found = measures[last.lowercased()] {
      measure = found
      words.removeLast()
    } else if let last = words.last, last.wholeMatch(of: /p[0-9.]+/) != nil {
      throw problem(last, "payloads have p50 and p95 of days and samples")
    }
    guard !words.isEmpty else { throw problem(sign, "expected the name of a figure before it") }
    let name = words.joined(separator: " ").lowercased()
    let kind = name.split(separator: " ").first.flatMap { diagnostics[String($0)] }
    guard let kind, let place = words.firstIndex(where: { $0.lowercased() == "rate" }), place > 0 else {
      return .figure(name: name, measure)
    }
    let rest = words[(place + 1)...]
    if rest.first?.lowercased() == "in", rest.count > 1 {
      return .rate(kind: kind, .mentioning(rest.dropFirst().joined(separator: " ")))
    }
    let isOfEach = place > 1 && words[place - 1].lowercased() == "signature"
    // Hangs have a rate of their own, in seconds per hour of use.
    guard rest.isEmpty, isOfEach || kind != "hangDiagnostics" else { return .figure(name: name, measure) }
    return .rate(kind: kind, isOfEach ? .each : .all)
  }

  /// A limit; of rates per 1,000 device-days or foreground hours.
  private static func limit(_ text: String, isRate: Bool) -> (value: Double, isHourly: Bool)? {
    guard isRate else { return number(text).map { ($0, false) } }
    for (unit, factor, isHourly) in [
      ("/1000d", 1.0, false), ("/1000h", 1, true), ("/d", 1000, false), ("/h", 1000, true),
    ]
    where text.lowercased().hasSuffix(unit) {
      return number(String(text.dropLast(unit.count))).map { ($0 * factor, isHourly) }
    }
    return number(text).map { ($0, false) }
  }

  private static let units: [String: Double] = [
    "": 1, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "h": 3600, "%": 1e-2, "b": 1, "kb": 1e3, "mb": 1e6,
    "gb": 1e9,
    "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30,
  ]

  /// A number in seconds, bytes or plain.
  private static func number(_ text: String) -> Double? {
    guard let match = text.lowercased().wholeMatch(of: /(-?[0-9]+(?:\.[0-9]+)?)([a-z%]*)/),
      let number = Double(String(match.1)), let unit = units[String(match.2)]
    else { return nil }
    let value = number * unit
    return value.isFinite ? value : nil
  }
}
