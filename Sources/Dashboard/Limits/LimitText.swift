import Codecs

/// Limits as a person types them: `400`, `p99 > 1.5 for 10s clear 1.2 bell`.
package enum LimitText {
  /// What is understood, for messages.
  package static let expected = "a number, such as 400, < 5, or p99 > 400 for 10s clear 350 bell"

  /// Reads a limit of a metric; `nil` where the text is none.
  ///
  /// - Parameter isFloor: Which side is meant where no sign stands.
  package static func limit(of metric: String, _ text: String, isFloor: Bool = false) -> MetricLimit? {
    var words = spaced(text).split(separator: " ").map(String.init)[...]
    var limit = MetricLimit(metric: metric, isFloor: isFloor, bound: 0)
    if let figure = words.first.flatMap({ MetricLimit.Figure(rawValue: $0.lowercased()) }) {
      limit.figure = figure
      words.removeFirst()
    }
    if let sign = words.first, sign == "<" || sign == ">" {
      limit.isFloor = sign == "<"
      words.removeFirst()
    }
    guard let bound = words.popFirst().flatMap(number) else { return nil }
    limit.bound = bound
    while let word = words.popFirst() {
      switch word.lowercased() {
      case "for":
        guard let seconds = words.popFirst().flatMap(length) else { return nil }
        limit.duration = seconds
      case "clear":
        guard let value = words.popFirst().flatMap(number) else { return nil }
        limit.clear = value
      case "bell": limit.ringsBell = true
      default: return nil
      }
    }
    return isSound(limit) ? limit : nil
  }

  /// The text that ``limit(of:_:)`` reads back, without the command.
  package static func text(_ limit: MetricLimit) -> String {
    var words = [limit.figure.rawValue, limit.sign, "\(limit.bound)"]
    if limit.duration > 0 { words += ["for", "\(limit.duration)s"] }
    if let clear = limit.clear { words += ["clear", "\(clear)"] }
    if limit.ringsBell { words.append("bell") }
    return words.joined(separator: " ")
  }

  /// The same as a person would type it.
  static func shortText(_ limit: MetricLimit) -> String {
    func number(_ value: Double) -> String { ScenarioText.number(value) }
    var words = limit.figure == .p95 ? [] : [limit.figure.rawValue]
    words += [limit.sign, number(limit.bound)]
    if limit.duration > 0 { words += ["for", DurationFormat.text(limit.duration)] }
    if let clear = limit.clear { words += ["clear", number(clear)] }
    if limit.ringsBell { words.append("bell") }
    return words.joined(separator: " ")
  }

  /// Whether the value that clears a limit lies on its good side.
  package static func isSound(_ limit: MetricLimit) -> Bool {
    guard let clear = limit.clear else { return true }
    return limit.isFloor ? clear >= limit.bound : clear <= limit.bound
  }

  /// A length of time from 0 to an hour, in seconds.
  package static func length(_ text: String) -> Double? {
    (Double(text) ?? MomentParser.length(text)).flatMap { (0...MetricLimit.longest).contains($0) ? $0 : nil }
  }

  private static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// `p95>400` with spaces around the sign.
  private static func spaced(_ text: String) -> String {
    text.map { $0 == "<" || $0 == ">" ? " \($0) " : String($0) }.joined()
  }
}
