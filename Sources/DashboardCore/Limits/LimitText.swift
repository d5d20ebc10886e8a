package import Codecs
package import QueryLanguage

/// Limits as typed by the user: `400`, `p99 > 1.5 for 10s clear 1.2 bell`.
package enum LimitText {
  /// The expected form, for messages.
  package static let expected = "a number, such as 400, < 5, or p99 > 400ms for 10s clear 350ms bell"

  /// Parses a limit of a metric; `nil` for an invalid text.
  ///
  /// - Parameters:
  ///   - isFloor: The side of the bound if the text has no comparison sign.
  ///   - unit: The unit of the metric's values; derived from the name if `nil`.
  package static func limit(
    of metric: String, _ text: String, isFloor: Bool = false, unit: ValueUnit? = nil
  ) -> MetricLimit? {
    guard let tail = Tail(words(of: text)) else { return nil }
    var words = tail.rest[...]
    var limit = MetricLimit(metric: metric, isFloor: isFloor, bound: 0)
    if let figure = words.first.flatMap({ QueryFigure(rawValue: $0.lowercased()) }) {
      limit.figure = figure
      words.removeFirst()
    }
    if let sign = words.first, sign == "<" || sign == ">" {
      limit.isFloor = sign == "<"
      words.removeFirst()
    }
    let unit = unit ?? ValueUnit(name: metric)
    let number = { (text: String) in Self.number(text, limit.figure, unit) }
    guard words.count == 1, let bound = words.first.flatMap(number) else {
      return calculated(of: metric, tail)
    }
    limit.bound = bound
    if let clear = tail.clear {
      guard let value = number(clear) else { return nil }
      limit.clear = value
    }
    (limit.duration, limit.ringsBell) = (tail.duration, tail.ringsBell)
    return isSound(limit) ? limit : nil
  }

  /// A limit with a calculation: `p95 > 2 * p50`.
  private static func calculated(of metric: String, _ tail: Tail) -> MetricLimit? {
    guard var query = try? LimitQuery(tail.rest.joined(separator: " ")) else { return nil }
    if let clear = tail.clear, !query.setClear(clear) { return nil }
    guard var limit = MetricLimit(metric: metric, computing: query) else { return nil }
    (limit.duration, limit.ringsBell) = (tail.duration, tail.ringsBell)
    return limit
  }

  /// The reason that a text is not a valid limit of a metric.
  package static func fault(of metric: String, _ text: String, unit: ValueUnit) -> String {
    var parts = words(of: text)
    var seconds: String?
    if let place = parts.lastIndex(where: { $0.lowercased() == "for" }), place + 1 < parts.count {
      seconds = parts[place + 1]
    }
    if let seconds, length(seconds) == nil { return "'\(seconds)' is not a duration of up to an hour" }
    if let tail = Tail(parts) {
      parts = tail.rest
      let rest = parts.joined(separator: " ")
      if tail.clear != nil, limit(of: metric, rest, unit: unit) != nil {
        return "clear must be a number in the same unit, on the good side of the limit"
      }
    }
    if let last = parts.last, let quantity = try? Quantity(last), quantity.value(in: unit) == nil {
      return "\(metric) is not measured in the unit of \(last)"
    }
    return "expected \(expected)"
  }

  /// Parses a query with the consequences of its excess: `api.* and p95 > 400ms for 10s clear 350ms bell`.
  ///
  /// - Returns: `nil` if the text after the query is invalid.
  /// - Throws: `QueryError` for an invalid query, or one that cannot be a limit.
  package static func limit(where text: String) throws(QueryError) -> MetricLimit? {
    guard let tail = Tail(spaced(text).split(separator: " ").map(String.init)) else { return nil }
    var query = try LimitQuery(tail.rest.joined(separator: " "))
    if let clear = tail.clear, !query.setClear(clear) { return nil }
    var limit = MetricLimit(query)
    (limit.duration, limit.ringsBell) = (tail.duration, tail.ringsBell)
    return limit
  }

  /// A text with single spaces: positions in errors of ``limit(where:)`` refer to it.
  package static func spaced(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  /// The part after the number: duration, clearing value, and whether the bell rings.
  private struct Tail {
    var rest: [String]
    var duration = 0.0
    var clear: String?
    var ringsBell = false

    /// - Returns: `nil` for an invalid duration.
    init?(_ words: [String]) {
      rest = words
      while let last = rest.last {
        let before = rest.dropLast().last?.lowercased()
        if last.lowercased() == "bell" {
          ringsBell = true
          rest.removeLast()
        } else if before == "clear" {
          clear = last
          rest.removeLast(2)
        } else if before == "for" {
          guard let seconds = LimitText.length(last) else { return nil }
          duration = seconds
          rest.removeLast(2)
        } else {
          return
        }
      }
    }
  }

  /// The text that ``limit(of:_:)`` parses back, without the command.
  package static func text(_ limit: MetricLimit) -> String {
    var words = limit.calculation.map { [$0.text] } ?? [limit.figure.rawValue, limit.sign, "\(limit.bound)"]
    if limit.duration > 0 { words += ["for", "\(limit.duration)s"] }
    if let clear = limit.calculation?.clearText ?? limit.clear.map({ "\($0)" }) { words += ["clear", clear] }
    if limit.ringsBell { words.append("bell") }
    return words.joined(separator: " ")
  }

  /// The limit as a user would type it: `p95 > 400ms for 10s`.
  ///
  /// - Parameter unit: The unit of the metric's values.
  package static func shortText(_ limit: MetricLimit, _ unit: ValueUnit) -> String {
    var words = [limit.figure.rawValue, limit.sign, limit.typed(limit.bound, unit)]
    if let calculation = limit.calculation { words = [calculation.text] }
    if limit.duration > 0 { words += ["for", DurationFormat.text(limit.duration)] }
    if let clear = limit.calculation?.clearText ?? limit.clear.map({ limit.typed($0, unit) }) {
      words += ["clear", clear]
    }
    if limit.ringsBell { words.append("bell") }
    return words.joined(separator: " ")
  }

  /// True if the value that clears a limit lies on its good side.
  package static func isSound(_ limit: MetricLimit) -> Bool {
    guard let clear = limit.clear else { return true }
    return limit.isFloor ? clear >= limit.bound : clear <= limit.bound
  }

  /// A duration from 0 to an hour, in seconds.
  package static func length(_ text: String) -> Double? {
    (Double(text) ?? MomentParser.length(text)).flatMap { (0...MetricLimit.longest).contains($0) ? $0 : nil }
  }

  private static func number(_ text: String, _ figure: QueryFigure, _ unit: ValueUnit) -> Double? {
    let value = Double(text) ?? (try? Quantity(text)).flatMap { figure.value(of: $0, in: unit) }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The words of a text such as `p95>400`, split also around the comparison sign.
  private static func words(of text: String) -> [String] {
    let spaced = text.map { $0 == "<" || $0 == ">" ? " \($0) " : String($0) }.joined()
    return spaced.split(separator: " ").map(String.init)
  }
}
