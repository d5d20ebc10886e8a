import Codecs
import DashboardCore
import QueryLanguage
import SimulationKit

// The limits of a configuration.
extension ConfigurationReader {
  /// The members of a limit with a description for the manual.
  static let limitMembers = [
    (
      "where",
      "one figure or calculation over or under another, joined by and with names; of every metric it chooses"
    ),
    ("metric", "bucket.name; * matches any text, ? one character"),
    ("above", "the upper limit for the figure, in the metric's unit"),
    ("below", "the lower limit for the figure, in the metric's unit"),
    ("figure", "p95 (the default) or another figure of the window"),
    ("for", "how long the figure has to be over the limit before it counts: 10s or a number of seconds"),
    ("clear", "the value at which an excess ends (default: the limit itself)"),
    ("bell", "true rings the terminal's bell once when an excess begins"),
    ("command", "run by /bin/sh once when an excess begins"),
  ]
  static let membersOfLimits = limitMembers.map(\.0)

  mutating func limits(_ value: JSONValue) -> LimitSet {
    LimitSet(list("limits", value).compactMap { limit($0.place, $0.value) })
  }

  /// A limit given as a query, or as a metric with a bound.
  private mutating func limit(_ place: String, _ value: JSONValue) -> MetricLimit? {
    let members = members(place, value)
    guard let condition = members.first(where: { $0.name == "where" }) else {
      return limitOfMetric(place, members)
    }
    guard let text = text(condition.place, condition.value) else { return nil }
    var query: LimitQuery
    do throws(QueryError) { query = try LimitQuery(text) } catch {
      report(condition.place, error.message)
      return nil
    }
    if let clear = members.first(where: { $0.name == "clear" }), !query.setClear(quantity(clear.value)) {
      report(clear.place, "expected a number of the same unit, on the good side of the limit")
    }
    var limit = MetricLimit(query)
    for (place, name, value) in members where name != "where" && name != "clear" {
      if ["metric", "above", "below", "figure"].contains(name) {
        report(place, "where already has this")
      } else {
        read(name, value, at: place, into: &limit)
      }
    }
    return limit
  }

  /// A number as it would be typed; empty for other values.
  private func quantity(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    default: ""
    }
  }

  private mutating func limitOfMetric(
    _ place: String, _ members: [(place: String, name: String, value: JSONValue)]
  ) -> MetricLimit? {
    var limit = MetricLimit(metric: "", bound: 0)
    var bounds: [Double?] = []
    var hasMetric = false
    let known = problems.count
    for (place, name, value) in members {
      switch name {
      case "metric":
        hasMetric = true
        limit.metric = text(place, value) ?? ""
      case "above", "below":
        limit.isFloor = name == "below"
        bounds.append(number(place, value))
      default: read(name, value, at: place, into: &limit)
      }
    }
    // A misspelled key is not also reported as missing.
    if problems.count == known {
      if !hasMetric {
        report(place, "metric or where is missing")
      } else if bounds.count != 1 {
        report(place, "expected one of above and below")
      }
    }
    guard !limit.metric.isEmpty, bounds.count == 1, let bound = bounds.first ?? nil else { return nil }
    limit.bound = bound
    if !LimitText.isSound(limit) {
      report("\(place).clear", "lies on the wrong side of the limit")
      limit.clear = nil
    }
    return limit
  }

  /// Reads the optional members of a limit; if one is invalid, the rest of the limit still applies.
  private mutating func read(
    _ name: String, _ value: JSONValue, at place: String, into limit: inout MetricLimit
  ) {
    switch name {
    case "figure":
      let names = QueryFigure.allCases.map(\.rawValue)
      limit.figure = choice(place, value, of: names).flatMap(QueryFigure.init) ?? .p95
    case "for": limit.duration = length(place, value, in: 0...MetricLimit.longest) ?? 0
    case "clear": limit.clear = number(place, value)
    case "bell": limit.ringsBell = bool(place, value) ?? false
    case "command": limit.command = command(place, value)
    default:
      report(
        place, "a limit has no such member" + Suggestion.question(about: name, among: Self.membersOfLimits))
    }
  }

  private mutating func command(_ place: String, _ value: JSONValue) -> String? {
    guard let command = text(place, value) else { return nil }
    guard !command.utf8.contains(0), command.utf8.count <= 4096 else {
      report(place, "this is not a command")
      return nil
    }
    guard allowsCommands else {
      report(place, "the command does not run: someone else owns the file or can write to it")
      return nil
    }
    return command
  }
}
