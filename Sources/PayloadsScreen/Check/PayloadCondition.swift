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
    case limit(isAbove: Bool, ConditionLimit)
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
    let words = ConditionWords(text)
    let texts = words.list.map(\.text)
    if texts.first?.lowercased() == "new" {
      (subject, test) = (try Self.newSignature(words), .change(isHigher: true))
      than = try Self.than(words, after: 3)
      return
    }
    guard
      let place = texts.firstIndex(where: { $0 == "<" || $0 == ">" || Self.rising[$0.lowercased()] != nil })
    else {
      let near = texts.lazy.compactMap { Suggestion.closest(to: $0, among: Self.rising.keys.sorted()) }.first
      throw words.problem(
        texts.count,
        "expected a comparison: slower, faster, higher, lower, < or >" + Suggestion.question(near))
    }
    subject = try Self.subject(words, before: place)
    guard let isHigher = Self.rising[texts[place].lowercased()] else {
      let limit = try Self.limit(words, after: place, subject)
      (test, than) = (.limit(isAbove: texts[place] == ">", limit), nil)
      return
    }
    test = .change(isHigher: isHigher)
    than = try Self.than(words, after: place + 1)
  }

  /// The side after `than`; `nil` if nothing follows.
  private static func than(_ words: ConditionWords, after place: Int) throws(Problem) -> String? {
    let texts = words.list.map(\.text)
    guard place < texts.count else { return nil }
    guard texts[place].lowercased() == "than", place + 1 < texts.count else {
      let isTypo =
        texts[place].lowercased() != "than" && Suggestion.closest(to: texts[place], among: ["than"]) != nil
      throw words.problem(
        place, "expected than and a version, file or state" + Suggestion.question(isTypo ? "than" : nil))
    }
    return texts[(place + 1)...].joined(separator: " ")
  }

  /// The subject of `new crash signature`.
  private static func newSignature(_ words: ConditionWords) throws(Problem) -> Subject {
    let texts = words.list.map { $0.text.lowercased() }
    let known = diagnostics.keys.sorted()
    guard texts.count > 1, let kind = diagnostics[texts[1]] else {
      throw words.problem(
        1,
        "expected one of \(known.joined(separator: ", "))"
          + Suggestion.question(texts.count > 1 ? Suggestion.closest(to: texts[1], among: known) : nil))
    }
    guard texts.count > 2, texts[2] == "signature" else {
      throw words.problem(2, "expected signature, as in new \(texts[1]) signature")
    }
    return .newSignature(kind: kind)
  }

  /// The figure or the rate before a comparison.
  private static func subject(_ all: ConditionWords, before place: Int) throws(Problem) -> Subject {
    var words = all.list[..<place].map(\.text)
    var measure = Measure.mean
    if let last = words.last, let found = measures[last.lowercased()] {
      measure = found
      words.removeLast()
    } else if let last = words.last, last.wholeMatch(of: /p[0-9.]+/) != nil {
      throw all.problem(words.count - 1, "\(last) is not known, only p50 and p95 are")
    }
    guard !words.isEmpty else { throw all.problem(place, "expected the name of a figure before it") }
    let name = words.joined(separator: " ").lowercased()
    let kind = name.split(separator: " ").first.flatMap { diagnostics[String($0)] }
    if kind == "crashDiagnostics", words.count == 1 {
      throw all.problem(place, "expected crash rate; did you mean crash rate \(all.list[place].text)?")
    }
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

  /// The limit after `<` or `>`; that of a rate of diagnostics has the unit of one.
  private static func limit(
    _ words: ConditionWords, after sign: Int, _ subject: Subject
  ) throws(Problem) -> ConditionLimit {
    let isRate = if case .rate = subject { true } else { false }
    let example = isRate ? "5 or 5/1000d (per 1,000 device-days), or 0.2/h" : "300MB or 1.5s"
    let place = sign + 1 < words.list.count ? sign + 1 : sign
    guard
      let limit = ConditionLimit(
        words.list[(sign + 1)...].map(\.text).joined(), place: words.list[place].place + 1),
      !isRate || limit.ofRate != nil
    else { throw words.problem(place, "expected a number with a unit, such as \(example)") }
    return limit
  }
}

/// The words of a condition with their places; `<` and `>` are words of their own.
private struct ConditionWords {
  private(set) var list: [(text: String, place: Int)] = []
  private let end: Int

  init(_ text: String) {
    end = text.count
    for (place, letter) in text.enumerated() {
      let isSign = letter == "<" || letter == ">"
      guard letter != " " else { continue }
      let isNext = place > 0 && list.last.map { $0.place + $0.text.count == place } ?? false
      if isNext, !isSign, let last = list.last?.text, last != "<", last != ">" {
        list[list.count - 1].text.append(letter)
      } else {
        list.append((String(letter), place))
      }
    }
  }

  /// A problem at a word, or at the end.
  func problem(_ word: Int, _ message: String) -> PayloadCondition.Problem {
    PayloadCondition.Problem(
      place: (list.indices.contains(word) ? list[word].place : end) + 1, text: message)
  }
}
